package clienttest

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestErrors_text(t *testing.T) {
	for want, failure := range map[string]rpcfleet.Error{
		"no response (GET /a)":                                      {},
		"503 Service Unavailable: why (GET /a)":                     {StatusCode: 503, Message: "why", Attempts: 1},
		"199 (GET /a, 2 attempts)":                                  {StatusCode: 199, Attempts: 2},
		"599 (GET /a)":                                              {StatusCode: 599},
		"rejected with status 200 (GET /a, retry after 1ns)":        {StatusCode: 200, RetryAfter: 1},
		"rejected with status 299 (GET /a, retry budget exhausted)": {StatusCode: 299, RetryBudgetExhausted: true},
		"300 Multiple Choices (GET /a, request id r)":               {StatusCode: 300, RequestID: "r"},
		"401 Unauthorized (set the API key with WithAPIKey or RPCFLEET_API_KEY) (GET /a)": {
			StatusCode: 401},
	} {
		failure.Operation, failure.Method, failure.Path = "a", "GET", "/a"
		assert.EqualError(t, &failure, "rpcfleet: a: "+want)
	}
	unread := rpcfleet.DecodeError{Operation: "a", Method: "GET", Path: "/a", StatusCode: 200, Reason: "empty body"}
	const empty = "rpcfleet: a: cannot read the response: empty body"
	require.EqualError(t, &unread, empty+" (GET /a, status 200 OK)")
	unread.Attempts, unread.Detail, unread.RetryBudgetExhausted, unread.RequestID = 4, "where", true, "r"
	const more = ": where (GET /a, status 200 OK, 4 attempts, retry budget exhausted, request id r)"
	require.EqualError(t, &unread, empty+more)
	const following, ended = "rpcfleet: following the log", " ended, resume from 2026-03-01T10:00:00Z: context canceled"
	for endpoint, of := range map[string]string{
		"": "", "ep1": ` of endpoint "ep1"`, // A mistake is easily made.
		"https://a.example.com/t0k3n/": ` of endpoint "https://a.example.com/[redacted]"`,
	} {
		failure := &rpcfleet.FollowError{EndpointID: endpoint, From: logStart, Err: context.Canceled}
		require.EqualError(t, failure, following+of+ended)
		assert.Equal(t, failure.Error(), fmt.Sprint(failure))
	}
}

