package clienttest

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestErrors_text(t *testing.T) {
	for want, failure := range map[string]rpcfleet.Error{
		"no response (GET /a)":                  {},
		"503 Service Unavailable: why (GET /a)": {StatusCode: 503, Message: "why", Attempts: 1},
		"199 (GET /a, 2 attempts)":              {StatusCode: 199, Attempts: 2},
		"599 (GET /a)":                          {StatusCode: 599},
		"1 (GET /a)":                            {StatusCode: 1},
		"rejected with status 200 (GET /a, retry after 1ns)":        {StatusCode: 200, RetryAfter: 1},
		"rejected with status 299 (GET /a, retry budget exhausted)": {StatusCode: 299, RetryBudgetExhausted: true},
		"300 Multiple Choices (GET /a, request id r)":               {StatusCode: 300, RequestID: "r"},
		"401 Unauthorized (set the API key with WithAPIKey or RPCFLEET_API_KEY) (GET /a)": {
			StatusCode: 401},
	} {
		failure.Operation, failure.Method, failure.Path = "a", "GET", "/a"
		assert.EqualError(t, &failure, "rpcfleet: a: "+want)
	}
	for want, failure := range map[string]rpcfleet.DecodeError{
		" (GET /a, status 200 OK)": {},
		": where (GET /a, status 200 OK, 4 attempts, retry budget exhausted, request id r)": {
			Attempts: 4, Detail: "where", RetryBudgetExhausted: true, RequestID: "r"},
	} {
		failure.Operation, failure.Method, failure.Path = "a", "GET", "/a"
		failure.StatusCode, failure.Reason = 200, rpcfleet.ReasonEmpty
		assert.EqualError(t, &failure, "rpcfleet: a: cannot read the response: empty body"+want)
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
	over, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	const page = "an HTML page instead of JSON"
	cut := func(status int) responder { return withHeaders(respondJSON(status, `{`), "Content-Length", "9") }
	type test struct {
		ctx      context.Context
		line     responder
		sentinel error
		message  string
	}
	for kind, tests := range map[string][]test{
		"ok": {{nil, respondJSON(200, record), nil, ""}},
		"invalid_request": {
			{nil, respondJSON(400, `{"data":null,"error":"bad label"}`), rpcfleet.ErrInvalidRequest, "bad label"},
			{nil, respondJSON(422, `{"errors":[{"message":"bad"}]}`), rpcfleet.ErrInvalidRequest, "bad"},
		},
		"unauthorized": {{nil, respond("text/plain", 401, "Unauthorized"), rpcfleet.ErrUnauthorized, "Unauthorized"}},
		"forbidden": {{nil, respond("text/html", 403, "<html>no</html>"), rpcfleet.ErrForbidden, page},
			{nil, cut(403), rpcfleet.ErrForbidden, ""}},
		"not_found":    {{nil, respondJSON(404, `{"data":null,"error":"gone"}`), rpcfleet.ErrNotFound, "gone"}},
		"conflict":     {{nil, respondJSON(409, ``), rpcfleet.ErrConflict, ""}},
		"failed":       {{nil, respondJSON(418, ``), nil, ""}},
		"rate_limited": {{nil, respondJSON(429, `{}`), rpcfleet.ErrRateLimited, ""}},
		"server_error": {{nil, respondJSON(500, `{"data":null,"error":"boom"}`), rpcfleet.ErrServer, "boom"},
			{nil, respond("Text/HTML", 502, "<html><title>Bad gateway</title></html>"), rpcfleet.ErrServer, page}},
		"rejected":          {{nil, respondJSON(200, `{"data":null,"error":"nope"}`), rpcfleet.ErrRejected, "nope"}},
		"unreadable":        {{nil, respondJSON(200, `{"data":7}`), nil, ""}},
		"connection_failed": {{nil, hangUp, rpcfleet.ErrConnection, ""}, {nil, cut(200), rpcfleet.ErrConnection, ""}},
		"canceled":          {{stopped, respondJSON(200, record), rpcfleet.ErrConnection, ""}},
		"timed_out":         {{over, respondJSON(200, record), rpcfleet.ErrConnection, ""}},
	} {
		retryable := kind == "rate_limited" || kind == "server_error" || kind == "connection_failed" || kind == "timed_out"
		for _, test := range tests {
			_, server := scripted(t, test.line)
			var seen string
			client := server.client(t, rpcfleet.WithoutRetries(),
				onResult(func(_ rpcfleet.Operation, result rpcfleet.CallResult) { seen = rpcfleet.KindOf(result.Err) }))
			_, err := client.Endpoints.Get(cmp.Or(test.ctx, t.Context()), "ep1")
			assert.Equal(t, []string{kind, kind}, []string{seen, rpcfleet.KindOf(err)})
			assert.Equal(t, retryable, rpcfleet.IsRetryable(err), kind)
			for _, sentinel := range sentinels {
				assert.Equal(t, sentinel == test.sentinel, errors.Is(err, sentinel), "%v is %v", err, sentinel)
			}
			if failure := (*rpcfleet.Error)(nil); errors.As(err, &failure) && failure.StatusCode != 0 {
				assert.Equal(t, []string{"getEndpoint", test.message}, []string{failure.Operation, failure.Message})
			}
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
	assert.False(t, rpcfleet.IsRetryable(&rpcfleet.Error{StatusCode: 503, OutcomeUnknown: true}))
	assert.Equal(t, "failed", rpcfleet.KindOf(errors.New("other")))
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
	for name, test := range map[string]struct {
		line   responder
		reason string
	}{
		"an HTML page":   {respond("text/html", 200, "<html>welcome</html>"), rpcfleet.ReasonHTML},
		"a cut response": {truncate, rpcfleet.ReasonTruncated},
		"too much":       {respondJSON(200, strings.Repeat(" ", 1001)), rpcfleet.ReasonTooLarge},
		"text after it":  {respondJSON(200, record+"x"), rpcfleet.ReasonTrailingData},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, respondJSON(503, ``), withHeaders(test.line, "X-Request-Id", "r-1"))
			client := server.client(t, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 2}))
			_, err := get(client, rpcfleet.WithMaxBodySize(1000))
			failure := errorAs[*rpcfleet.DecodeError](t, err)
			assert.Equal(t, test.reason, failure.Reason, failure.Detail)
			assert.Equal(t, []string{"getEndpoint", http.MethodGet, "/v0/endpoints/{id}", "r-1"},
				[]string{failure.Operation, failure.Method, failure.Path, failure.RequestID})
			assert.Equal(t, []int{200, 2}, []int{failure.StatusCode, failure.Attempts})
			assert.NotEmpty(t, failure.ContentType)
			assert.Contains(t, err.Error(), "getEndpoint")
			require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "it only reads")
			assert.Equal(t, name == "a cut response", errors.Is(err, rpcfleet.ErrConnection), "the connection is at fault")
			assert.Equal(t, name == "a cut response", errors.Is(err, io.ErrUnexpectedEOF))
		})
	}
}

