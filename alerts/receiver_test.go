package alerts_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestReceiver_acceptsValidDeliveries(t *testing.T) {
	for name, test := range map[string]struct {
		method, query, body string
	}{
		"a POST":              {http.MethodPost, "", payloadText},
		"a GET with a body":   {http.MethodGet, "", payloadText},
		"a GET without":       {http.MethodGet, "block=7;a&b", ""},
		"a digit":             {http.MethodPost, "", "7"},
		"JSON with space":     {http.MethodPost, "", " [1]\n"},
		"JSON that is a null": {http.MethodPost, "", "null"},
	} {
		t.Run(name, func(t *testing.T) {
			hook := listen(t, byHMAC(t, token), alerts.WithPayloadType(alerts.PayloadTypeLayout5))
			request := hook.signed("n1")
			request.Method, request.URL.RawQuery = test.method, test.query
			request.Body, request.ContentLength = io.NopCloser(strings.NewReader(test.body)), int64(len(test.body))
			require.Equal(t, http.StatusOK, hook.status(request))
			require.Equal(t, 1, hook.runs())
			got := hook.ran[0]
			assert.Equal(t, test.body, string(got.Payload))
			assert.Equal(t, alerts.PayloadTypeLayout5, got.PayloadType)
			assert.Equal(t, test.method, got.Method)
			assert.Equal(t, test.query, got.RawQuery)
			assert.Equal(t, "n1", got.Headers.Nonce)
			assert.Equal(t, "hash-1", got.Headers.ContentHash)
			assert.True(t, noon.Equal(got.Headers.Timestamp))
			assert.Equal(t, request.Header.Get("x-qn-signature"), got.Headers.Signature)
		})
	}
}

func TestReceiver_toleranceIncludesBothEnds(t *testing.T) {
	hook := listen(t, byHMAC(t, token))
	early, late := hook.signed("n1"), hook.signed("n2")
	hook.advance(5 * time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(early))
	hook.advance(1)
	assert.Equal(t, http.StatusUnauthorized, hook.status(copyOf(t, late)))
	hook.advance(-10*time.Minute - 1)
	assert.Equal(t, http.StatusOK, hook.status(late))
}

func TestReceiver_checksContentHash(t *testing.T) {
	hash := func(r *http.Request, body []byte) string {
		sum := sha256.Sum256(append([]byte(r.URL.RawQuery), body...))
		return hex.EncodeToString(sum[:])
	}
	hook := listen(t, byHMAC(t, token), alerts.WithContentHash(hash))
	assert.Equal(t, http.StatusUnauthorized, hook.status(hook.signed("n1")))
	assert.Zero(t, hook.runs())
	request := hook.signed("n1")
	stamp := alerts.Headers{Timestamp: noon, Nonce: "n1", ContentHash: hash(request, []byte(payloadText))}
	require.NoError(t, alerts.Signer{Token: token}.Sign(request.Header, stamp))
	assert.Equal(t, http.StatusOK, hook.status(request))
}