// TestErrors_haveOneKind checks that the error of a response matches the meaning of its status, and no other.
func TestErrors_haveOneKind(t *testing.T) {
	sentinels := []error{
		rpcfleet.ErrInvalidRequest, rpcfleet.ErrUnauthorized, rpcfleet.ErrForbidden, rpcfleet.ErrNotFound,
		rpcfleet.ErrConflict, rpcfleet.ErrRateLimited, rpcfleet.ErrServer, rpcfleet.ErrRejected, rpcfleet.ErrConnection,
		rpcfleet.ErrOutcomeUnknown, rpcfleet.ErrNoRecord, rpcfleet.ErrRepeatedPage, rpcfleet.ErrExpiredToken,
		rpcfleet.ErrIncompleteListing, rpcfleet.ErrFollowLimit, rpcfleet.ErrClock, errors.New("rpcfleet: not found"),
	}
	const page = "an HTML page instead of JSON"
	cut := func(status int) responder { return withHeaders(respondJSON(status, `{`), "Content-Length", "9") }
	for _, test := range []struct {
		kind     string
		line     responder
		sentinel error
		message  string
	}{
		{"ok", ok(record), nil, ""}, {"failed", respondJSON(418, ``), nil, ""}, {"unreadable", ok(`{"data":7}`), nil, ""},
		{"invalid_request", respondJSON(400, `{"data":null,"error":"bad label"}`), rpcfleet.ErrInvalidRequest, "bad label"},
		{"invalid_request", respondJSON(422, `{"errors":[{"message":"bad"}]}`), rpcfleet.ErrInvalidRequest, "bad"},
		{"unauthorized", respond("text/plain", 401, "Unauthorized"), rpcfleet.ErrUnauthorized, "Unauthorized"},
		{"forbidden", respond("text/html", 403, "<html>no</html>"), rpcfleet.ErrForbidden, page},
		{"forbidden", cut(403), rpcfleet.ErrForbidden, ""},
		{"not_found", respondJSON(404, `{"data":null,"error":"gone"}`), rpcfleet.ErrNotFound, "gone"},
		{"conflict", respondJSON(409, ``), rpcfleet.ErrConflict, ""},
		{"rate_limited", respondJSON(429, `{}`), rpcfleet.ErrRateLimited, ""},
		{"server_error", respondJSON(500, `{"data":null,"error":"boom"}`), rpcfleet.ErrServer, "boom"},
		{"server_error", respond("Text/HTML", 502, "<html><title>Bad gateway</title></html>"), rpcfleet.ErrServer, page},
		{"rejected", ok(`{"data":null,"error":"nope"}`), rpcfleet.ErrRejected, "nope"},
		{"connection_failed", hangUp, rpcfleet.ErrConnection, ""},
		{"connection_failed", cut(200), rpcfleet.ErrConnection, ""},
		{"canceled", ok(record), rpcfleet.ErrConnection, ""}, {"timed_out", ok(record), rpcfleet.ErrConnection, ""},
	} {
		ctx := t.Context()
		switch test.kind {
		case "canceled":
			ctx = canceled(t)
		case "timed_out":
			ctx = timeout(t, -time.Second)
		}
		var seen string
		client, _ := scriptedWith(t, with{rpcfleet.WithoutRetries(), onResult(
			func(_ rpcfleet.Operation, result rpcfleet.CallResult) { seen = rpcfleet.KindOf(result.Err) })}, test.line)
		_, err := client.Endpoints.Get(ctx, "ep1")
		assert.Equal(t, []string{test.kind, test.kind}, []string{seen, rpcfleet.KindOf(err)})
		retryable := slices.Contains([]string{"rate_limited", "server_error", "connection_failed", "timed_out"}, test.kind)
		assert.Equal(t, retryable, rpcfleet.IsRetryable(err), test.kind)
		for _, sentinel := range sentinels {
			assert.Equal(t, sentinel == test.sentinel, errors.Is(err, sentinel), "%v is %v", err, sentinel)
		}
		if failure := (*rpcfleet.Error)(nil); errors.As(err, &failure) && failure.StatusCode != 0 {
			assert.Equal(t, []string{"getEndpoint", test.message}, []string{failure.Operation, failure.Message})
		}
	}
	for _, sentinel := range sentinels {
		assert.Regexp(t, "^rpcfleet: [a-z]", sentinel.Error())
	}
	for status, want := range map[int]string{
		0: "connection_failed", 1: "failed", 199: "failed", 200: "rejected", 299: "rejected", 300: "failed", 402: "failed",
		405: "failed", 410: "failed", 423: "failed", 430: "failed", 499: "failed", 500: "server_error",
	} {
		assert.Equal(t, want, rpcfleet.KindOf(&rpcfleet.Error{StatusCode: status}), status)
	}
	for _, row := range []struct { // Errors that no response has caused.
		err       error
		kind      string
		retryable bool
	}{
		{nil, "ok", false}, {errors.New("other"), "failed", false}, {&rpcfleet.ValidationError{}, "invalid_request", false},
		{&rpcfleet.Error{}, "connection_failed", true},
		{&rpcfleet.Error{OutcomeUnknown: true}, "connection_failed", false},
		{&rpcfleet.Error{StatusCode: 503, OutcomeUnknown: true}, "server_error", false},
		{&rpcfleet.DecodeError{Reason: rpcfleet.ReasonTruncated}, "unreadable", false},
		{&rpcfleet.DecodeError{NoRecord: true}, "unreadable", false},
		{&rpcfleet.PageError{Err: &rpcfleet.Error{}}, "connection_failed", true},
		{context.Canceled, "canceled", false}, {context.DeadlineExceeded, "timed_out", true},
		{errors.Join(&rpcfleet.Error{}, context.DeadlineExceeded), "timed_out", true},
	} {
		assert.Equal(t, row.kind, rpcfleet.KindOf(row.err), "%v", row.err)
		assert.Equal(t, row.retryable, rpcfleet.IsRetryable(row.err), "%v", row.err)
	}
}

