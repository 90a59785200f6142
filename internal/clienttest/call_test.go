package clienttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"

	genqlient "github.com/Khan/genqlient/graphql"
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
	return errOf(client.Endpoints.Create(ctx, onEthereum, opts...))
}

// TestDeletes_succeedIfRepeated: a delete that finds nothing has succeeded if a response to it was lost before.
func TestDeletes_succeedIfRepeated(t *testing.T) {
	archive := func(c *rpcfleet.Client) error { return c.Endpoints.Archive(t.Context(), "ep1") }
	remove := func(c *rpcfleet.Client) error { return c.Security.DeleteToken(t.Context(), "ep1", "7") }
	untag := func(c *rpcfleet.Client) error {
		outcome, err := c.Endpoints.BulkRemoveTag(t.Context(), []string{"ep1"}, 7)
		assert.Equal(t, []string{"ep1"}, outcome.Unconfirmed)
		return err
	}
	down, gone := respondJSON(502, ``), respondJSON(404, `{"data":null,"error":"endpoint not found"}`)
	limited, bare := respondJSON(429, ``), ok(`{"data":false}`)
	no, refusal := ok(`{"data":false,"error":null}`), ok(`{"data":false,"error":"in use"}`)
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
		client, server := scripted(t, test.lines...)
		require.ErrorIs(t, test.call(client), test.want, name)
		assert.Len(t, server.Requests(), len(test.lines), name)
	}
}

func TestWithResponse_capturesTheLastResponse(t *testing.T) {
	client, server := scripted(t, withHeaders(respondJSON(502, ``), "X-Request-Id", "first"),
		withHeaders(ok(record), "X-Request-Id", "second"))
	var response rpcfleet.Response
	require.NoError(t, errOf(get(client, rpcfleet.WithResponse(&response))))
	assert.Equal(t, []any{200, 2, record, "second", "second"}, []any{response.StatusCode, response.Attempts,
		string(response.Body()), response.RequestID, response.Header().Get("X-Request-Id")})
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

	server.Play(withHeaders(respondJSON(503, ``), "X-Request-Id", "first"),
		withHeaders(truncate, "X-Request-Id", "second"))
	require.ErrorContains(t, errOf(get(client, rpcfleet.WithResponse(&response))), "request id second)")
	assert.Equal(t, "first", response.RequestID, "that is the last response that came to its end")

	server.Play(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", r.Header.Get("X-Request-Id"))
		w.WriteHeader(http.StatusBadRequest)
	})
	_, err := get(client, rpcfleet.WithHeader("X-Request-Id", "job-4711"))
	assert.Equal(t, "job-4711", errorAs[*rpcfleet.Error](t, err).RequestID, "the caller's own header is not hidden")
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

// keeper keeps the text that it is decoded from.
type keeper struct{ text []byte }

func (k *keeper) UnmarshalJSON(text []byte) error {
	k.text = text
	return nil
}

// TestDo_copiesBodyForUnmarshalers although the body's memory is used again. In these tests it is overwritten then, so
// that every test shows if a record shares it.
func TestDo_copiesBodyForUnmarshalers(t *testing.T) {
	client, _ := scripted(t, ok(`{"data":"aaaaaaaa"}`))
	for _, call := range []func() (keeper, error){
		func() (keeper, error) { return rpcfleet.Do[keeper](t.Context(), client, made) },
		func() (keeper, error) { return graph.Query[keeper](t.Context(), client.Graph, "{ a }", nil) },
	} {
		assert.Equal(t, `"aaaaaaaa"`, string(must(call())(t).text))
	}
}

// TestCall_allocatesLittle counts the allocations of calls with nothing to decode, without a network: the work of
// net/http's transport is not counted. By hand, with net/http alone, the same calls allocate 20 and 26 times.
func TestCall_allocatesLittle(t *testing.T) {
	race.Skip(t) // The race detector empties pools.
	response, header := http.Response{}, http.Header{"Content-Type": {"application/json"}}
	client := over(t, tripper(func(*http.Request) (*http.Response, error) { // It allocates nothing itself.
		response = http.Response{StatusCode: http.StatusOK, Header: header, Body: http.NoBody}
		return &response, nil
	}))
	for most, call := range map[float64]func() error{
		22: func() error { return client.Endpoints.Archive(t.Context(), "ep-0001") },
		28: func() error { return client.Endpoints.Pause(t.Context(), "ep-0001") },
	} {
		var err error
		assert.LessOrEqual(t, testing.AllocsPerRun(200, func() { err = errors.Join(err, call()) }), most)
		require.NoError(t, err)
	}
}