func TestReceiver_logsWithoutSecrets(t *testing.T) {
	var log bytes.Buffer
	hook := listen(t, byHMAC(t, token), alerts.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	request := hook.signed("n1")
	signature := request.Header.Get("x-qn-signature")
	request.Header.Set("x-qn-nonce", "n2")
	_, text := hook.send(copyOf(t, request))
	request.Header.Del("x-qn-timestamp")
	_, more := hook.send(request)
	assert.Contains(t, log.String(), "status=401")
	assert.Contains(t, log.String(), "status=400")
	assert.Contains(t, log.String(), "x-qn-timestamp is missing")
	for range 2 {
		assert.Equal(t, http.StatusOK, hook.status(hook.signed("n3")))
	}
	assert.Equal(t, 1, strings.Count(log.String(), "level=INFO msg=\"alerts: duplicate delivery\""))
	for _, secret := range []string{tokenText, signature, "matched"} {
		assert.NotContains(t, log.String()+text+more, secret)
	}
}

// TestConstructors_nameInvalidArguments makes receivers, verifiers and signatures from arguments that are not valid.
func TestConstructors_nameInvalidArguments(t *testing.T) {
	nothing := func(context.Context, *alerts.Delivery) error { return nil }
	receiver := func(options ...alerts.ReceiverOption) error {
		_, err := alerts.NewReceiver(byHMAC(t, token), nothing, options...)
		return err
	}
	whole := alerts.Headers{Timestamp: noon, Nonce: "n", ContentHash: "h"}
	_, noVerifier := alerts.NewReceiver(nil, nothing)
	_, noCallback := alerts.NewReceiver(byHMAC(t, token), nil)
	_, noSignature := byHMAC(t, token).Verify(headersOf("1773144000", "n", "h", "?"))
	_, noBase64 := alerts.ParseExpression("?")
	for want, err := range map[string]error{
		"alerts: a receiver needs a verifier":                         noVerifier,
		"alerts: a receiver needs a callback":                         noCallback,
		"alerts: an option of a receiver must not be nil":             receiver(nil),
		"alerts: the payload type must be from 1 to 7":                receiver(alerts.WithPayloadType(8)),
		"alerts: the maximum body size must be at least 1 byte":       receiver(alerts.WithMaxBody(0)),
		"alerts: the time to read a body must be more than zero":      receiver(alerts.WithReadTimeout(0)),
		"alerts: the number of tracked deliveries must be at least 1": receiver(alerts.WithMaxTracked(0)),
		"alerts: the content hash function must not be nil":           receiver(alerts.WithContentHash(nil)),
		"alerts: the store of deliveries must not be nil":             receiver(alerts.WithDedupStore(nil)),
		"alerts: the clock must not be nil":                           receiver(alerts.WithClock(nil)),
		"alerts: the logger must not be nil":                          receiver(alerts.WithLogger(nil)),
		"alerts: the tolerance must be more than zero, and at most half of the longest time.Duration": receiver(
			alerts.WithTolerance(0)),
		"alerts: the signer's token is empty":                   alerts.Signer{}.Sign(http.Header{}, whole),
		"alerts: there is no header to put the signature into":  alerts.Signer{Token: token}.Sign(nil, whole),
		"alerts: unusable header: x-qn-signature is not base64": noSignature,
		"alerts: the expression is not base64 of UTF-8 text":    noBase64,
		"alerts: an expression must be a JSON string":           new(alerts.Expression).UnmarshalJSON([]byte("7")),
	} {
		assert.EqualError(t, err, want)
	}
	for _, incomplete := range []alerts.Headers{{Nonce: "n", ContentHash: "h"}, {Timestamp: noon, ContentHash: "h"},
		{Timestamp: noon, Nonce: "n"}} {
		header := http.Header{}
		require.EqualError(t, alerts.Signer{Token: token}.Sign(header, incomplete),
			"alerts: a signed delivery needs a timestamp, a nonce and a content hash")
		assert.Empty(t, header)
	}
	require.NoError(t,
		receiver(alerts.WithTolerance(math.MaxInt64/2), alerts.WithTolerance(1), alerts.WithMaxBody(1),
			alerts.WithReadTimeout(1), alerts.WithMaxTracked(1)))
	require.Error(t, receiver(alerts.WithTolerance(math.MaxInt64/2+1)))
	assert.Equal(t, "alerts: unusable header", alerts.ErrHeader.Error())
}

// TestReceiver_refusalStatesReason looks at the whole response to a delivery that is not taken over, and at the log.
func TestReceiver_refusalStatesReason(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *http.Request)
		reply  error
		memory scriptedMemory
		status int
		says   string
		header map[string]string
		cause  string
	}{
		"another method": {change: func(r *http.Request) { r.Method = "PUT" }, status: 405,
			says: "a delivery is a POST or a GET", header: map[string]string{"Allow": "GET, POST"}},
		"too old": {change: func(r *http.Request) { sign(t, r, "nonce-1", noon.Add(-5*time.Minute-time.Second)) },
			status: 401, says: "the timestamp is too far from the present"},
		"another hash": {change: func(r *http.Request) { r.URL.RawQuery = "hash=other" }, status: 401,
			says: "the content does not have the hash that was signed"},
		"no JSON": {change: func(r *http.Request) { r.Body = http.NoBody }, status: 400,
			says: "the payload is not JSON"},
		"no UTF-8": {change: func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("\"\xff\"")) }, status: 400,
			says: "the payload is not JSON"},
		"a GET of one byte": {change: func(r *http.Request) {
			r.Method, r.Body = http.MethodGet, io.NopCloser(strings.NewReader("?"))
		}, status: 400, says: "the payload is not JSON"},
		"compressed": {change: func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, status: 415,
			says: "the body must not have a Content-Encoding"},
		"no nonce": {change: func(r *http.Request) { clear(r.Header) }, status: 400,
			says: "a header is missing or cannot be read", cause: "alerts: unusable header"},
		"another signature": {change: func(r *http.Request) {
			signBy(t, r, scalar.NewSecret("another"), "nonce-1", noon)
		}, status: 401, says: "the delivery is not verified", cause: "alerts: the delivery is not verified"},
		"too large": {change: func(r *http.Request) { r.ContentLength = 101 }, status: 413,
			says: "the body is too large"},
		"larger than said": {change: func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat(" ", 101))), -1
		}, status: 413, says: "the body is too large"},
		"a broken body": {
			change: func(r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(errors.New("made-up failure"))) },
			status: 400, says: "the body cannot be read", cause: "made-up failure"},
		"a slow body": {change: func(r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(os.ErrDeadlineExceeded)) },
			status: 408, says: "the body did not arrive in time", cause: "i/o timeout"},
		"no memory": {memory: scriptedMemory{claiming: errors.New("made-up failure")}, status: 503,
			says: "the store of deliveries failed", cause: "made-up failure"},
		"under way": {memory: scriptedMemory{claim: alerts.Claim{Status: alerts.ClaimInProgress}}, status: 503,
			says: "the delivery is in progress"},
		"altered": {memory: scriptedMemory{claim: alerts.Claim{Status: alerts.ClaimConflict}}, status: 409,
			says: "the nonce or the signature belongs to another delivery"},
		"no room": {memory: scriptedMemory{claim: alerts.Claim{Status: alerts.ClaimStoreFull}}, status: 503,
			says: "too many deliveries in a short time"},
		"a lost claim": {memory: scriptedMemory{settling: alerts.ErrClaimLost}, status: 503,
			says: "another receiver is processing the delivery", cause: alerts.ErrClaimLost.Error()},
		"a failure": {reply: errors.New("made-up failure"), status: 500, says: "the callback failed",
			cause: "made-up failure"},
		"not wanted": {reply: alerts.Permanent(errors.New("made-up failure")), status: 422,
			says: "the callback rejected the delivery", cause: "made-up failure"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			c.memory.claim.Status = cmp.Or(c.memory.claim.Status, alerts.ClaimGranted)
			receiver := must(alerts.NewReceiver(byHMAC(t, token),
				func(context.Context, *alerts.Delivery) error { return c.reply },
				alerts.WithClock(func() time.Time { return noon }), alerts.WithMaxBody(100),
				alerts.WithLogger(slog.New(slog.NewJSONHandler(&log, nil))),
				alerts.WithContentHash(func(r *http.Request, _ []byte) string { return "hash-1" + r.URL.RawQuery }),
				alerts.WithDedupStore(&c.memory)))(t)
			r := httptest.NewRequest(http.MethodPost, "/",
				strings.NewReader(payloadText+strings.Repeat(" ", 100-len(payloadText))))
			sign(t, r, "nonce-1", noon)
			if c.change != nil {
				c.change(r)
			}
			w := httptest.NewRecorder()
			receiver.ServeHTTP(w, r)
			assert.Equal(t, c.status, w.Code)
			assert.Equal(t, c.says+"\n", w.Body.String(), "the cause is for the log alone")
			assert.Equal(t, c.header["Allow"], w.Header().Get("Allow"))
			assert.Equal(t, c.status == 503, w.Header().Get("Retry-After") == "1")
			var line map[string]any
			require.NoError(t, json.Unmarshal(log.Bytes(), &line))
			assert.Equal(t, "alerts: delivery rejected", line["msg"])
			assert.Equal(t, c.says, line["reason"])
			assert.InDelta(t, c.status, line["status"], 0)
			if c.cause == "" {
				assert.Nil(t, line["error"])
			} else {
				assert.Contains(t, line["error"], c.cause)
			}
		})
	}
}

