package clienttest

import (
	"context"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
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
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestWhatAnErrorSays has every part of the texts, there and left out.
func TestWhatAnErrorSays(t *testing.T) {
	for want, failure := range map[string]error{
		"a: no response (GET /a)": &rpcfleet.Error{},
		"a: 503 Service Unavailable: why (GET /a)": &rpcfleet.Error{StatusCode: 503, Message: "why",
			Attempts: 1},
		"a: 199 (GET /a, 2 attempts)":                           &rpcfleet.Error{StatusCode: 199, Attempts: 2},
		"a: rejected with status 200 (GET /a, retry after 1ns)": &rpcfleet.Error{StatusCode: 200, RetryAfter: 1},
		"a: rejected with status 299 (GET /a, retry budget exhausted)": &rpcfleet.Error{StatusCode: 299,
			RetryBudgetExhausted: true},
		"a: 300 Multiple Choices (GET /a, request id r)": &rpcfleet.Error{StatusCode: 300, RequestID: "r"},
		"a: 1 (GET /a)": &rpcfleet.Error{StatusCode: 1},
		"a: cannot read the response: empty body (GET /a, status 200 OK)": &rpcfleet.DecodeError{StatusCode: 200,
			Reason: rpcfleet.ReasonEmpty},
		"a: cannot read the response: empty body: where (GET /a, status 200 OK, retry budget exhausted, request id r)": &rpcfleet.DecodeError{
			StatusCode: 200, Reason: rpcfleet.ReasonEmpty, Detail: "where", RetryBudgetExhausted: true, RequestID: "r",
		},
	} {
		switch failure := failure.(type) {
		case *rpcfleet.Error:
			failure.Operation, failure.Method, failure.Path = "a", "GET", "/a"
		case *rpcfleet.DecodeError:
			failure.Operation, failure.Method, failure.Path = "a", "GET", "/a"
		}
		assert.EqualError(t, failure, "rpcfleet: "+want)
	}
}

// TestARefusalHasASuccessStatus and no other.
func TestARefusalHasASuccessStatus(t *testing.T) {
	for status, refused := range map[int]bool{0: false, 199: false, 200: true, 299: true, 300: false} {
		assert.Equal(t, refused, errors.Is(&rpcfleet.Error{StatusCode: status}, rpcfleet.ErrRejected), status)
	}
}

// TestWhichStatusesAreGood has the statuses around the bounds. The caller's own transport may return any status.
func TestWhichStatusesAreGood(t *testing.T) {
	for status, good := range map[int]bool{101: false, 199: false, 200: true, 299: true, 300: false} {
		client := over(t, tripper(func(req *http.Request) (*http.Response, error) {
			header := http.Header{"Location": {"/elsewhere"}}
			return &http.Response{StatusCode: status, Header: header, Request: req, Body: http.NoBody}, nil
		}))
		err := client.Endpoints.Archive(t.Context(), "ep1")
		if good {
			require.NoError(t, err, status)
			continue
		}
		failure := errorAs[*rpcfleet.Error](t, err, status)
		assert.Equal(t, status, failure.StatusCode)
		assert.Equal(t, status == 300, failure.Message != "", "a redirect")
	}
}

// broken is a transport that responds with headers and a body that ends with an error.
func broken(header http.Header, body string, err error) http.RoundTripper {
	return tripper(func(req *http.Request) (*http.Response, error) {
		end := readerFunc(func([]byte) (int, error) { return 0, err })
		return &http.Response{
			StatusCode: http.StatusOK, Header: header, Request: req, ContentLength: -1,
			Body: io.NopCloser(io.MultiReader(strings.NewReader(body), end)),
		}, nil
	})
}

// TestWhatTheErrorsOfATransportSay has causes that quote the key: in the place of a response, and in the middle of one.
func TestWhatTheErrorsOfATransportSay(t *testing.T) {
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
	failure := errorAs[*rpcfleet.Error](t, err)
	assert.Empty(t, failure.RequestID)

	for name, test := range map[string]struct {
		body   string
		reason rpcfleet.DecodeReason
	}{
		"cut short": {`{"data":`, rpcfleet.ReasonTruncated}, "too large": {strings.Repeat(" ", 100), rpcfleet.ReasonTooLarge},
	} {
		header := http.Header{"Content-Type": {"application/json; made=" + testKey}}
		_, err = get(over(t, broken(header, test.body, cause), rpcfleet.WithoutRetries(), rpcfleet.WithMaxBodySize(99)))
		unread := errorAs[*rpcfleet.DecodeError](t, err)
		assert.Equal(t, test.reason, unread.Reason, name)
		assert.Equal(t, "application/json; made=[redacted]", unread.ContentType, name)
		hides(t, err, testKey)
		assert.EqualError(t, errors.Unwrap(err), unread.Detail, name)
		assert.Equal(t, test.reason == rpcfleet.ReasonTruncated, errors.Is(err, rpcfleet.ErrConnection), name)
		assert.Equal(t, test.reason == rpcfleet.ReasonTruncated, errors.Is(err, cause), name)
	}
}

// TestACauseIsFoundAndNotShown looks for the errors inside a cause, and for texts that must not come out of it.
func TestACauseIsFoundAndNotShown(t *testing.T) {
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

	server.Close()
	_, err = get(server.client(t, rpcfleet.WithoutRetries()))
	var refused *net.OpError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "dial", refused.Op)
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	assert.NotErrorIs(t, err, io.EOF)
}

