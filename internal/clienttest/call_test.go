package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

const record = `{"data":{"id":"ep1","chain":"eth","network":"mainnet","http_url":"https://a.example.com/t0k3n/",` +
	`"is_multichain":false,"security":{},"status":"active"},"error":null}`

func get(c *rpcfleet.Client, opts ...rpcfleet.CallOption) (*admin.Endpoint, error) {
	return c.Endpoints.Get(context.Background(), "ep1", opts...)
}

// createEndpoint is a call that is not idempotent.
func createEndpoint(ctx context.Context, client *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
	return errOf(client.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"}, opts...))
}

func TestAll_requiresContext(t *testing.T) {
	client, server := scripted(t, respondJSON(200, record))
	var none context.Context
	for _, err := range client.Endpoints.All(none, admin.ListEndpointsParams{}, rpcfleet.WithPrefetch(2)) {
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	}
	assert.Empty(t, server.Requests())
}

// TestDeletes_succeedIfRepeated: a delete that finds nothing has succeeded if a response to it was lost before. What
// else is retried is in the table of faults.
func TestDeletes_succeedIfRepeated(t *testing.T) {
	archive := func(c *rpcfleet.Client) error { return c.Endpoints.Archive(t.Context(), "ep1") }
	remove := func(c *rpcfleet.Client) error { return c.Security.DeleteToken(t.Context(), "ep1", "7") }
	untag := func(c *rpcfleet.Client) error {
		outcome, err := c.Endpoints.BulkRemoveTag(t.Context(), []string{"ep1"}, 7)
		assert.Equal(t, []string{"ep1"}, outcome.Unconfirmed)
		return err
	}
	down, gone := respondJSON(502, ``), respondJSON(404, `{"data":null,"error":"endpoint not found"}`)
	limited, bare := respondJSON(429, ``), respondJSON(200, `{"data":false}`)
	no, refusal := respondJSON(200, `{"data":false,"error":null}`), respondJSON(200, `{"data":false,"error":"in use"}`)
	for name, test := range map[string]struct {
		call  func(*rpcfleet.Client) error
		lines []responder
		want  error
	}{
		"archive, lost and gone":            {archive, []responder{hangUp, gone}, nil},
		"archive, 502 and gone":             {archive, []responder{down, gone}, nil},
		"archive, 429 and gone":             {archive, []responder{limited, gone}, rpcfleet.ErrNotFound},
		"archive, gone":                     {archive, []responder{gone}, rpcfleet.ErrNotFound},
		"remove, lost and false":            {remove, []responder{hangUp, no}, nil},
		"remove, 502 and false":             {remove, []responder{down, bare}, nil},
		"remove, lost and refused":          {remove, []responder{hangUp, refusal}, rpcfleet.ErrRejected},
		"remove, 429 and false":             {remove, []responder{limited, no}, rpcfleet.ErrRejected},
		"remove, false":                     {remove, []responder{no}, rpcfleet.ErrRejected},
		"a removal with a record, and gone": {untag, []responder{hangUp, gone}, rpcfleet.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, test.lines...)
			require.ErrorIs(t, test.call(client), test.want)
			assert.Len(t, server.Requests(), len(test.lines))
		})
	}
}

func TestWithResponse_capturesTheLastResponse(t *testing.T) {
	client, server := scripted(t, respondJSON(502, ``), respondJSON(200, record))
	var response rpcfleet.Response
	require.NoError(t, errOf(get(client, rpcfleet.WithResponse(&response))))
	assert.Equal(t, []any{200, 2, record}, []any{response.StatusCode, response.Attempts, string(response.Body())})
	assert.Positive(t, response.Duration)
	encoded := string(must(json.Marshal(response))(t))
	assert.Contains(t, encoded, `"StatusCode":200,"Attempts":2,`)
	assert.NotContains(t, encoded, "ep1", "nothing of the body")

	require.Error(t, errOf(client.Endpoints.Get(t.Context(), "", rpcfleet.WithResponse(&response))))
	assert.Zero(t, response, "nothing is left of the call before")

	server.Play(respondJSON(404, `{"error":"gone"}`))
	require.Error(t, errOf(get(client, rpcfleet.WithResponse(&response))))
	assert.Equal(t, []any{404, `{"error":"gone"}`}, []any{response.StatusCode, string(response.Body())})
	assert.Equal(t, "not [redacted]", response.Redact("not "+testKey))
}

// withHeaders adds headers to a response.
func withHeaders(line responder, headers ...string) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		line(w, r)
	}
}

