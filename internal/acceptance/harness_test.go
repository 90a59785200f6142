package acceptance

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	fleetdrift "github.com/rpcfleet/rpcfleet-go/contrib/drift"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

func init() {
	transport.Released = func(body []byte) { copy(body, bytes.Repeat([]byte("!"), len(body))) }
}

// fixture is an emulator behind the validator, with a client for it.
type fixture struct {
	*emulator.Emulator
	*rpcfleet.Client
	url string
}

// start makes a service for one test. Every exchange is checked against the OpenAPI files and counted.
func start(t *testing.T, options ...emulator.Option) *fixture {
	t.Helper()
	e := emulator.New(options...)
	server := httptest.NewServer(validated(t, e))
	t.Cleanup(server.Close)
	b := &fixture{Emulator: e, url: server.URL}
	b.Client = b.client(t)
	return b
}

// client makes another client for the service; options come after the defaults. The test fails if the client reports
// drift.
func (b *fixture) client(t *testing.T, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	hook, err := fleetdrift.New(func(_ context.Context, drift fleetdrift.Drift) { assert.Fail(t, "drift", "%+v", drift) })
	require.NoError(t, err)
	return b.plainClient(t, append([]rpcfleet.ClientOption{rpcfleet.WithCallHook(hook)}, options...)...)
}

// plainClient is client without a look at drift.
func (b *fixture) plainClient(t *testing.T, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	options = append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(b.url), rpcfleet.WithAPIKey(b.APIKey), rpcfleet.WithoutRetries(),
	}, options...)
	return must(rpcfleet.New(options...))(t)
}

// must returns the value of a call that must not fail, as in must(client.Account.Info(ctx))(t).
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}

// second is the error of a call, whatever its result.
func second[T any](_ T, err error) error { return err }

// validated wraps a handler so that each exchange is held against the contract.
func validated(t testing.TB, next http.Handler) http.Handler {
	return relay(next, func(r *http.Request, sent []byte, said *httptest.ResponseRecorder) []byte {
		check(t, r, sent, said)
		return said.Body.Bytes()
	})
}

// relay serves the responses of a handler, which a function may change.
func relay(next http.Handler, change func(*http.Request, []byte, *httptest.ResponseRecorder) []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		again, said := r.Clone(r.Context()), httptest.NewRecorder()
		again.Body = io.NopCloser(bytes.NewReader(sent))
		next.ServeHTTP(said, again)
		body := change(r, sent, said)
		maps.Copy(w.Header(), said.Header())
		w.Header().Del("Content-Length") // The body may have another one.
		w.WriteHeader(said.Code)
		_, _ = w.Write(body)
	})
}

// check validates one exchange. A request that breaks the contract is not a violation if the service refuses it.
func check(t testing.TB, r *http.Request, requestBody []byte, response *httptest.ResponseRecorder) {
	t.Helper()
	area, path := areaOf(r.URL.EscapedPath())
	if area == nil {
		return // Not an operation of an OpenAPI file: the graph area, the tooling endpoint.
	}
	inside := r.Clone(r.Context())
	inside.URL.RawPath, inside.URL.Path = "", path
	if strings.Contains(path, "%") {
		inside.URL.RawPath = path
	}
	inside.Body = io.NopCloser(bytes.NewReader(requestBody))
	if len(requestBody) > 0 && r.Header.Get("Content-Type") == "" {
		inside.Header.Set("Content-Type", "application/json") // All bodies are JSON, even if the header is missing.
	}
	route, parameters, err := area.router.FindRoute(inside)
	if err != nil {
		refused := []int{http.StatusNotFound, http.StatusMethodNotAllowed}
		assert.Contains(t, refused, response.Code, "%s %s is no operation", r.Method, path)
		return
	}
	inside.URL.RawQuery = repeated(inside.URL.Query(), route.Operation).Encode()
	name := r.Method + " " + route.Path
	input := &openapi3filter.RequestValidationInput{
		Request: inside, PathParams: parameters, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
			IncludeResponseStatus: true,
			MultiError:            true,
		},
	}
	requestErr := openapi3filter.ValidateRequest(r.Context(), input)
	if requestErr != nil {
		assert.GreaterOrEqual(t, response.Code, 400, "%s: accepted a request that breaks the contract: %v", name, requestErr)
	}
	err = openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input,
		Status:                 response.Code,
		Header:                 response.Header(),
		Body:                   io.NopCloser(bytes.NewReader(response.Body.Bytes())),
		Options:                input.Options,
	})
	assert.NoError(t, err, "%s: status %d, body %.300s", name, response.Code, response.Body.String())
	checkNullable(t, name, route.Operation, response.Code, response.Body.Bytes())
	if strings.HasPrefix(r.UserAgent(), "rpcfleet-go/") {
		touched.note(area, route.Operation, inside, requestBody, requestErr == nil, response.Code)
	}
}

// repeated spells an operation's arrays as OpenAPI's default has them. The contract states no style, and the others in
// use, which the validator does not know, put brackets behind the name or join the values with commas.
func repeated(query url.Values, op *openapi3.Operation) url.Values {
	for _, parameter := range op.Parameters {
		name := parameter.Value.Name
		values := slices.Concat(query[name], query[name+"[]"])
		if parameter.Value.In == "query" && parameter.Value.Schema.Value.Type.Is("array") && len(values) > 0 {
			query[name] = strings.Split(strings.Join(values, ","), ",")
			query.Del(name + "[]")
		}
	}
	return query
}