// TestTheCauseOfACancellation: the cause is found in the error, but is not the kind of this call's failure.
func TestTheCauseOfACancellation(t *testing.T) {
	_, down := scripted(t, respondJSON(503, ``))
	_, cause := get(down.client(t, rpcfleet.WithoutRetries()))
	require.ErrorIs(t, cause, rpcfleet.ErrServer)

	began := make(chan struct{}, 1)
	client, _ := scripted(t, func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done()
	})
	for name, cause := range map[string]error{"another call's": cause,
		"a program's own": errors.New("the shift is over")} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-began
				cancel(cause)
			}()
			_, err := client.Account.Info(ctx)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorIs(t, err, context.Cause(ctx))
			require.NotErrorIs(t, err, rpcfleet.ErrServer)
			failure := errorAs[*rpcfleet.Error](t, err)
			assert.Equal(t, "getAccountInfo", failure.Operation)
			assert.Zero(t, failure.StatusCode)
			require.NotErrorAs(t, errors.Unwrap(err), &failure)
		})
	}
}

// TestDecodeReasons compares the reasons that callers see with the reasons that the reader of bodies gives.
func TestDecodeReasons(t *testing.T) {
	for reason, given := range map[rpcfleet.DecodeReason]string{
		rpcfleet.ReasonHTML: reply.HTML, rpcfleet.ReasonContentType: reply.ContentType,
		rpcfleet.ReasonEmpty: reply.Empty, rpcfleet.ReasonNoData: reply.NoData,
		rpcfleet.ReasonTruncated: reply.Truncated, rpcfleet.ReasonTooLarge: reply.TooLarge,
		rpcfleet.ReasonTrailingData: reply.Trailing, rpcfleet.ReasonSyntax: reply.Syntax,
		rpcfleet.ReasonUnexpectedType: reply.Shape, rpcfleet.ReasonTooDeep: reply.TooDeep,
	} {
		assert.Equal(t, given, string(reason))
	}
}

// TestWhatAValidationErrorSays has the errors of calls whole: operation, field, rule and value.
func TestWhatAValidationErrorSays(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{"data":{}}`))
	ctx := t.Context()
	var none context.Context
	for want, err := range map[string]error{
		"getEndpoint: context must not be nil":                errOf(client.Endpoints.Get(none, "ep1")),
		"addIP: ip is required":                               errOf(client.Security.AddIP(ctx, "ep1", "")),
		"getEndpoint: id must not be empty":                   errOf(client.Endpoints.Get(ctx, "")),
		`getEndpoint: id must not be a dot segment, not ".."`: errOf(client.Endpoints.Get(ctx, "..")),
		`listLogs: from must not be after to, not "2026-11-01T12:00:00.5Z"`: errOf(
			client.Logs.List(ctx, "ep1", admin.ListLogsParams{
				From: scalar.Time{Time: time.Date(2026, 11, 1, 13, 0, 0, 5e8, time.FixedZone("", 3600))},
				To:   scalar.NewTime(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)),
			})),
		"backtestExpression: backtest_count must be at most 20, not 21": errOf(
			client.Expressions.Backtest(ctx, alerts.BacktestExpressionRequest{
				Expression: "dHJ1ZQ==", Network: "ethereum-mainnet", BacktestCount: 21,
			})),
		`GetNFT: tokenId must not be negative, not "-1"`: errOf(
			client.Graph.NFT(ctx, graph.ChainEthereum, "0x1", scalar.NewBigInt(big.NewInt(-1)))),
	} {
		require.EqualError(t, err, "rpcfleet: "+want)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		require.NotErrorIs(t, err, rpcfleet.ErrConnection)
		require.Equal(t, rpcfleet.KindInvalidRequest, rpcfleet.CallResult{Err: err}.Kind())
	}
	_, err := rpcfleet.Do[string](ctx, client,
		rpcfleet.Request{Operation: "op", Method: "POST", Path: "/v0/notes", Body: unsayable{}})
	// The JSON library's text in between differs from process to process.
	assert.Regexp(t,
		`^rpcfleet: op: request cannot be built: json: .* clienttest\.unsayable: no https://a\.example\.com/\[redacted\]$`,
		err.Error())
	assert.Empty(t, server.Requests())
	_, err = client.Graph.NFT(ctx, graph.ChainEthereum, "0x1", scalar.NewBigInt(big.NewInt(0)))
	assert.NotContains(t, err.Error(), "negative")
	_, err = rpcfleet.New(rpcfleet.WithAlertsPath(strings.Repeat("long ", 900)))
	invalid := errorAs[*rpcfleet.ValidationError](t, err)
	assert.Equal(t, strings.Repeat("long ", 900)[:4<<10]+"…", invalid.Value)
}