func TestError_hasTheLastResponse(t *testing.T) {
	client, server := scripted(t, respondJSON(503, ``),
		withHeaders(respondJSON(409, `{"error":"bad label"}`), "X-Request-Id", "r-1", "Retry-After", "90"))
	_, err := get(client)
	failure := errorAs[*rpcfleet.Error](t, err)
	require.NoError(t, failure.Unwrap())
	assert.Equal(t, rpcfleet.Error{
		Operation: "getEndpoint", Method: http.MethodGet, Path: "/v0/endpoints/{id}", StatusCode: 409, Message: "bad label",
		RequestID: "r-1", RetryAfter: 90 * time.Second, Attempts: 2,
	}, *failure)
	assert.EqualError(t, err, "rpcfleet: getEndpoint: 409 Conflict: bad label"+
		" (GET /v0/endpoints/{id}, 2 attempts, retry after 1m30s, request id r-1)")

	server.Play(respondJSON(503, `{"data":null,"error":"in maintenance"}`), hangUp)
	_, err = get(client)
	failure = errorAs[*rpcfleet.Error](t, err)
	assert.Equal(t, 503, failure.StatusCode, "the last response is not lost")
	assert.Equal(t, 4, failure.Attempts)
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	require.ErrorIs(t, err, rpcfleet.ErrServer)
}

// TestDecodeError_hasTheResponse: internal/reply tests the reasons.
func TestDecodeError_hasTheResponse(t *testing.T) {
	for reason, line := range map[string]responder{
		rpcfleet.ReasonHTML: respond("text/html", 200, "<html>welcome</html>"), rpcfleet.ReasonTruncated: truncate,
		rpcfleet.ReasonTooLarge: ok(strings.Repeat(" ", 1001)), rpcfleet.ReasonTrailingData: ok(record + "x"),
	} {
		client, _ := scriptedWith(t, with{rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 2})},
			respondJSON(503, ``), withHeaders(line, "X-Request-Id", "r-1"))
		_, err := get(client, rpcfleet.WithMaxBodySize(1000))
		failure := errorAs[*rpcfleet.DecodeError](t, err)
		assert.NotEmpty(t, failure.ContentType)
		assert.Equal(t, []any{"getEndpoint", "GET", "/v0/endpoints/{id}", 200, 2, "r-1"}, []any{failure.Operation,
			failure.Method, failure.Path, failure.StatusCode, failure.Attempts, failure.RequestID})
		assert.Equal(t, reason, failure.Reason)
		require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "it only reads")
		isCut := reason == rpcfleet.ReasonTruncated // The connection is at fault.
		assert.Equal(t, isCut, errors.Is(err, rpcfleet.ErrConnection) && errors.Is(err, io.ErrUnexpectedEOF))
	}
}

