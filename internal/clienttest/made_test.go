package clienttest

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestKindOf_errorsWithoutAResponse classifies errors that no response has caused.
func TestKindOf_errorsWithoutAResponse(t *testing.T) {
	for _, row := range []struct {
		err       error
		kind      rpcfleet.ErrorKind
		retryable bool
	}{
		{nil, rpcfleet.KindOK, false},
		{&rpcfleet.Error{}, rpcfleet.KindConnection, true},
		{&rpcfleet.Error{OutcomeUnknown: true}, rpcfleet.KindConnection, false},
		{&rpcfleet.DecodeError{Reason: rpcfleet.ReasonTruncated}, rpcfleet.KindDecode, false},
		{&rpcfleet.DecodeError{NoRecord: true}, rpcfleet.KindDecode, false},
		{&rpcfleet.PageError{Err: &rpcfleet.Error{}}, rpcfleet.KindConnection, true},
		{&rpcfleet.ValidationError{}, rpcfleet.KindInvalidRequest, false},
		{context.Canceled, rpcfleet.KindCanceled, false},
		{context.DeadlineExceeded, rpcfleet.KindTimeout, true},
		{errors.Join(&rpcfleet.Error{}, context.DeadlineExceeded), rpcfleet.KindTimeout, true},
	} {
		assert.Equal(t, row.kind, rpcfleet.KindOf(row.err), "%v", row.err)
		assert.Equal(t, row.retryable, rpcfleet.IsRetryable(row.err), "%v", row.err)
	}
}

// TestNewConnection_pagesInBothDirections over its items, from any of its cursors.
func TestNewConnection_pagesInBothDirections(t *testing.T) {
	all := rpcfleet.NewConnection([]int{1, 1, 2, 3, 4}, 2)
	for name, row := range map[string]struct {
		connection *rpcfleet.Connection[int]
		pages      [][]int
	}{
		"all":             {all, [][]int{{1, 1}, {2, 3}, {4}}},
		"after":           {all.After("1"), [][]int{{2, 3}, {4}}},
		"after the last":  {all.After("4"), nil},
		"backward":        {all.Before(""), [][]int{{4, 3}, {2, 1}, {1}}},
		"before":          {all.Before("3"), [][]int{{2, 1}, {1}}},
		"before, forward": {all.Before("3").After(""), [][]int{{1, 1}, {2, 3}, {4}}},
		"without items":   {rpcfleet.NewConnection[int](nil, 1), nil},
		"large pages":     {rpcfleet.NewConnection([]int{1, 2}, 9), [][]int{{1, 2}}},
	} {
		var pages [][]int
		for page, err := range row.connection.Pages(t.Context()) {
			require.NoError(t, err, name)
			pages = append(pages, page.Items)
		}
		assert.Equal(t, row.pages, pages, name)
	}
	page := must(all.After("1").Page(t.Context()))(t)
	assert.Equal(t, []any{"1", "3", 5}, []any{page.Cursor, page.NextCursor, page.Total})
}

func TestNewConnection_refusesUnknownCursors(t *testing.T) {
	all := rpcfleet.NewConnection([]int{1, 2}, 1)
	for text, connection := range map[string]*rpcfleet.Connection[int]{
		"cursor must be a cursor of":  all.After("x"),
		"a cursor of this connection": all.Before("2"),
		"page size must be at least":  rpcfleet.NewConnection([]int{1, 2}, 0),
	} {
		page, err := connection.Page(t.Context())
		require.ErrorContains(t, err, text)
		assert.Nil(t, page)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	page, err := all.Page(ended)
	require.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, page)
}

// TestNewResponse_keepsItsParts, and prints none of them but the status.
func TestNewResponse_keepsItsParts(t *testing.T) {
	made := rpcfleet.NewResponse(429, http.Header{
		"X-Request-Id": {"r1"}, "Retry-After": {"3"}, "X-Ratelimit-Rpslimit": {"9"}, "X-Ratelimit-Rpsremaining": {"0"},
	}, []byte("body"))
	assert.Equal(t, []any{429, 1, "r1", "body", 3 * time.Second, 9}, []any{made.StatusCode, made.Attempts, made.RequestID,
		string(made.Body()), made.RateLimit.RetryAfter, made.RateLimit.PerSecond.Limit})
	assert.Equal(t, "3", made.Header().Get("Retry-After"))
	assert.Equal(t, "429 Too Many Requests, 4 bytes, 1 attempts", made.String())
}

// TestNewFollowedEntry_canBeContinuedFrom: Follow goes on after the entry, as after one of its own.
func TestNewFollowedEntry_canBeContinuedFrom(t *testing.T) {
	seen := admin.LogEntry{RequestID: "r1", Timestamp: scalar.NewTime(logStart)}
	checkpoint := rpcfleet.NewFollowedEntry("ep1", seen).Checkpoint()
	assert.NotEqual(t, checkpoint, rpcfleet.NewFollowedEntry("ep1", admin.LogEntry{RequestID: "r2"}).Checkpoint())
	read := readCheckpoint(t, checkpoint.String())
	at := logStart.UTC().Format(time.RFC3339)
	client, server := scripted(t, respondJSON(200, `{"data":[{"request_id":"r1","timestamp":"`+at+`"},
		{"request_id":"r2","timestamp":"`+at+`"}]}`))
	for followed, err := range client.Logs.Follow(t.Context(), []string{"ep1"}, rpcfleet.FollowOptions{Checkpoint: read}) {
		require.NoError(t, err)
		assert.Equal(t, "r2", followed.Entry.RequestID)
		break
	}
	assert.Contains(t, server.Requests()[0].Query, url.Values{"from": {at}}.Encode())
}

// TestWithQuickNode_sendsToTheLiveService in each area, unless a later option sets another address.
func TestWithQuickNode_sendsToTheLiveService(t *testing.T) {
	const live = "https://api.quicknode.com"
	for _, row := range []struct {
		then       rpcfleet.ClientOption
		at, alerts string
	}{
		{rpcfleet.WithoutRetries(), live, "/quickalerts/rest/v1"},
		{rpcfleet.WithBaseURL("https://api.example.com/a"), "https://api.example.com/a", "/quickalerts/rest/v1"},
		{rpcfleet.WithAlertsPath("/b"), live, "/b"},
	} {
		var sent []string
		base := tripper(func(req *http.Request) (*http.Response, error) {
			sent = append(sent, req.URL.String())
			return nil, errors.New("no service")
		})
		client := over(t, base, rpcfleet.WithQuickNode(), rpcfleet.WithoutRetries(), row.then)
		require.ErrorIs(t, errOf(client.Account.Info(t.Context())), rpcfleet.ErrConnection)
		require.ErrorIs(t, errOf(client.Destinations.Get(t.Context(), "d")), rpcfleet.ErrConnection)
		require.ErrorIs(t, errOf(client.Graph.Collection(t.Context(), graph.ChainEthereum, "0x1")), rpcfleet.ErrConnection)
		assert.Equal(t, []string{
			row.at + "/v0/account/info", row.at + row.alerts + "/destinations/d", row.at + "/graphql",
		}, sent)
	}
}
