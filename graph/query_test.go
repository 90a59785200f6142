package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// canned is a client that keeps the request and hands out data.
type canned struct {
	asked graph.Request
	data  string
	err   error
}

func (c *canned) MakeRequest(_ context.Context, request *graph.Request, response *graph.Response) error {
	c.asked = *request
	if err := json.Unmarshal([]byte(c.data), response.Data); err != nil {
		return err
	}
	return c.err
}

func TestQueryHandsDataAndErrorOn(t *testing.T) {
	type answer struct{ Name string }
	partial := errors.New("partial")
	client := &canned{data: `{"name":"a"}`, err: partial}
	got, err := graph.Query[answer](t.Context(), client, "{ name }", map[string]any{"a": 1})
	assert.Equal(t, answer{"a"}, got, "data that came beside the error")
	assert.Same(t, partial, err)
	assert.Equal(t, graph.Request{Query: "{ name }", Variables: map[string]any{"a": 1}}, client.asked)
	_, err = graph.Query[answer](t.Context(), nil, "{ name }", nil)
	require.EqualError(t, err, "graph: the client must not be nil")
}

// TestInputsLeaveOutWhatIsNotSet makes sure that a filter does not ask for null, or lose an empty text. The zero time
// is no time.
func TestInputsLeaveOutWhatIsNotSet(t *testing.T) {
	client := &canned{data: `{}`}
	filter := &graph.TokenEventsFilterInput{
		FromAddress: &graph.StringInput{Eq: new("")},
		BlockNumber: &graph.IntegerInput{Gt: new(0), In: []int{}},
		Timestamp:   &graph.DateTimeInput{Lt: new(scalar.Time{})},
	}
	_, err := graph.ListEvents(t.Context(), client, new(0), nil, filter)
	require.NoError(t, err)
	sent, err := json.Marshal(client.asked.Variables)
	require.NoError(t, err)
	assert.JSONEq(t, `{"first":0,"filter":{"fromAddress":{"eq":""},"blockNumber":{"gt":0,"in":[]},"timestamp":{}}}`, string(sent))
}
