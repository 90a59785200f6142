package webhooks_test

import (
	"bytes"
	"context"
	"errors"
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

	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

func TestReceiver_acceptsValidDeliveries(t *testing.T) {
	for name, test := range map[string]struct {
		method, query, payload string
		encoding               []string
		prefix                 string
	}{
		"a POST":              {http.MethodPost, "", payloadText, nil, ""},
		"a prefix":            {http.MethodPost, "", payloadText, nil, "sha256="},
		"a GET with a body":   {http.MethodGet, "", payloadText, []string{""}, ""},
		"a GET without":       {http.MethodGet, "block=7;a&b", "", nil, ""},
		"a digit":             {http.MethodPost, "", "7", []string{"identity"}, ""},
		"JSON with space":     {http.MethodPost, "", " [1]\n", []string{"Identity"}, ""},
		"JSON that is a null": {http.MethodPost, "", "null", nil, ""},
		"gzip":                {http.MethodPost, "", payloadText, []string{"gzip"}, ""},
		"much in little gzip": {http.MethodPost, "", "{}" + strings.Repeat(" ", 1<<20-2), []string{"GZIP"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			hook := listen(t, verifier(t, token))
			request := hook.signed("n1")
			signFor(t, request, "n1", noon, test.payload)
			signature := request.Header.Get("x-qn-signature")
			request.Header.Set("x-qn-signature", test.prefix+signature)
			request.Method, request.URL.RawQuery = test.method, test.query
			request.Header["Content-Encoding"] = test.encoding
			body := test.payload
			if strings.EqualFold(request.Header.Get("Content-Encoding"), "gzip") {
				half := len(body) / 2
				body = zipped(t, body[:half]) + zipped(t, body[half:])
			}
			request.Body, request.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
			require.Equal(t, http.StatusOK, hook.status(request))
			require.Len(t, hook.ran, 1)
			got := hook.ran[0]
			assert.Equal(t, test.payload, string(got.Payload))
			assert.Nil(t, got.Batch)
			assert.Equal(t, test.method, got.Method)
			assert.Equal(t, test.query, got.RawQuery)
			assert.Equal(t, webhooks.Headers{Nonce: "n1", Timestamp: noon.Local(), Signature: signature}, got.Headers)
		})
	}
}

// TestReceiver_ignoresUnsignedPing: the service expects a 200. The body, which anybody may have sent, is not read.
func TestReceiver_ignoresUnsignedPing(t *testing.T) {
	var log bytes.Buffer
	receiver := newReceiver(t, func(context.Context, *webhooks.Delivery) error {
		t.Error("the callback runs")
		return nil
	}, webhooks.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		request := httptest.NewRequest(method, "/", untouched{t})
		request.Header.Set("Content-Encoding", "gzip")
		w := httptest.NewRecorder()
		receiver.ServeHTTP(w, request)
		assert.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, "the request is not signed, and is ignored\n", w.Body.String())
		assert.Contains(t, log.String(), "level=WARN")
	}
}

func TestReceiver_readsMetadataOfStreams(t *testing.T) {
	for headers, want := range map[string]webhooks.Batch{
		"batch-start-range: 100\nbatch-end-range: 109\nstream-start-range: 0\nstream-end-range: -1\nstream-id: s-1\n" +
			"stream-name: all blocks\nstream-network: ethereum-mainnet\nstream-dataset: block": {
			StreamID: "s-1", StreamName: "all blocks", Network: "ethereum-mainnet", Dataset: "block",
			Start: new(int64(100)), End: new(int64(109)), StreamStart: new(int64(0)), StreamEnd: new(int64(-1))},
		"batch-start-range: 9007199254740993":                             {Start: new(int64(9007199254740993))},
		"stream-id: s-1\nbatch-start-range: latest\nbatch-end-range: 1e3": {StreamID: "s-1"},
	} {
		hook := listen(t, verifier(t, token))
		request := hook.signed("n1")
		for line := range strings.SplitSeq(headers, "\n") {
			name, value, _ := strings.Cut(line, ": ")
			request.Header.Set(name, value)
		}
		require.Equal(t, http.StatusOK, hook.status(request))
		assert.Equal(t, &want, hook.ran[0].Batch)
	}
}

