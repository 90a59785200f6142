package wire

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// TestPathsBehindAreas puts paths behind areas of several spellings.
func TestPathsBehindAreas(t *testing.T) {
	for name, c := range map[string]struct {
		area   string
		values []string
		want   string
		raw    string // What net/url would not spell by itself.
	}{
		"plain":                            {"https://h", []string{"ep1", "t1", "x"}, "/v0/a/ep1/b/t1/c/x", ""},
		"a path":                           {"https://h/base", []string{"ep1", "t1", "x"}, "/base/v0/a/ep1/b/t1/c/x", ""},
		"an escaped area":                  {"https://h/a%2Fb", []string{"ep1", "t1", "x"}, "/a%2Fb/v0/a/ep1/b/t1/c/x", "/a%2Fb/v0/a/ep1/b/t1/c/x"},
		"an escaped value":                 {"https://h/base", []string{"a/b", "ü", "100%"}, "/base/v0/a/a%2Fb/b/%C3%BC/c/100%25", "/base/v0/a/a%2Fb/b/%C3%BC/c/100%25"},
		"the first value":                  {"https://h", []string{"a/b", "t1", "x"}, "/v0/a/a%2Fb/b/t1/c/x", "/v0/a/a%2Fb/b/t1/c/x"},
		"the last value":                   {"https://h", []string{"ep1", "t1", "a/b"}, "/v0/a/ep1/b/t1/c/a%2Fb", "/v0/a/ep1/b/t1/c/a%2Fb"},
		"an area with marks":               {"https://h/a!b(c)", []string{"ep1", "t1", "x"}, "/a!b(c)/v0/a/ep1/b/t1/c/x", "/a!b(c)/v0/a/ep1/b/t1/c/x"},
		"values that look like parameters": {"https://h", []string{"{b}", "}{", "{"}, "/v0/a/%7Bb%7D/b/%7D%7B/c/%7B", "/v0/a/%7Bb%7D/b/%7D%7B/c/%7B"},
	} {
		t.Run(name, func(t *testing.T) {
			area, err := url.Parse(c.area)
			require.NoError(t, err)
			before := *area
			request := Request{Operation: &operation.Operation{Path: "/v0/a/{id}/b/{tag_id}/c/{name}"}, PathParameters: PathOf(c.values)}
			assert.Equal(t, c.values, request.PathParameters.Values())
			made, err := request.Address(area, ListRepeated)
			require.NoError(t, err)
			assert.Equal(t, c.want, made.EscapedPath())
			assert.Equal(t, c.raw, made.RawPath)
			assert.Equal(t, before, *area, "the area's address is as it was")
			read, err := url.Parse(made.String())
			require.NoError(t, err)
			assert.Equal(t, made.Path, read.Path)
			if c.area == "https://h" {
				assert.Equal(t, c.want, request.EscapedPath())
			}
		})
	}
}

func TestPathParameters(t *testing.T) {
	for _, values := range [][]string{{}, {"a"}, {"a", "b"}, {"a", "b", "c"}, {"a", "b", "c", "d"}} {
		p := PathOf(values)
		assert.Equal(t, values, p.Values())
	}
	request := Request{Operation: &operation.Operation{Path: "/v0/a/{id}/b/{tag_id}"}}
	assert.Equal(t, "id", request.PathParameterName(0))
	assert.Equal(t, "tag_id", request.PathParameterName(1))
	removed := RemoveEndpointTag("ep1", 1234567890123)
	assert.Equal(t, "/v0/endpoints/ep1/tags/1234567890123", removed.EscapedPath())
}

// unspelled has no form in a query.
type unspelled struct{ Inner func() }

