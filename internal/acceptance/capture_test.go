package acceptance

import (
	"encoding/json"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// TestEveryPageCanBeCaptured iterates, page by page and item by item, and finds the raw response that each item came
// in.
func TestEveryPageCanBeCaptured(t *testing.T) {
	f, ctx := startSampleAccount(t), t.Context()
	var raw rpcfleet.Response
	capture, two := rpcfleet.WithResponse(&raw), rpcfleet.WithPageSize(2)
	captured(t, &raw, f.Endpoints.All(ctx, f.tagged(), capture), 3)
	captured(t, &raw, f.Endpoints.Pages(ctx, f.tagged(), capture), 3)
	captured(t, &raw, f.Logs.All(ctx, f.id, f.logRange(), capture), 3)
	captured(t, &raw, f.Destinations.All(ctx, alerts.ListDestinationsParams{}, capture), 1)
	captured(t, &raw, f.Notifications.AllEvents(ctx, f.notification, alerts.ListNotificationEventsParams{}, capture), 1)
	transactions := 0
	for _, err := range f.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}, capture, two).All(ctx) {
		require.NoError(t, err)
		assert.True(t, json.Valid(raw.Body()))
		if transactions++; transactions == 5 {
			break
		}
	}
}

// captured iterates, and counts the responses.
func captured[T any](t *testing.T, raw *rpcfleet.Response, items iter.Seq2[T, error], pages int) {
	t.Helper()
	bodies := map[string]bool{}
	for _, err := range items {
		require.NoError(t, err)
		require.True(t, json.Valid(raw.Body()))
		bodies[string(raw.Body())] = true
	}
	assert.Len(t, bodies, pages)
}
