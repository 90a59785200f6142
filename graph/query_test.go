package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/Khan/genqlient/graphql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
)

// canned is a client that keeps the request and hands out data.
type canned struct {
	asked graphql.Request
	data  string
	err   error
}

func (c *canned) MakeRequest(_ context.Context, request *graphql.Request, response *graphql.Response) error {
	c.asked = *request
	if err := json.Unmarshal([]byte(c.data), response.Data); err != nil {
		return err
	}
	return c.err
}

func TestQuery_returnsDataBesideError(t *testing.T) {
	type response struct{ Name string }
	partial := errors.New("partial")
	client := &canned{data: `{"name":"a"}`, err: partial}
	got, err := graph.Query[response](t.Context(), client, "{ name }", map[string]any{"a": 1})
	assert.Equal(t, response{"a"}, got, "data that came beside the error")
	assert.Same(t, partial, err)
	assert.Equal(t, graphql.Request{Query: "{ name }", Variables: map[string]any{"a": 1}}, client.asked)
	_, err = graph.Query[response](t.Context(), nil, "{ name }", nil)
	require.EqualError(t, err, "graph: the client must not be nil")
}