func TestResponse_hasRequestIDOfLastAttempt(t *testing.T) {
	for name, line := range map[string]responder{
		"a failure":            respondJSON(400, `{"error":"no"}`),
		"a refusal":            respondJSON(200, `{"error":"no"}`),
		"an unreadable body":   respondJSON(200, `{"data":1}`),
		"a truncated response": truncate,
		"a success":            respondJSON(200, record),
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, withHeaders(respondJSON(503, ``), "X-Request-Id", "first"),
				withHeaders(line, "X-Request-Id", "second"))
			var log bytes.Buffer
			var result rpcfleet.CallResult
			client := server.client(t, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 2}),
				rpcfleet.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
				onResult(func(_ rpcfleet.Operation, r rpcfleet.CallResult) { result = r }))
			var response rpcfleet.Response
			_, err := get(client, rpcfleet.WithResponse(&response))
			assert.Regexp(t, `^.* request_id=first.*\n.* request_id=second`, log.String())
			last := "second"
			if name == "a truncated response" {
				last = "first" // That is the last response that came to its end.
			}
			assert.Equal(t, []string{last, last}, []string{result.Response.RequestID, response.RequestID})
			if name == "a success" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, "request id second)")
		})
	}
	client, _ := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("X-Request-Id"))
		w.WriteHeader(http.StatusBadRequest)
	})
	_, err := get(client, rpcfleet.WithHeader("X-Request-Id", "job-4711"))
	assert.Equal(t, "job-4711", errorAs[*rpcfleet.Error](t, err).RequestID, "the caller's own header is not hidden")
}

// canned is an http.RoundTripper that allocates nothing itself: it returns the same response again and again.
type canned struct {
	body     []byte
	reader   bytes.Reader
	response http.Response
	header   http.Header
}

func (c *canned) RoundTrip(*http.Request) (*http.Response, error) {
	c.reader.Reset(c.body)
	c.response = http.Response{StatusCode: http.StatusOK, Header: c.header, Body: c, ContentLength: int64(len(c.body))}
	return &c.response, nil
}

func (c *canned) Read(p []byte) (int, error) { return c.reader.Read(p) }

func (c *canned) Close() error { return nil }

// cannedClient returns a client that gets the body that body points to, for any request.
func cannedClient(t *testing.T) (*rpcfleet.Client, *canned) {
	t.Helper()
	base := &canned{header: http.Header{"Content-Type": {"application/json"}}}
	return over(t, base), base
}

// pageOfEndpoints is the body of a page. Its texts are all made of one letter.
func pageOfEndpoints(letter string, items int) []byte {
	text := strings.Repeat(letter, 400)
	item := fmt.Sprintf(
		`{"id":%q,"label":%q,"chain":%q,"network":%q,"http_url":"https://%s.example/%[1]s/","status":%[1]q,"tags":[{"id":1,"label":%[1]q}]}`,
		text, text, text, text, letter)
	return []byte(`{"data":[` + strings.Repeat(item+",", items-1) + item + `],"pagination":{"total":` + fmt.Sprint(items) +
		`}}`)
}

// TestRecords_shareNothingWithTheBody reads bodies of the same length one after another, into the same memory.
func TestRecords_shareNothingWithTheBody(t *testing.T) {
	client, base := cannedClient(t)
	for range 5 {
		base.body = pageOfEndpoints("a", 3)
		page := must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t)
		require.Len(t, page.Items, 3)
		base.body = []byte(
			`{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","address":"aaaa","name":"aaaa"}}}}`)
		collection := must(client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1"))(t)
		base.body = []byte(`{"error":"aaaa aaaa"}`)
		_, refused := client.Endpoints.Get(t.Context(), "ep1")
		failure := errorAs[*rpcfleet.Error](t, refused)
		show := func() string {
			return string(must(json.Marshal([]any{page, collection, failure.Message}))(t))
		}
		before := show()

		base.body = pageOfEndpoints("b", 3)
		other := must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t)
		require.NotEqual(t, page.Items[0].ID, other.Items[0].ID)
		assert.Equal(t, before, show())
		assert.NotContains(t, before, "bbbb")
	}
}

// keeper keeps the text that it is decoded from.
type keeper struct{ text []byte }

func (k *keeper) UnmarshalJSON(text []byte) error {
	k.text = text
	return nil
}

// TestDo_copiesBodyForUnmarshalers reads bodies of one length one after another.
func TestDo_copiesBodyForUnmarshalers(t *testing.T) {
	client, base := cannedClient(t)
	for _, call := range []func() (keeper, error){
		func() (keeper, error) { return rpcfleet.Do[keeper](t.Context(), client, made) },
		func() (keeper, error) { return graph.Query[keeper](t.Context(), client.Graph, "{ a }", nil) },
	} {
		base.body = []byte(`{"data":"aaaaaaaa"}`)
		kept := must(call())(t)
		base.body = []byte(`{"data":"bbbbbbbb"}`)
		for range 5 {
			require.NoError(t, errOf(call()))
		}
		assert.Equal(t, `"aaaaaaaa"`, string(kept.text))
	}
}

// TestCall_allocatesLittle counts the allocations of calls with nothing to decode, without a network: the work of
// net/http's transport is not counted. By hand, with net/http alone, the same calls allocate 20 and 26 times.
func TestCall_allocatesLittle(t *testing.T) {
	race.Skip(t) // The race detector empties pools.
	client, _ := cannedClient(t)
	for most, call := range map[float64]func() error{
		22: func() error { return client.Endpoints.Archive(t.Context(), "ep-0001") },
		28: func() error { return client.Endpoints.Pause(t.Context(), "ep-0001") },
	} {
		var err error
		assert.LessOrEqual(t, testing.AllocsPerRun(200, func() { err = errors.Join(err, call()) }), most)
		require.NoError(t, err)
	}
}