const notCreated = "client must be created with New"

// TestServices_notCreatedByNew calls every method of every service, of a zero Client and of a zero service.
func TestServices_notCreatedByNew(t *testing.T) {
	for field, none := range reflect.ValueOf(rpcfleet.Client{}).Fields() {
		if !field.IsExported() {
			continue
		}
		for _, service := range []reflect.Value{none, reflect.New(field.Type.Elem())} {
			for method, call := range service.Methods() {
				require.ErrorContains(t, callWithAnything(t, call, "a"), notCreated, "%s.%s", field.Name, method.Name)
			}
		}
	}
}

// callWithAnything calls a method with a context, a word for every text, and lists of one item. It returns the error.
func callWithAnything(t *testing.T, method reflect.Value, word string, opts ...rpcfleet.CallOption) error {
	var args []reflect.Value
	in := method.Type()
	for i := range in.NumIn() {
		arg := reflect.New(in.In(i)).Elem()
		switch {
		case in.IsVariadic() && i == in.NumIn()-1:
			for _, opt := range opts {
				args = append(args, reflect.ValueOf(opt))
			}
			continue
		case arg.Type() == reflect.TypeFor[context.Context]():
			arg.Set(reflect.ValueOf(t.Context()))
		case arg.Kind() == reflect.String:
			arg.SetString(word)
		case arg.Kind() == reflect.Slice:
			arg.Set(reflect.MakeSlice(arg.Type(), 1, 1))
		}
		args = append(args, arg)
	}
	results := method.Call(args)
	return errorIn(t, results[len(results)-1])
}

// errorIn returns the error of a result: of the first step of an iterator, and of the first use of any other result.
func errorIn(t *testing.T, result reflect.Value) (err error) {
	if result.Kind() == reflect.Func {
		for _, failure := range result.Seq2() {
			require.NoError(t, err, "one error ends an iteration")
			err, _ = failure.Interface().(error)
		}
		return err
	}
	switch result := result.Interface().(type) {
	case error, nil:
		err, _ = result.(error)
		return err
	case *http.Client:
		response, err := result.Get("https://example.com")
		if err == nil {
			_ = response.Body.Close()
		}
		return err
	case *rpcfleet.ToolingTokenSource:
		_, err = result.Token(t.Context())
		return err
	case genqlient.Client:
		return result.MakeRequest(t.Context(), nil, nil)
	}
	page := result.MethodByName("Page") // Of a Connection.
	require.True(t, page.IsValid(), "a result without an error: %s", result.Type())
	return errorIn(t, page.Call([]reflect.Value{reflect.ValueOf(t.Context())})[1])
}

// TestZeroValues_doNotPanic uses zero values of exported types.
func TestZeroValues_doNotPanic(t *testing.T) {
	ctx := t.Context()
	for _, client := range []*rpcfleet.Client{nil, {}} {
		client.CloseIdleConnections()
		_, err := rpcfleet.Do[string](ctx, client, rpcfleet.Request{Method: "GET", Path: "/v0/a"})
		require.ErrorContains(t, err, notCreated)
	}
	require.ErrorContains(t, errOf(graph.Query[string](ctx, rpcfleet.Client{}.Graph, "{a}", nil)), notCreated)
	require.ErrorContains(t, errOf(new(rpcfleet.ToolingTokenSource).Token(ctx)), notCreated)
	for _, connection := range []*rpcfleet.Connection[string]{nil, {}} {
		require.ErrorContains(t, errOf(connection.Page(ctx)), "connection must be")
		require.ErrorContains(t, run(connection.Pages(ctx)), "connection must be")
		require.ErrorContains(t, run(connection.After("a").All(ctx)), "connection must be")
	}
	assert.True(t, new(rpcfleet.Page[string]).Last())
	assert.Nil(t, rpcfleet.Response{}.Header())
	assert.Nil(t, rpcfleet.Response{}.Body())
	assert.NotEmpty(t, fmt.Sprint(rpcfleet.Response{}))
	for _, err := range []error{&rpcfleet.Error{}, &rpcfleet.DecodeError{}, &rpcfleet.ValidationError{},
		&rpcfleet.PageError{}, &rpcfleet.FollowError{}} {
		assert.NotEmpty(t, err.Error())
		assert.NotEmpty(t, rpcfleet.KindOf(err))
	}
	assert.Empty(t, rpcfleet.RateLimitsOf(nil))
	assert.Empty(t, rpcfleet.SecurityOptionsOf(nil))
}