// TestError_refusalKeepsStatusIfBodyIsCut reads refusals with a body that does not end, in each way.
func TestError_refusalKeepsStatusIfBodyIsCut(t *testing.T) {
	stopped := errors.New("the shift is over")
	waits := func(r *http.Request) { <-r.Context().Done() }
	for name, test := range map[string]struct {
		encoding string
		end      func(*http.Request)
		limit    int64
		text     string
		is       error
	}{
		"connection lost": {"", func(*http.Request) { panic(http.ErrAbortHandler) }, 1000,
			"it is not there: response cut short: unexpected EOF", io.ErrUnexpectedEOF},
		"invalid gzip": {"gzip", waits, 1000, "response cut short: gzip: invalid header", gzip.ErrHeader},
		"too large":    {"", waits, 3, "response too large: more than 3 bytes", nil},
		"timed out": {"", waits, 1000,
			"it is not there: timed out: no complete response within the time limit of an attempt: " +
				"context deadline exceeded", nil},
		"canceled": {"", waits, 1000, "it is not there: canceled: context canceled", stopped},
	} {
		bubble(t, name, func(t *testing.T) {
			refuse := func(status int) responder {
				return func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Encoding", test.encoding)
					w.Header().Set("Content-Length", "100")
					respond("text/plain", status, "it is not there")(w, r)
					w.(http.Flusher).Flush()
					test.end(r)
				}
			}
			script := scriptnet.New(refuse(404), refuse(403), hangUp, refuse(404))
			client := piped(t, script, rpcfleet.WithRetryPolicy(rpcfleet.DefaultRetryPolicy()),
				rpcfleet.WithMaxBodySize(test.limit))
			call := func(do func(context.Context) error) error {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				if test.is == stopped {
					time.AfterFunc(time.Second, func() { cancel(stopped) })
				}
				return do(ctx)
			}
			err := call(func(ctx context.Context) error { return errOf(client.Endpoints.Get(ctx, "ep1")) })
			require.EqualError(t, err, "rpcfleet: getEndpoint: 404 Not Found: "+test.text+" (GET /v0/endpoints/{id})")
			require.ErrorIs(t, err, rpcfleet.ErrNotFound)
			require.NotErrorIs(t, err, rpcfleet.ErrConnection)
			require.NotErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, test.is == stopped, errors.Is(err, context.Canceled))
			assert.True(t, test.is == nil || errors.Is(err, test.is))
			err = call(func(ctx context.Context) error { return createEndpoint(ctx, client) })
			require.ErrorIs(t, err, rpcfleet.ErrForbidden)
			require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown)
			assert.Len(t, script.Requests(), 2)
			require.NoError(t, call(func(ctx context.Context) error { return client.Endpoints.Archive(ctx, "ep1") }),
				"the first attempt has archived it")
		})
	}
}