// TestReceiver_logEscapesControlCharacters has a callback with an error that quotes the delivery.
func TestReceiver_logEscapesControlCharacters(t *testing.T) {
	var logged error
	cause := errors.New("cannot take \x1b[2J\n\u202e")
	receiver := must(alerts.NewReceiver(byHMAC(t, token),
		func(context.Context, *alerts.Delivery) error { return errors.Join(cause, cause) },
		alerts.WithClock(func() time.Time { return noon }),
		alerts.WithLogger(
			slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == "error" {
					logged, _ = a.Value.Any().(error)
				}
				return a
			}})))))(t)
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(payloadText))
	sign(t, r, "nonce-1", noon)
	receiver.ServeHTTP(httptest.NewRecorder(), r)
	require.EqualError(t, logged, `cannot take \x1b[2J\n\u202e\ncannot take \x1b[2J\n\u202e`)
	require.ErrorIs(t, logged, cause)
}

// TestReceiver_expiredLeaseCancelsCallback waits in a callback for the end of its lease.
func TestReceiver_expiredLeaseCancelsCallback(t *testing.T) {
	memory := scriptedMemory{claim: alerts.Claim{Status: alerts.ClaimGranted, Lease: time.Nanosecond}}
	hook := listen(t, byHMAC(t, token), alerts.WithDedupStore(&memory))
	hook.answers(func(ctx context.Context, _ *alerts.Delivery) error {
		<-ctx.Done()
		assert.EqualError(t, context.Cause(ctx), "alerts: the lease of the delivery has expired")
		return ctx.Err()
	})
	assert.Equal(t, http.StatusInternalServerError, hook.status(hook.signed("n1")))
}

