package clienttest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

// TestExtras_reachEveryKindOfCall sends a header and a query parameter with calls of every kind.
func TestExtras_reachEveryKindOfCall(t *testing.T) {
	client, server := scripted(t)
	extra := opts{rpcfleet.WithHeader("x-tenant", "blue"), rpcfleet.WithQueryParam("expand", "a b&c"),
		rpcfleet.WithQueryParam("expand", "d"), rpcfleet.WithPrefetch(2)}
	ids, none := numbered("ep", 0, 101), admin.ListEndpointsParams{}
	first, second := ok(`{"data":[{"id":"1"}],"pagination":{"total":2}}`),
		ok(`{"data":[{"id":"1"},{"id":"2"}],"pagination":{"total":2}}`)
	for _, kind := range []struct {
		call  func() error
		lines []responder
	}{
		{func() error { return errOf(get(client, extra...)) }, []responder{respondJSON(503, ``), hangUp, ok(record)}},
		{func() error { return run(client.Endpoints.All(background, none, extra...)) }, []responder{first, second}},
		{func() error { return run(client.Logs.All(background, "ep1", anHour, extra...)) },
			[]responder{ok(`{"data":[{"request_id":"1"}],"next_at":"c"}`), ok(`{"data":[{"request_id":"2"}]}`)}},
		{func() error { return errOf(client.Endpoints.BulkSetStatus(background, ids, "active", extra...)) },
			[]responder{ok(`{"data":{"total":1}}`), ok(`{"data":{"total":1}}`)}},
		{func() error { return errOf(graph.Query[any](background, client.Graph.With(extra...), "{ a }", nil)) },
			[]responder{ok(`{"data":{"a":1}}`)}},
		{func() error { return errOf(rpcfleet.Do[int](background, client, made, extra...)) }, []responder{ok(`{"data":1}`)}},
	} {
		server.Play(kind.lines...)
		before := len(server.Requests())
		require.NoError(t, kind.call())
		assert.Len(t, server.Requests()[before:], len(kind.lines))
	}
	for _, request := range server.Requests() {
		assert.Equal(t, []string{"blue"}, request.Header.Values("X-Tenant"))
		assert.Contains(t, "&"+request.Query, "&expand=a+b%26c&expand=d")
	}
}