// TestDecodeError_namesOnlyPublicTypes answers every method with values of wrong types. The error names the place, and no
// type that callers do not know.
func TestDecodeError_namesOnlyPublicTypes(t *testing.T) {
	internal := regexp.MustCompile(`envelope|Response\b|Element|Located|\[|\b(reply|graphql|api|scan|json|jsontext)\.`)
	for _, value := range []string{`7`, `"a"`, `[7]`, `[[]]`, `{"id":[]}`, `[{"id":[]}]`, `{"chain":[]}`, `{"a":[]}`,
		`{"chain":{"transactions":{"edges":{}}}}`, `{"chain":{"wallet":7,"nft":7,"collection":7,"contract":[]}}`,
		`{"invoices":7,"payments":{},"tags":[7],"limits":[],"results":[7]}`} {
		for _, body := range []string{value, `{"data":` + value + `}`, `{"data":[],"pagination":` + value + `}`} {
			client, _ := scripted(t, respondJSON(200, body))
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

// TestErrors_statusesAtBounds has statuses that only the caller's own transport may return, and redirects that are not
// followed.
func TestErrors_statusesAtBounds(t *testing.T) {
	const words = "a redirect that is not followed: the call is not idempotent, or the redirect leads to another " +
		"origin, changes the method or cannot be read"
	for _, test := range []struct {
		status            int
		location, message string
		unknown           bool
	}{
		{199, "https://other.example/", "", true}, {300, "https://other.example/", words, true}, {302, "", "", true},
		{399, "https://other.example/", words, true}, {400, "https://other.example/", "", false},
		{200, "/", "ok", false}, {299, "/", "ok", false},
	} {
		client := over(t, tripper(func(req *http.Request) (*http.Response, error) {
			header := http.Header{"Location": {test.location}}
			return &http.Response{StatusCode: test.status, Header: header, Request: req, Body: http.NoBody}, nil
		}))
		if test.message == "ok" {
			require.NoError(t, client.Endpoints.Archive(t.Context(), "ep1"), test.status)
			continue
		}
		for _, err := range []error{errOf(get(client)), createEndpoint(t.Context(), client)} {
			failure := errorAs[*rpcfleet.Error](t, err, test.status)
			assert.Equal(t, []any{test.status, test.message, 1}, []any{failure.StatusCode, failure.Message, failure.Attempts})
			assert.Equal(t, test.unknown && failure.Operation != "getEndpoint", errors.Is(err, rpcfleet.ErrOutcomeUnknown))
		}
	}
}

// responding is a transport that responds with headers and a body, which ends with the error of a function.
func responding(header http.Header, body string, end func() error) http.RoundTripper {
	return tripper(func(req *http.Request) (*http.Response, error) {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		last := readerFunc(func([]byte) (int, error) { return 0, end() })
		return &http.Response{
			StatusCode: http.StatusOK, Header: header, Request: req, ContentLength: -1,
			Body: io.NopCloser(io.MultiReader(strings.NewReader(body), last)),
		}, nil
	})
}

// TestErrors_hideTextsOfTransports has causes that quote the key: in the place of a response, and in the middle of one.
func TestErrors_hideTextsOfTransports(t *testing.T) {
	cause := errors.New("cannot take " + testKey)
	client := over(t, tripper(func(*http.Request) (*http.Response, error) { return nil, cause }),
		rpcfleet.WithoutRetries())
	var response rpcfleet.Response
	_, err := get(client, rpcfleet.WithResponse(&response))
	assert.Empty(t, response.RequestID)
	require.EqualError(t, err,
		"rpcfleet: getEndpoint: no response: connection failed: cannot take [redacted] (GET /v0/endpoints/{id})")
	require.EqualError(t, errors.Unwrap(err), "connection failed: cannot take [redacted]")
	require.ErrorIs(t, err, cause)
	assert.Empty(t, errorAs[*rpcfleet.Error](t, err).RequestID)

	const password = "made-up-password"
	proxy := scriptnet.Serve(t, respondRaw("HTTP/1.1 407 not "+password+"\r\n\r\n"))
	through := mustParse(t, proxy.URL)
	through.User = url.UserPassword("made-up-user", password)
	_, err = get(over(t, &http.Transport{Proxy: http.ProxyURL(through)}, rpcfleet.WithoutRetries()))
	require.ErrorContains(t, err, "connection failed: not [redacted]")
	hides(t, err, password)

	for name, test := range map[string]struct {
		body   string
		reason string
	}{
		"cut short": {`{"data":`, rpcfleet.ReasonTruncated}, "too large": {strings.Repeat(" ", 100), rpcfleet.ReasonTooLarge},
	} {
		header := http.Header{"Content-Type": {"application/json; made=" + testKey}}
		_, err = get(over(t, responding(header, test.body, func() error { return cause }), rpcfleet.WithoutRetries(), rpcfleet.WithMaxBodySize(99)))
		unread := errorAs[*rpcfleet.DecodeError](t, err)
		assert.Equal(t, test.reason, unread.Reason, name)
		assert.Equal(t, "application/json; made=[redacted]", unread.ContentType, name)
		hides(t, err, testKey)
		assert.EqualError(t, errors.Unwrap(err), unread.Detail, name)
		assert.Equal(t, test.reason == rpcfleet.ReasonTruncated, errors.Is(err, rpcfleet.ErrConnection), name)
		assert.Equal(t, test.reason == rpcfleet.ReasonTruncated, errors.Is(err, cause), name)
	}
}

// TestErrors_wrapCauseAndHideItsText looks for the errors inside a cause, and for texts that must not come out of
// it.
func TestErrors_wrapCauseAndHideItsText(t *testing.T) {
	vault := &url.Error{Op: "Get", URL: "https://vault.example.com/" + leakedToken, Err: io.EOF}
	_, server := scripted(t, respondJSON(200, record))
	_, err := get(server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		return rpcfleet.Credentials{}, vault
	}))))
	require.ErrorIs(t, err, vault)
	require.ErrorIs(t, err, io.EOF)
	var found *url.Error
	require.ErrorAs(t, err, &found)
	assert.Same(t, vault, found)
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
		assert.Equal(t, "getAccountInfo", failure.Operation)
		assert.Zero(t, failure.StatusCode)
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
		assert.Equal(t, given, string(reason))
	}
}