// TestIdentity_isStableAcrossVersions holds the marks against how they are made: receivers of several versions of this
// library may share a memory of them.
func TestIdentity_isStableAcrossVersions(t *testing.T) {
	hash := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	whole := sha256.New()
	for _, part := range []string{"nonce n", "content hash h", "signature s"} {
		sum := sha256.Sum256([]byte(part))
		whole.Write(sum[:])
	}
	id := (&alerts.Headers{Nonce: "n", ContentHash: "h", Signature: "s"}).Identity()
	assert.Equal(t, []string{hash("nonce n"), hash("signature s")}, []string{id.Keys[0].String(), id.Keys[1].String()})
	assert.Equal(t, hex.EncodeToString(whole.Sum(nil)), id.Sum.String())
}

// TestVerifiers_copyTokens changes the list that it was made of.
func TestVerifiers_copyTokens(t *testing.T) {
	tokens := []scalar.Secret{token}
	signed := must(alerts.NewHMACVerifier(tokens, alerts.HeaderNames{}))(t)
	plain := must(alerts.NewTokenVerifier("X-Token", tokens))(t)
	tokens[0] = scalar.NewSecret("another")
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	sign(t, r, "nonce-1", noon)
	r.Header.Set("X-Token", tokenText)
	require.NoError(t, errOf(signed.Verify(r.Header)))
	require.NoError(t, errOf(plain.Verify(r.Header)))
}
