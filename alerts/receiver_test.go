package alerts_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
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

func TestReceiver_toleranceIncludesBothEnds(t *testing.T) {
	hook := listen(t, byHMAC(t, token), alerts.WithTolerance(time.Minute))
	early, late := hook.signed("n1"), hook.signed("n2")
	hook.advance(time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(early))
	hook.advance(time.Second)
	assert.Equal(t, http.StatusUnauthorized, hook.status(copyOf(t, late)))
	hook.advance(-2*time.Minute - time.Second)
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