// TestError_refusalKeepsStatusIfBodyIsCut reads refusals with a body that does not end, in each way.
func TestError_refusalKeepsStatusIfBodyIsCut(t *testing.T) {
	stopped := errors.New("the shift is over")
	for name, test := range map[string]struct {
		encoding string
		end      http.HandlerFunc
		limit    int64
		text     string
		is       error
	}{
		"connection lost": {"", hangUp, 1000, "it is not there: response cut short: unexpected EOF", io.ErrUnexpectedEOF},
		"invalid gzip":    {"gzip", scriptnet.Wait, 1000, "response cut short: gzip: invalid header", gzip.ErrHeader},
		"too large":       {"", scriptnet.Wait, 3, "response too large: more than 3 bytes", nil},
		"timed out": {"", scriptnet.Wait, 1000,
			"it is not there: timed out: no complete response within the time limit of an attempt: " +
				"context deadline exceeded", nil},
		"canceled": {"", scriptnet.Wait, 1000, "it is not there: canceled: context canceled", stopped},
	} {
		bubble(t, name, func(t *testing.T) {
			refuse := func(status int) responder {
				return withHeaders(func(w http.ResponseWriter, r *http.Request) {
					respond("text/plain", status, "it is not there")(w, r)
					w.(http.Flusher).Flush()
					test.end(w, r)
				}, "Content-Encoding", test.encoding, "Content-Length", "100")
			}
			script := scriptnet.New(refuse(404), refuse(403), hangUp, refuse(404))
			client := piped(t, script, rpcfleet.WithRetryPolicy(rpcfleet.DefaultRetryPolicy()),
				rpcfleet.WithMaxBodySize(test.limit))
			ctx := func() context.Context {
				ctx, cancel := context.WithCancelCause(t.Context())
				if test.is == stopped {
					time.AfterFunc(time.Second, func() { cancel(stopped) })
				}
				t.Cleanup(func() { cancel(nil) })
				return ctx
			}
			err := errOf(client.Endpoints.Get(ctx(), "ep1"))
			require.EqualError(t, err, "rpcfleet: getEndpoint: 404 Not Found: "+test.text+" (GET /v0/endpoints/{id})")
			require.ErrorIs(t, err, rpcfleet.ErrNotFound)
			require.NotErrorIs(t, err, rpcfleet.ErrConnection)
			require.NotErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, test.is == stopped, errors.Is(err, context.Canceled))
			assert.True(t, test.is == nil || errors.Is(err, test.is))
			err = createEndpoint(ctx(), client)
			require.ErrorIs(t, err, rpcfleet.ErrForbidden)
			require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown)
			assert.Len(t, script.Requests(), 2)
			require.NoError(t, client.Endpoints.Archive(ctx(), "ep1"), "the first attempt has archived it")
		})
	}
}

// TestDecodeError_namesOnlyPublicTypes responds to every method with wrong types. No error names a type of internals.
func TestDecodeError_namesOnlyPublicTypes(t *testing.T) {
	internal := regexp.MustCompile(`envelope|Response\b|Element|Located|\[|\b(reply|graphql|api|scan|json|jsontext)\.`)
	for _, value := range []string{`7`, `"a"`, `[7]`, `[[]]`, `{"id":[]}`, `[{"id":[]}]`, `{"chain":[]}`, `{"a":[]}`,
		`{"chain":{"transactions":{"edges":{}}}}`, `{"chain":{"wallet":7,"nft":7,"collection":7,"contract":[]}}`,
		`{"invoices":7,"payments":{},"tags":[7],"limits":[],"results":[7]}`} {
		for _, body := range []string{value, `{"data":` + value + `}`, `{"data":[],"pagination":` + value + `}`} {
			client, _ := scripted(t, ok(body))
			for field, service := range reflect.ValueOf(client).Elem().Fields() {
				if !field.IsExported() {
					continue
				}
				for _, method := range service.Methods() {
					err := callWithAnything(t, method, anyWallet, rpcfleet.WithoutValidation())
					if unread := (*rpcfleet.DecodeError)(nil); errors.As(err, &unread) {
						assert.NotRegexp(t, internal, unread.Detail)
					}
				}
			}
		}
	}
}