// run runs an iteration to its end.
func run[T any](items iter.Seq2[T, error]) error {
	for _, err := range items {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestWithHeader_callWinsOverClient(t *testing.T) {
	_, server := scripted(t, ok(record))
	client := server.client(t, rpcfleet.WithHeader("X-Tenant", "blue~ blue"), rpcfleet.WithHeader("X-Region", "north"))
	_, err := get(client, rpcfleet.WithHeader("X-TENANT", "green"),
		rpcfleet.WithHeader("Accept", "application/vnd.example+json"))
	require.NoError(t, err)
	require.NoError(t, errOf(get(client)))
	assert.Equal(t, []string{"green", "blue~ blue"}, server.Headers("X-Tenant"), "the call's own does not stay")
	assert.Equal(t, []string{"north", "north"}, server.Headers("X-Region"))
	assert.Equal(t, []string{"application/vnd.example+json", "application/json"}, server.Headers("Accept"))
}

func TestWithHeader_setsTheMediaTypeOfABody(t *testing.T) {
	_, server := scripted(t, ok(record))
	const patch, utf8 = "application/merge-patch+json; charset=utf-8", "application/json; charset=utf-8"
	client := server.client(t, rpcfleet.WithHeader("Content-Type", utf8))
	ofCall := rpcfleet.WithHeader("Content-Type", patch)
	update := admin.UpdateEndpointRequest{Label: new("a")}
	require.NoError(t, client.Endpoints.Update(t.Context(), "ep1", update, ofCall))
	require.NoError(t, errOf(get(client, ofCall)))
	require.NoError(t, errOf(get(client)))
	require.NoError(t, client.Endpoints.Update(t.Context(), "ep1", update))
	assert.Equal(t, []string{patch, utf8}, server.Headers("Content-Type"), "where there is a body")
}

func TestWithQueryParam_replacesParameters(t *testing.T) {
	client, server := scripted(t, lists(0, 1, 0))
	_, err := client.Endpoints.List(t.Context(),
		admin.ListEndpointsParams{Search: new("a"), Networks: []string{"x", "y"}, Limit: new(5)},
		rpcfleet.WithQueryParam("networks", "z"), rpcfleet.WithQueryParam("search", ""))
	require.NoError(t, err)
	assert.Equal(t, "limit=5&networks=z&search=", server.Requests()[0].Query)
	require.NoError(t, errOf(client.Chains.List(t.Context(), rpcfleet.WithQueryParam("a&b", "c"))))
	assert.Equal(t, "a%26b=c", server.Requests()[1].Query)
}

// TestWithHeader_refusesReservedNames of headers and parameters. Nothing is sent, and no value is shown.
func TestWithHeader_refusesReservedNames(t *testing.T) {
	const value = "made-up-value-0001"
	client, server := scripted(t, ok(record))
	const reserved = "is reserved: it frames or reroutes the message, shows an address, or is set by WithAPIKey, " +
		"WithBearerToken or WithUserAgent"
	for _, name := range strings.Fields(`Authorization x-api-key X-API-Key Cookie Cookie2 Set-Cookie x_api_key X-Api_Key
		X.API.Key Set_Cookie Host Content-Length Content-Encoding Content-Range Transfer-Encoding Connection Keep-Alive TE
		Trailer Upgrade Expect Range If-Range Accept-Encoding HTTP2-Settings content_length Transfer_Encoding
		Proxy-Authorization Proxy-Connection proxy_authorization X-HTTP-Method-Override X-HTTP-Method X-Method-Override
		X_HTTP_Method_Override X-Original-URL X-Original-URI X-Rewrite-URL X-Rewrite-URI x_original_url User-Agent
		user_agent Referer`) {
		rule, option := "header "+http.CanonicalHeaderKey(name)+" "+reserved, rpcfleet.WithHeader(name, value)
		requireRejected(t, errOf(get(client, option)), value, rule)
		requireRejected(t, errOf(rpcfleet.New(option)), value, rule)
	}
	for rule, headers := range map[string][][2]string{
		"header must have a valid name": {{"", ""}, {"a b", ""}, {"a:b", ""}, {"a\r\nb", ""}, {":path", ""}, {"ä", ""}},
		"header X-Tenant must have a value of printable ASCII": {{"X-Tenant", "\r\nX-Other: 1"}, {"X-Tenant", "\n"},
			{"X-Tenant", "\x00"}, {"X-Tenant", "\x1f"}, {"X-Tenant", "\x7f"}, {"X-Tenant", "é"}},
		"header X-Tenant must have a value without spaces around it": {{"X-Tenant", " "}},
	} {
		for _, header := range headers {
			requireRejected(t, errOf(get(client, rpcfleet.WithHeader(header[0], value+header[1]))), value, rule)
		}
	}
	requireRejected(t, errOf(get(client, rpcfleet.WithHeader("X-Tenant", " "+value))), value, "without spaces around it")
	nameless := rpcfleet.WithQueryParam("", value)
	requireRejected(t, errOf(get(client, nameless, rpcfleet.WithoutValidation())), value, "query parameter is required")
	const divides = "query parameter must not be a paging parameter of the listing, not %q"
	for _, name := range []string{"limit", "offset", "next_at"} {
		rule, option := fmt.Sprintf(divides, name), rpcfleet.WithQueryParam(name, value)
		if name != "next_at" {
			list := client.Notifications.All(t.Context(), alerts.ListNotificationsParams{}, option)
			requireRejected(t, run(list), value, rule)
		}
		if name != "offset" {
			requireRejected(t, run(client.Logs.All(t.Context(), "ep1", anHour, option)), value, rule)
		}
	}
	assert.Empty(t, server.Requests())
}

// requireRejected checks that an error is about an argument, names the rule, and does not show a value.
func requireRejected(t *testing.T, err error, value, rule string) {
	t.Helper()
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	assert.ErrorContains(t, err, rule)
	assert.Empty(t, shows(err, value))
}

// TestCall_hidesHeadersAndCookies has a service that repeats headers and cookies, which it has set in part.
func TestCall_hidesHeadersAndCookies(t *testing.T) {
	const value, given, taken = "made-up-value-0001", "summer-of-love", "winter-of-love"
	server := script{scriptnet.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		said := fmt.Sprintf("%s of %s in %s with %s", r.Header.Get("X-Tenant"), r.Header.Get("X-Kind"),
			r.Header.Get("X-Zone"), r.Header.Get("Cookie"))
		withHeaders(respondJSON(503, `{"error":"`+said+`"}`), "X-Request-Id", said, "Set-Cookie", "b="+taken)(w, r)
	})}
	jar := must(cookiejar.New(nil))(t)
	jar.SetCookies(mustParse(t, server.URL), []*http.Cookie{{Name: "a", Value: given}, {Name: "c", Value: "kind"}})
	var log bytes.Buffer
	var seen []any
	client := server.client(t, rpcfleet.WithHTTPClient(&http.Client{Jar: jar}), rpcfleet.WithHeader("X-Zone", "zone5"),
		rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 2}), logInto(&log),
		onResult(func(_ rpcfleet.Operation, result rpcfleet.CallResult) { seen = append(seen, result) }),
		onAttempt(func(result rpcfleet.AttemptResult) { seen = append(seen, result) }))
	var response rpcfleet.Response
	_, err := get(client, rpcfleet.WithHeader("X-Tenant", value), rpcfleet.WithHeader("X-Kind", "kind"),
		rpcfleet.WithResponse(&response))
	hides(t, append(seen, err, &response, log.String()), value, "zone5", given, taken)
	const shown = "[redacted] of kind in [redacted] with "
	assert.Contains(t, errorAs[*rpcfleet.Error](t, err).Message, shown)
	assert.Equal(t, 3, strings.Count(log.String(), shown), "the short value stays")
	assert.Contains(t, response.RequestID, shown)
	assert.Len(t, seen, 3)
}