// TestValidationErrors_text has the errors of calls whole: operation, field, rule and value.
func TestValidationErrors_text(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{}}`))
	ctx := t.Context()
	var none context.Context
	for want, err := range map[string]error{
		"getEndpoint: context must not be nil":                errOf(client.Endpoints.Get(none, "ep1")),
		`getEndpoint: id must not be a dot segment, not ".."`: errOf(client.Endpoints.Get(ctx, "..")),
		`listLogs: from must not be after to, not "2026-11-01T12:00:00.5Z"`: errOf(
			client.Logs.List(ctx, "ep1", admin.ListLogsParams{
				From: time.Date(2026, 11, 1, 13, 0, 0, 5e8, time.FixedZone("", 3600)),
				To:   time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC),
			})),
		"backtestExpression: backtest_count must be at most 20, not 21": errOf(
			client.Expressions.Backtest(ctx, alerts.BacktestExpressionRequest{
				Expression: "dHJ1ZQ==", Network: "ethereum-mainnet", BacktestCount: 21,
			})),
		`GetNFT: tokenId must not be negative, not "-1"`: errOf(
			client.Graph.NFT(ctx, graph.ChainEthereum, "0x1", scalar.BigIntFrom(-1))),
	} {
		require.EqualError(t, err, "rpcfleet: "+want)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		require.NotErrorIs(t, err, rpcfleet.ErrConnection)
		require.Equal(t, "invalid_request", rpcfleet.KindOf(err))
	}
	_, err := rpcfleet.Do[string](ctx, client,
		rpcfleet.Request{Operation: "op", Method: "POST", Path: "/v0/notes", Body: unwritable{"https://a.example.com/" + leakedToken}})
	// The JSON library's text in between differs from process to process.
	assert.Regexp(t,
		`^rpcfleet: op: request cannot be built: json: .* clienttest\.unwritable: cannot write https://a\.example\.com/\[redacted\]$`,
		err.Error())
	assert.Empty(t, server.Requests())
	_, err = client.Graph.NFT(ctx, graph.ChainEthereum, "0x1", scalar.BigInt{})
	assert.NotContains(t, err.Error(), "negative")
	_, err = rpcfleet.New(rpcfleet.WithAreaPath("alerts", strings.Repeat("long ", 900)))
	assert.Equal(t, strings.Repeat("long ", 900)[:4<<10]+"…", errorAs[*rpcfleet.ValidationError](t, err).Value)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