func TestReceiver_toleranceIncludesBothEnds(t *testing.T) {
	hook := listen(t, verifier(t, token))
	early, late, again := hook.signed("n1"), hook.signed("n2"), hook.signed("n2")
	hook.now = hook.now.Add(5 * time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(early))
	hook.now = hook.now.Add(1)
	assert.Equal(t, http.StatusUnauthorized, hook.status(late))
	hook.now = hook.now.Add(-10*time.Minute - 1)
	assert.Equal(t, http.StatusOK, hook.status(again))
}

func TestReceiver_logsWithoutSecrets(t *testing.T) {
	var log bytes.Buffer
	hook := listen(t, verifier(t, token), webhooks.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	request := hook.signed("n1")
	signature := request.Header.Get("x-qn-signature")
	request.Header.Set("x-qn-nonce", "n2") // Which makes it a forgery.
	text := hook.send(request).Body.String()
	request.Header.Del("x-qn-timestamp")
	text += hook.send(request).Body.String()
	for range 2 {
		assert.Equal(t, http.StatusOK, hook.status(hook.signed("n3")))
	}
	assert.Equal(t, 1, strings.Count(log.String(), "level=INFO msg=\"webhooks: duplicate delivery\""))
	for _, secret := range []string{tokenText, signature, "matched"} {
		assert.NotContains(t, log.String()+text, secret)
	}
}

// TestConstructors_nameInvalidArguments makes receivers, verifiers and signatures from arguments that are not valid.
func TestConstructors_nameInvalidArguments(t *testing.T) {
	nothing := func(context.Context, *webhooks.Delivery) error { return nil }
	receiver := func(options ...webhooks.ReceiverOption) error {
		return errOf(webhooks.NewReceiver(verifier(t, token), nothing, options...))
	}
	tokens := func(tokens ...scalar.Secret) error { return errOf(webhooks.NewVerifier(tokens)) }
	const tolerance = "the tolerance must be more than zero, and at most half of the longest time.Duration"
	for want, err := range map[string]error{
		"a receiver needs a verifier":                         errOf(webhooks.NewReceiver(nil, nothing)),
		"a receiver needs a callback":                         errOf(webhooks.NewReceiver(verifier(t, token), nil)),
		"a verifier needs at least one token":                 tokens(),
		"token 2 of the verifier is empty":                    tokens(token, scalar.Secret{}),
		"an option of a receiver must not be nil":             receiver(nil),
		"the maximum body size must be at least 1 byte":       receiver(webhooks.WithMaxBody(0)),
		"the number of tracked deliveries must be at least 1": receiver(webhooks.WithMaxTracked(0)),
		"the store of deliveries must not be nil":             receiver(webhooks.WithDedupStore(nil, 0)),
		"the timeout of a callback must be at least a second": receiver(
			webhooks.WithDedupStore(&scriptedMemory{}, time.Second-1)),
		"the clock must not be nil":  receiver(webhooks.WithClock(nil)),
		"the logger must not be nil": receiver(webhooks.WithLogger(nil)),
		tolerance:                    receiver(webhooks.WithTolerance(0)),
		"token 1 of the verifier was redacted; encode with scalar.WithSecrets": tokens(scalar.NewSecret("[redacted]")),
	} {
		assert.EqualError(t, err, "webhooks: "+want)
	}
	signer, header := webhooks.Signer{Token: token}, http.Header{}
	for _, err := range []error{signer.Sign(nil, "n", noon, nil), signer.Sign(header, "", noon, nil),
		signer.Sign(header, "n", time.Time{}, nil), webhooks.Signer{}.Sign(header, "n", noon, nil)} {
		assert.EqualError(t, err, "webhooks: a signature needs a token, a header, a nonce and a time after 1970")
	}
	require.NoError(t, receiver(webhooks.WithTolerance(math.MaxInt64/2), webhooks.WithTolerance(1),
		webhooks.WithMaxBody(1), webhooks.WithMaxTracked(1), webhooks.WithDedupStore(&scriptedMemory{}, time.Second)))
	require.EqualError(t, receiver(webhooks.WithTolerance(math.MaxInt64/2+1)), "webhooks: "+tolerance)
}

// TestReceiver_logEscapesControlCharacters has a callback with an error that quotes the delivery.
func TestReceiver_logEscapesControlCharacters(t *testing.T) {
	var log bytes.Buffer
	memory := &scriptedMemory{status: webhooks.ClaimGranted}
	memory.send(t.Context(), t, &log, func(context.Context, *webhooks.Delivery) error {
		return errors.New("cannot take \x1b[2J\n\u202e")
	})
	assert.Contains(t, log.String(), `"error":"cannot take \\x1b[2J\\n\\u202e"`) // In JSON.
}