// silent never responds.
var silent http.HandlerFunc = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// TestOptions_callWinsOverClient has options that both take: a call's own wins.
func TestOptions_callWinsOverClient(t *testing.T) {
	patience := rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 3, MaxRetryAfter: 2 * time.Minute})
	five, seven := rpcfleet.WithAttemptTimeout(5*time.Second), rpcfleet.WithAttemptTimeout(7*time.Second)
	retries := rpcfleet.WithRetryPolicy(rpcfleet.DefaultRetryPolicy())
	for name, test := range map[string]struct {
		line     responder
		client   with
		call     opts
		attempts int
		want     time.Duration
	}{
		"timeout, by default":     {silent, nil, nil, 1, 30 * time.Second},
		"timeout, of the client":  {silent, with{five}, nil, 1, 5 * time.Second},
		"timeout, of the call":    {silent, with{five}, opts{seven}, 1, 7 * time.Second},
		"timeout, none":           {silent, nil, opts{rpcfleet.WithAttemptTimeout(0)}, 1, time.Hour},
		"retries, by default":     {later(503, "60"), with{retries}, nil, 4, 3 * time.Minute},
		"retries, of the client":  {later(503, "120"), with{patience}, nil, 3, 4 * time.Minute},
		"retries, of the call":    {later(503, "120"), with{retries}, opts{patience}, 3, 4 * time.Minute},
		"retries, of a call only": {later(503, "1"), nil, opts{patience}, 3, 2 * time.Second},
	} {
		bubble(t, name, func(t *testing.T) {
			ctx, start := timeout(t, time.Hour), time.Now()
			_, err := piped(t, test.line, test.client...).Endpoints.Get(ctx, "ep1", test.call...)
			assert.Equal(t, test.attempts, errorAs[*rpcfleet.Error](t, err).Attempts)
			assert.Equal(t, test.want, time.Since(start))
		})
	}
	for most, options := range map[int64]struct {
		client with
		call   opts
	}{
		64 << 20: {}, 7: {with{rpcfleet.WithMaxBodySize(7)}, nil}, 8: {nil, opts{rpcfleet.WithMaxBodySize(8)}},
	} {
		for length, want := range map[int64]string{
			most: rpcfleet.ReasonEmpty, most + 1: rpcfleet.ReasonTooLarge,
		} {
			base := tripper(func(r *http.Request) (*http.Response, error) { // It announces a length, and has no body.
				return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, ContentLength: length,
					Body: http.NoBody, Request: r}, nil
			})
			err := errOf(get(over(t, base, options.client...), options.call...))
			assert.Equal(t, want, errorAs[*rpcfleet.DecodeError](t, err).Reason)
		}
	}
	assert.Equal(t, rpcfleet.RetryPolicy{
		MaxAttempts: 4, BaseDelay: 500 * time.Millisecond, MaxDelay: 8 * time.Second, MaxRetryAfter: time.Minute, Budget: 500,
	}, rpcfleet.DefaultRetryPolicy())
}

func TestNewFromEnv_setsTimeout(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "http://localhost")
	t.Setenv("RPCFLEET_API_KEY", testKey)
	t.Setenv("RPCFLEET_TIMEOUT", "9s")
	synctest.Test(t, func(t *testing.T) {
		client, err := rpcfleet.NewFromEnv(rpcfleet.WithHTTPClient(pipenet.Serve(t, silent)), rpcfleet.WithoutRetries())
		require.NoError(t, err)
		start := time.Now()
		require.ErrorIs(t, errOf(get(client)), context.DeadlineExceeded)
		assert.Equal(t, 9*time.Second, time.Since(start))
	})
}