func TestQueriesOfValues(t *testing.T) {
	var q Query
	required(&q, "a b", "c&d")
	required(&q, "number", 123)
	required(&q, "long", int64(-1234567890123))
	required(&q, "yes", true)
	required(&q, "share", 0.5)
	optional[int](&q, "none", nil)
	optional(&q, "empty", new(""))
	list[string](&q, "no", nil)
	list(&q, "c d", []string{"1", "2"})
	for style, want := range map[ListStyle]string{
		ListRepeated: "a+b=c%26d&number=123&long=-1234567890123&yes=true&share=0.5&empty=&c+d=1&c+d=2",
		ListBrackets: "a+b=c%26d&number=123&long=-1234567890123&yes=true&share=0.5&empty=&c+d%5B%5D=1&c+d%5B%5D=2",
		ListCommas:   "a+b=c%26d&number=123&long=-1234567890123&yes=true&share=0.5&empty=&c+d=1,2",
	} {
		text, err := q.encode(style)
		require.NoError(t, err)
		assert.Equal(t, want, text)
	}
	made := map[string][]string{"b": {"2", "3"}, "a": {"1"}, "c": {}}
	q = NewQuery(made)
	made["b"][0] = "changed"
	for _, style := range []ListStyle{ListBrackets, ListCommas} {
		text, err := q.encode(style)
		require.NoError(t, err)
		assert.Equal(t, "a=1&b=2&b=3", text)
	}
}

func TestWhatHasNoFormOnTheWire(t *testing.T) {
	request := Request{Operation: &operation.Operation{Path: "/v0/a"}}
	required(&request.Query, "first", make(chan int))
	required(&request.Query, "last", "x")
	made, err := request.Address(&url.URL{}, ListRepeated)
	require.Error(t, err)
	assert.Nil(t, made)

	request = Request{Operation: &operation.Operation{Path: "/v0/a"}, Body: unspelled{func() {}}}
	_, err = request.Content()
	require.Error(t, err)
	request.Body = nil
	content, err := request.Content()
	require.NoError(t, err)
	assert.Nil(t, content)
}

func TestTheRowOfAQuery(t *testing.T) {
	assert.Equal(t, operation.Operation{
		ID: "ListShips", Method: "POST", Path: "/graphql", Area: "graph", Tag: "Graph", Source: "contract",
		Idempotent: true, Paging: "cursor", Response: "data", Statuses: []int{200, 400},
	}, row("ListShips", "contract", "cursor"))
	assert.Contains(t, Areas, "admin")
	assert.Contains(t, Areas, "alerts")
}

func TestDocuments(t *testing.T) {
	q := graphQuery{operation: row("GetShip", "contract", "none"), before: "query { chain: ", between: " { wallet: ", after: " { id } } }"}
	assert.Equal(t, "query { chain: polygon { wallet: walletByAddress(address: $wallet) { id } } }", q.document("polygon", "0xb2"))
	assert.Equal(t, "query { chain: polygon { wallet: walletByENS(ensName: $wallet) { id } } }", q.document("polygon", "a.eth"))
	request := q.on(graph.Ethereum, "a.eth", map[string]string{"wallet": "a.eth"})
	assert.Same(t, &q.operation, request.Operation)
	assert.Equal(t, `{"query":"query { chain: ethereum { wallet: walletByENS(ensName: $wallet) { id } } }","variables":{"wallet":"a.eth"},"operationName":"GetShip"}`, sent(t, request))
	*request.Chain = "base { id } evil"
	_, err := request.Content()
	require.EqualError(t, err, "the chain must be a name in GraphQL")
	q.between = ""
	assert.Equal(t, "query { chain: polygon { id } } }", q.document("polygon", "a.eth"))
}

func TestPlacesOfAPage(t *testing.T) {
	list := ListOf(new(7))
	require.Len(t, list.Edges, 1)
	list.Edges = append(list.Edges, list.Edges[0], list.Edges[0])
	for i := range 3 {
		assert.Equal(t, i, list.Index(i))
	}
	list.Reverse()
	for i := range 3 {
		assert.Equal(t, 2-i, list.Index(i))
	}
}
