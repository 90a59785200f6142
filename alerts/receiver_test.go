package alerts_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

func TestReceiver_acceptsValidDeliveries(t *testing.T) {
	for name, test := range map[string]struct {
		method, query, body string
		encoding            []string
	}{
		"a POST":              {http.MethodPost, "", payloadText, nil},
		"a GET with a body":   {http.MethodGet, "", payloadText, []string{""}},
		"a GET without":       {http.MethodGet, "block=7;a&b", "", nil},
		"a digit":             {http.MethodPost, "", "7", []string{"identity"}},
		"JSON with space":     {http.MethodPost, "", " [1]\n", []string{"Identity"}},
		"JSON that is a null": {http.MethodPost, "", "null", nil},
	} {
		t.Run(name, func(t *testing.T) {
			hook := listen(t, byHMAC(t, token), alerts.WithPayloadType(alerts.PayloadTypeLayout5))
			request := hook.signed("n1")
			request.Method, request.URL.RawQuery = test.method, test.query
			request.Header["Content-Encoding"] = test.encoding
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
	request := hook.signed("n1")
	stamp := alerts.Headers{Timestamp: noon, Nonce: "n1", ContentHash: hash(request, []byte(payloadText))}
	require.NoError(t, alerts.Signer{Token: token}.Sign(request.Header, stamp))
	other := copyOf(t, request)
	other.URL.RawQuery = "block=8"
	assert.Equal(t, http.StatusUnauthorized, hook.status(other))
	assert.Zero(t, hook.runs())
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
		"alerts: the store of deliveries must not be nil":             receiver(alerts.WithDedupStore(nil, 0)),
		"alerts: the timeout of a callback must be at least a second": receiver(
			alerts.WithDedupStore(&scriptedMemory{}, time.Second-1)),
		"alerts: the clock must not be nil":  receiver(alerts.WithClock(nil)),
		"alerts: the logger must not be nil": receiver(alerts.WithLogger(nil)),
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
			alerts.WithReadTimeout(1), alerts.WithMaxTracked(1), alerts.WithDedupStore(&scriptedMemory{}, time.Second)))
	require.Error(t, receiver(alerts.WithTolerance(math.MaxInt64/2+1)))
	assert.Equal(t, "alerts: unusable header", alerts.ErrHeader.Error())
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
