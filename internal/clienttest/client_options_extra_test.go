package clienttest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestExtrasReachEveryKindOfCall sends a header and a query parameter with calls of every kind: a record, the pages of
// listings of every sort, bulk operations, the graph area, the tooling endpoint, and Do.
func TestExtrasReachEveryKindOfCall(t *testing.T) {
	data := func(data string) responder { return says(200, `{"data":`+data+`,"error":null}`) }
	for name, test := range map[string]struct {
		lines []responder
		call  func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error
	}{
		"a record": {[]responder{says(200, record)}, func(_ context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
			return second(get(c, opts...))
		}},
		"an attempt after another": {[]responder{says(503, ``), hangsUp, says(200, record)}, func(_ context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
			return second(get(c, opts...))
		}},
		"pages by offset": {
			[]responder{says(200, `{"data":[{"id":"1"}],"pagination":{"total":2}}`), says(200, `{"data":[{"id":"2"}],"pagination":{"total":2}}`)},
			func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
				return run(c.Endpoints.All(ctx, admin.ListEndpointsParams{}, opts...))
			},
		},
		"pages in advance": {
			[]responder{says(200, `{"data":[{"id":"1"}],"pagination":{"total":2}}`), says(200, `{"data":[{"id":"2"}],"pagination":{"total":2}}`)},
			func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
				return run(c.Endpoints.All(ctx, admin.ListEndpointsParams{}, append(opts, rpcfleet.WithPrefetch(2))...))
			},
		},
		"pages without a total": {[]responder{says(200, `[{"id":"1"}]`), says(200, `[]`)}, func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
			return run(c.Destinations.All(ctx, alerts.ListDestinationsParams{}, opts...))
		}},
		"pages by cursor": {
			[]responder{says(200, `{"data":[{"request_id":"1"}],"next_at":"c"}`), says(200, `{"data":[{"request_id":"2"}]}`)},
			func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
				return run(c.Logs.All(ctx, "ep1", someTime, opts...))
			},
		},
		"bulk": {[]responder{data(`{"total":1}`)}, func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
			ids := make([]string, rpcfleet.BulkSize+1)
			for i := range ids {
				ids[i] = fmt.Sprint("ep", i)
			}
			return second(c.Endpoints.BulkSetStatus(ctx, ids, "active", opts...))
		}},
		"graph": {[]responder{says(200, `{"data":{"a":1}}`)}, func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
			return second(graph.Query[map[string]int](ctx, c.Graph.With(opts...), "{ a }", nil))
		}},
		"tooling": {[]responder{data(`{"token":"t","endpoint_url":"https://a.example.com/"}`)}, func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
			return second(c.Tooling.CreateToken(ctx, opts...))
		}},
		"Do": {[]responder{data(`1`)}, func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
			return second(rpcfleet.Do[int](ctx, c, made, opts...))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, test.lines...)
			require.NoError(t, test.call(t.Context(), client,
				rpcfleet.WithHeader("x-tenant", "blue"), rpcfleet.WithQueryParam("expand", "a b&c"), rpcfleet.WithQueryParam("expand", "d"),
			))
			sent := server.Requests()
			require.GreaterOrEqual(t, len(sent), len(test.lines))
			for _, request := range sent {
				assert.Equal(t, []string{"blue"}, request.Header.Values("X-Tenant"))
				assert.Contains(t, "&"+request.Query, "&expand=a+b%26c&expand=d")
			}
		})
	}
}

// someTime has some log in it.
var someTime = admin.ListLogsParams{From: scalar.NewTime(time.Unix(1, 0)), To: scalar.NewTime(time.Unix(2, 0))}

// run runs an iteration to its end.
func run[T any](items iter.Seq2[T, error]) error {
	for _, err := range items {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestHeaderOfTheClientAndOfTheCall(t *testing.T) {
	_, server := scripted(t, says(200, record))
	client := server.client(t, rpcfleet.WithHeader("X-Tenant", "blue~ blue"), rpcfleet.WithHeader("X-Region", "north"))
	_, err := get(client, rpcfleet.WithHeader("X-TENANT", "green"), rpcfleet.WithHeader("Accept", "application/vnd.example+json"))
	require.NoError(t, err)
	_, err = get(client)
	require.NoError(t, err)
	assert.Equal(t, []string{"green", "blue~ blue"}, server.Headers("X-Tenant"), "the call's own does not stay")
	assert.Equal(t, []string{"north", "north"}, server.Headers("X-Region"))
	assert.Equal(t, []string{"application/vnd.example+json", "application/json"}, server.Headers("Accept"))
}

func TestMediaTypeOfABody(t *testing.T) {
	client, server := scripted(t, says(200, record))
	patch := rpcfleet.WithHeader("Content-Type", "application/merge-patch+json; charset=utf-8")
	require.NoError(t, client.Endpoints.Update(t.Context(), "ep1", admin.UpdateEndpointRequest{Label: new("a")}, patch))
	_, err := get(client, patch)
	require.NoError(t, err)
	assert.Equal(t, []string{"application/merge-patch+json; charset=utf-8"}, server.Headers("Content-Type"), "where there is a body")

	client = server.client(t, rpcfleet.WithHeader("Content-Type", "application/json; charset=utf-8"))
	_, err = get(client)
	require.NoError(t, err)
	require.NoError(t, client.Endpoints.Update(t.Context(), "ep1", admin.UpdateEndpointRequest{Label: new("a")}))
	assert.Equal(t, "application/json; charset=utf-8", server.Headers("Content-Type")[1], "a call without one does not take it from others")
}

func TestQueryParamsTakeThePlaceOfOthers(t *testing.T) {
	client, server := scripted(t, lists(0, 1, 0))
	_, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{Search: new("a"), Networks: []string{"x", "y"}, Limit: new(5)},
		rpcfleet.WithQueryParam("networks", "z"), rpcfleet.WithQueryParam("search", ""))
	require.NoError(t, err)
	assert.Equal(t, "limit=5&networks=z&search=", server.Requests()[0].Query)
	_, err = client.Chains.List(t.Context(), rpcfleet.WithQueryParam("a&b", "c"))
	require.NoError(t, err)
	assert.Equal(t, "a%26b=c", server.Requests()[1].Query)
}

func TestBodyMembers(t *testing.T) {
	for body, opts := range map[string][]rpcfleet.CallOption{
		`{"label":null}`:            {rpcfleet.WithBodyMember("label", nil)},
		`{"label":"a","x":[1]}`:     {rpcfleet.WithBodyMember("x", []int{1})},
		`{"label":"a","x":2,"y":3}`: {rpcfleet.WithBodyMember("x", 1), rpcfleet.WithBodyMember("y", 3), rpcfleet.WithBodyMember("x", 2)},
		`{"label":"a","s":"shh!"}`:  {rpcfleet.WithBodyMember("s", scalar.NewSecret("shh!"))},
		`{"label":"a","é\"":{}}`:    {rpcfleet.WithBodyMember(`é"`, json.RawMessage(`{}`))},
	} {
		client, server := scripted(t, says(503, ``), says(200, `{}`))
		require.NoError(t, client.Endpoints.Update(t.Context(), "ep1", admin.UpdateEndpointRequest{Label: new("a")}, opts...))
		require.Len(t, server.Requests(), 2)
		for _, request := range server.Requests() {
			assert.JSONEq(t, body, request.Body)
			assert.Equal(t, fmt.Sprint(len(request.Body)), request.Header.Get("Content-Length"))
		}
	}
}