// unsayable is a body with an error that quotes a secret.
type unsayable struct{}

func (unsayable) MarshalJSON() ([]byte, error) {
	return nil, errors.New("no https://a.example.com/" + leakedToken)
}

// lateTransport responses every request with a body, and does something before the body's end.
type lateTransport struct {
	body string
	do   func()
}

func (l *lateTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
	end := readerFunc(func([]byte) (int, error) { l.do(); return 0, io.EOF })
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		Request:       req,
		ContentLength: -1, Body: io.NopCloser(io.MultiReader(strings.NewReader(l.body), end)),
	}, nil
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestReadingEndsWithTheTime: a body that takes more than one pass to read is not read on if the time is over.
func TestReadingEndsWithTheTime(t *testing.T) {
	const repeated = `{"data":{"id":"ep1","id":"ep2","chain":7},"error":null}`
	late := func(t *testing.T, limit time.Duration, meanwhile func()) *rpcfleet.Client {
		return over(t, &lateTransport{repeated, meanwhile}, rpcfleet.WithoutRetries(), rpcfleet.WithAttemptTimeout(limit))
	}
	synctest.Test(t, func(t *testing.T) {
		client := late(t, time.Second, func() { time.Sleep(2 * time.Second) })
		_, err := get(client)
		require.EqualError(t, err,
			"rpcfleet: getEndpoint: 200 OK: timed out: context deadline exceeded (GET /v0/endpoints/{id})")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, rpcfleet.ErrConnection)
		_, err = client.Graph.Collection(t.Context(), "ethereum", "0xa1")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = rpcfleet.Do[note](t.Context(), client, made)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		err = createEndpoint(t.Context(), client)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, rpcfleet.ErrOutcomeUnknown)
	})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := late(t, 0, cancel).Endpoints.Get(ctx, "ep1")
	require.EqualError(t, err, "rpcfleet: getEndpoint: 200 OK: canceled: context canceled (GET /v0/endpoints/{id})")
	require.ErrorIs(t, err, context.Canceled)
}

// createEndpoint is a call that is not idempotent.
func createEndpoint(ctx context.Context, client *rpcfleet.Client, opts ...rpcfleet.CallOption) error {
	_, err := client.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"}, opts...)
	return err
}

func TestWhatMayHaveBeenCarriedOut(t *testing.T) {
	for name, test := range map[string]struct {
		line  responder
		maybe bool
	}{
		"400":                 {respondJSON(400, `{"error":"no"}`), false},
		"404":                 {respondJSON(404, ``), false},
		"409":                 {respondJSON(409, ``), false},
		"425":                 {respondJSON(425, ``), false},
		"429":                 {respondJSON(429, ``), false},
		"408":                 {respondJSON(408, ``), true},
		"500":                 {respondJSON(500, ``), true},
		"599":                 {respondJSON(599, ``), true},
		"600":                 {respondRaw("HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"000":                 {respondRaw("HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"099":                 {respondRaw("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"), true},
		"101":                 {respondRaw("HTTP/1.1 101 Switching Protocols\r\n\r\n"), true},
		"304":                 {respondJSON(304, ``), true},
		"redirect":            {redirect("https://elsewhere.example/"), true},
		"refusal":             {respondJSON(200, `{"data":null,"error":"no"}`), false},
		"no record":           {respondJSON(200, `{}`), true},
		"HTML":                {respond("text/html", 200, `<html>`), true},
		"half":                {truncate, true},
		"no response":         {hangUp, true},
		"another HTTP client": {respondRaw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), true},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, test.line)
			err := createEndpoint(t.Context(), client)
			require.Error(t, err)
			assert.Equal(t, test.maybe, errors.Is(err, rpcfleet.ErrOutcomeUnknown), "%v", err)
			err = client.Endpoints.Pause(t.Context(), "ep1")
			assert.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "what is idempotent can be set again")
		})
	}
}

func TestWhatWasNotSentWasNotCarriedOut(t *testing.T) {
	_, server := scripted(t, respondJSON(200, record))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err := createEndpoint(ended, server.client(t))
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "the context had ended before")

	err = createEndpoint(t.Context(), server.client(t, rpcfleet.WithPacer(&pacer{err: errors.New("the budget is spent")})))
	require.Error(t, err)
	require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "the pacer ended it")
	assert.Empty(t, server.Requests())

	synctest.Test(t, func(t *testing.T) {
		client, asked := clocked(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "30")
			respondJSON(429, ``)(w, r)
		})
		waiting, stop := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, stop)
		err := createEndpoint(waiting, client, rpcfleet.WithRetryPolicy(rpcfleet.DefaultRetryPolicy()))
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "the only attempt was refused")
		assert.Len(t, asked.Requests(), 1)
	})

	server.Close()
	err = createEndpoint(t.Context(), server.client(t))
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	require.NotErrorIs(t, err, rpcfleet.ErrOutcomeUnknown, "no connection was made")
}