// TestErrors_statusesAtBounds has statuses that only a caller's transport may return, and redirects that end there.
func TestErrors_statusesAtBounds(t *testing.T) {
	const words = "a redirect that is not followed: the call is not idempotent, or the redirect leads to another " +
		"origin, changes the method or cannot be read"
	const elsewhere = "https://other.example/"
	for _, test := range []struct {
		status            int
		location, message string
	}{
		{199, elsewhere, ""}, {300, elsewhere, words}, {302, "", ""}, {399, elsewhere, words}, {400, elsewhere, ""},
		{200, "/", ""}, {299, "/", ""},
	} {
		client := over(t, tripper(func(req *http.Request) (*http.Response, error) {
			header := http.Header{"Location": {test.location}}
			return &http.Response{StatusCode: test.status, Header: header, Request: req, Body: http.NoBody}, nil
		}))
		if test.status/100 == 2 {
			require.NoError(t, client.Endpoints.Archive(t.Context(), "ep1"), test.status)
			continue
		}
		for _, err := range []error{errOf(get(client)), createEndpoint(t.Context(), client)} {
			failure := errorAs[*rpcfleet.Error](t, err, test.status)
			assert.Equal(t, []any{test.status, test.message, 1}, []any{failure.StatusCode, failure.Message, failure.Attempts})
			unknown := test.status != 400 && failure.Operation != "getEndpoint"
			assert.Equal(t, unknown, errors.Is(err, rpcfleet.ErrOutcomeUnknown))
		}
	}
}

// TestErrors_hideTextsOfTransports has causes that quote the key: in the place of a response, and in the middle of one.
func TestErrors_hideTextsOfTransports(t *testing.T) {
	cause := errors.New("cannot take " + testKey)
	var response rpcfleet.Response
	_, err := get(over(t, tripper(func(*http.Request) (*http.Response, error) { return nil, cause }),
		rpcfleet.WithoutRetries()), rpcfleet.WithResponse(&response))
	assert.Empty(t, response.RequestID+errorAs[*rpcfleet.Error](t, err).RequestID)
	require.EqualError(t, err,
		"rpcfleet: getEndpoint: no response: connection failed: cannot take [redacted] (GET /v0/endpoints/{id})")
	require.EqualError(t, errors.Unwrap(err), "connection failed: cannot take [redacted]")
	require.ErrorIs(t, err, cause)

	const password = "made-up-password"
	proxy := scriptnet.Serve(t, respondRaw("HTTP/1.1 407 not "+password+"\r\n\r\n"))
	through := mustParse(t, proxy.URL)
	through.User = url.UserPassword("made-up-user", password)
	_, err = get(over(t, &http.Transport{Proxy: http.ProxyURL(through)}, rpcfleet.WithoutRetries()))
	require.ErrorContains(t, err, "connection failed: not [redacted]")
	hides(t, err, password)

	for body, reason := range map[string]string{
		`{"data":`: rpcfleet.ReasonTruncated, strings.Repeat(" ", 100): rpcfleet.ReasonTooLarge,
	} {
		base := tripper(func(req *http.Request) (*http.Response, error) {
			return &http.Response{
				StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json; made=" + testKey}}, Request: req,
				ContentLength: -1, Body: io.NopCloser(io.MultiReader(strings.NewReader(body), iotest.ErrReader(cause))),
			}, nil
		})
		_, err = get(over(t, base, rpcfleet.WithoutRetries()), rpcfleet.WithMaxBodySize(99))
		unread := errorAs[*rpcfleet.DecodeError](t, err)
		assert.Equal(t, reason, unread.Reason)
		assert.Equal(t, "application/json; made=[redacted]", unread.ContentType)
		hides(t, err, testKey)
		require.EqualError(t, errors.Unwrap(err), unread.Detail)
		assert.Equal(t, reason == rpcfleet.ReasonTruncated, errors.Is(err, rpcfleet.ErrConnection))
		assert.Equal(t, reason == rpcfleet.ReasonTruncated, errors.Is(err, cause))
	}
}

// TestErrors_wrapCauseAndHideItsText looks for the errors inside a cause, and for texts that must not come out.
func TestErrors_wrapCauseAndHideItsText(t *testing.T) {
	vault := &url.Error{Op: "Get", URL: "https://vault.example.com/" + leakedToken, Err: io.EOF}
	_, server := scripted(t, ok(record))
	_, err := get(server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		return rpcfleet.Credentials{}, vault
	}))))
	require.ErrorIs(t, err, vault)
	require.ErrorIs(t, err, io.EOF)
	assert.Same(t, vault, errorAs[*url.Error](t, err))
	hides(t, err, leakedToken)
	hides(t, errors.Unwrap(err), leakedToken)
}

