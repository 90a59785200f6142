package alerts_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestReceiverAccepts(t *testing.T) {
	for name, test := range map[string]struct {
		method, query, body string
	}{
		"a POST":              {http.MethodPost, "", payloadText},
		"a GET with a body":   {http.MethodGet, "", payloadText},
		"a GET without":       {http.MethodGet, "block=7;a&b", ""},
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

func TestReceiverRefuses(t *testing.T) {
	resign := func(t *testing.T, r *http.Request, by string, at time.Time) {
		stamp := alerts.Headers{Timestamp: at, Nonce: "n1", ContentHash: "hash-1"}
		require.NoError(t, alerts.Signer{Token: scalar.NewSecret(by)}.Sign(r.Header, stamp))
	}
	without := func(name string) func(*testing.T, *http.Request) {
		return func(_ *testing.T, r *http.Request) { r.Header.Del(name) }
	}
	with := func(name, value string) func(*testing.T, *http.Request) {
		return func(_ *testing.T, r *http.Request) { r.Header.Set(name, value) }
	}
	at := func(offset time.Duration) func(*testing.T, *http.Request) {
		return func(t *testing.T, r *http.Request) { resign(t, r, tokenText, noon.Add(offset)) }
	}
	for name, test := range map[string]struct {
		status int
		spoil  func(*testing.T, *http.Request)
	}{
		"HEAD":                     {405, func(_ *testing.T, r *http.Request) { r.Method = http.MethodHead }},
		"no timestamp":             {400, without("x-qn-timestamp")},
		"no nonce":                 {400, without("x-qn-nonce")},
		"no content hash":          {400, without("x-qn-content-hash")},
		"no signature":             {400, without("x-qn-signature")},
		"an empty nonce":           {400, with("x-qn-nonce", "")},
		"a nonce twice":            {400, func(_ *testing.T, r *http.Request) { r.Header.Add("x-qn-nonce", "n2") }},
		"a timestamp of words":     {400, with("x-qn-timestamp", "yesterday")},
		"a signature of no base64": {400, with("x-qn-signature", "?")},
		"a signature with bits behind its end": {400, func(_ *testing.T, r *http.Request) {
			signature := []byte(r.Header.Get("x-qn-signature"))
			signature[len(signature)-2]++ // The last letter before the padding stands for four bits, and two more.
			r.Header.Set("x-qn-signature", string(signature))
		}},
		"another signature":    {401, with("x-qn-signature", "AAAA")},
		"another nonce":        {401, with("x-qn-nonce", "n2")},
		"another content hash": {401, with("x-qn-content-hash", "hash-2")},
		"another timestamp":    {401, with("x-qn-timestamp", "1773144001")},
		"an unknown token":     {401, func(t *testing.T, r *http.Request) { resign(t, r, "made-up-other-token", noon) }},
		"an old timestamp":     {401, at(-5*time.Minute - time.Second)},
		"a timestamp to come":  {401, at(5*time.Minute + time.Second)},
		"a very old timestamp": {401, at(-200 * 365 * 24 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			hook := listen(t, byHMAC(t, token))
			request := hook.signed("n1")
			test.spoil(t, request)
			assert.Equal(t, test.status, hook.status(request))
			assert.Zero(t, hook.runs())

			assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")), "a refused delivery uses up no nonce")
		})
	}
}

func TestReceiverToleranceHasBothEndsIncluded(t *testing.T) {
	hook := listen(t, byHMAC(t, token), alerts.WithTolerance(time.Minute))
	early, late := hook.signed("n1"), hook.signed("n2")
	hook.advance(time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(early))
	hook.advance(time.Second)
	assert.Equal(t, http.StatusUnauthorized, hook.status(copyOf(t, late)))
	hook.advance(-2*time.Minute - time.Second)
	assert.Equal(t, http.StatusOK, hook.status(late))
}

func TestReceiverChecksTheContentHash(t *testing.T) {
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

func TestReceiverWithoutAServer(t *testing.T) {
	receiver, err := alerts.NewReceiver(byHMAC(t, token), func(context.Context, *alerts.Delivery) error { return nil })
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://hook.example", nil)
	require.NoError(t, err)
	stamp := alerts.Headers{Timestamp: time.Now(), Nonce: "n1", ContentHash: "hash-1"}
	require.NoError(t, alerts.Signer{Token: token}.Sign(request.Header, stamp))
	response := httptest.NewRecorder()
	receiver.ServeHTTP(response, request)
	assert.Equal(t, http.StatusOK, response.Code, "a request without a body at all")
}

func TestReceiverLogsWithoutSecrets(t *testing.T) {
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
	assert.Equal(t, 1, strings.Count(log.String(), "level=INFO msg=\"alerts: delivery came again\""))
	for _, secret := range []string{tokenText, signature, "matched"} {
		assert.NotContains(t, log.String()+text+more, secret)
	}
}