// TestErrors_cancellationHasCause: the cause is found in the error, but is not the kind of this call's failure.
func TestErrors_cancellationHasCause(t *testing.T) {
	_, down := scripted(t, respondJSON(503, ``))
	_, others := get(down.client(t, rpcfleet.WithoutRetries()))
	require.ErrorIs(t, others, rpcfleet.ErrServer)
	for _, cause := range []error{others, errors.New("the shift is over")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		client, _ := scripted(t, func(_ http.ResponseWriter, r *http.Request) {
			cancel(cause)
			<-r.Context().Done()
		})
		_, err := client.Account.Info(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, cause)
		require.NotErrorIs(t, err, rpcfleet.ErrServer)
		failure := errorAs[*rpcfleet.Error](t, err)
		assert.Equal(t, []any{"getAccountInfo", 0}, []any{failure.Operation, failure.StatusCode})
		require.NotErrorAs(t, errors.Unwrap(err), &failure)
	}
}

func TestDecodeReasons_areTheReadersOwn(t *testing.T) {
	for reason, given := range map[string]string{
		rpcfleet.ReasonHTML: reply.HTML, rpcfleet.ReasonContentType: reply.ContentType,
		rpcfleet.ReasonEmpty: reply.Empty, rpcfleet.ReasonNoData: reply.NoData,
		rpcfleet.ReasonTruncated: reply.Truncated, rpcfleet.ReasonTooLarge: reply.TooLarge,
		rpcfleet.ReasonTrailingData: reply.Trailing, rpcfleet.ReasonSyntax: reply.Syntax,
		rpcfleet.ReasonUnexpectedType: reply.Shape, rpcfleet.ReasonTooDeep: reply.TooDeep,
	} {
		assert.Equal(t, given, reason)
	}
}

// TestValidationErrors_text has the errors of calls whole: operation, field, rule and value.
func TestValidationErrors_text(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{}}`))
	ctx := t.Context()
	var none context.Context
	trial := alerts.BacktestExpressionRequest{Expression: "dHJ1ZQ==", Network: "ethereum-mainnet", BacktestCount: 21}
	for want, err := range map[string]error{
		"getEndpoint: context must not be nil":                          errOf(client.Endpoints.Get(none, "ep1")),
		`getEndpoint: id must not be a dot segment, not ".."`:           errOf(client.Endpoints.Get(ctx, "..")),
		"backtestExpression: backtest_count must be at most 20, not 21": errOf(client.Expressions.Backtest(ctx, trial)),
		`GetNFT: tokenId must not be negative, not "-1"`: errOf(
			client.Graph.NFT(ctx, graph.ChainEthereum, "0x1", scalar.BigIntFrom(-1))),
	} {
		require.EqualError(t, err, "rpcfleet: "+want)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		require.NotErrorIs(t, err, rpcfleet.ErrConnection)
		require.Equal(t, "invalid_request", rpcfleet.KindOf(err))
	}
	body := unwritable{"https://a.example.com/" + leakedToken}
	_, err := rpcfleet.Do[string](ctx, client, ask{Operation: "op", Method: "POST", Path: "/v0/notes", Body: body})
	// The JSON library's text in between differs from process to process.
	const text = `^rpcfleet: op: request cannot be built: json: .* clienttest\.unwritable: cannot write `
	assert.Regexp(t, text+`https://a\.example\.com/\[redacted\]$`, err.Error())
	assert.Empty(t, server.Requests())
	_, err = client.Graph.NFT(ctx, graph.ChainEthereum, "0x1", scalar.BigInt{})
	assert.NotContains(t, err.Error(), "negative")
	_, err = rpcfleet.New(rpcfleet.WithAreaPath("alerts", strings.Repeat("long ", 900)))
	assert.Equal(t, strings.Repeat("long ", 900)[:4<<10]+"…", errorAs[*rpcfleet.ValidationError](t, err).Value)
}
