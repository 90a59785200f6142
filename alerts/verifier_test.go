package alerts_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

const (
	tokenText = "made-up-destination-token"
	// The signature of the observed scheme, made by other means:
	// printf 'nonce-1hash-11773144000' | openssl dgst -sha256 -hmac made-up-destination-token -binary | base64
	knownSignature = "79/Ol+qq+cwvI42BGvgtdqfxSO2J5QEGi2rnGY9KJ6E="
)

var noon = time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)

// contentHash computes the content hash of a request.
type contentHash func(r *http.Request, payload []byte) string

func verifier(t testing.TB, hash contentHash, tokens ...string) *alerts.HMACVerifier {
	t.Helper()
	secrets := make([]scalar.Secret, len(tokens))
	for i, token := range tokens {
		secrets[i] = scalar.NewSecret(token)
	}
	v, err := alerts.NewHMACVerifier(secrets, hash)
	require.NoError(t, err)
	clear(secrets) // The verifier has a copy.
	return v
}

func headersOf(stamp, nonce, hash, signature string) http.Header {
	return http.Header{
		"X-Qn-Timestamp": {stamp}, "X-Qn-Nonce": {nonce}, "X-Qn-Content-Hash": {hash}, "X-Qn-Signature": {signature},
	}
}

// signatureOf signs by other means than the package does.
func signatureOf(text string) string {
	mac := hmac.New(sha256.New, []byte(tokenText))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// hook is a receiver of deliveries, with its clock and the number of times that its callback ran.
type hook struct {
	*webhooks.Receiver
	now  time.Time
	runs int
}

func listen(t *testing.T, hash contentHash) *hook {
	t.Helper()
	h := &hook{now: noon}
	var err error
	h.Receiver, err = webhooks.NewReceiver(verifier(t, hash, tokenText),
		func(context.Context, *webhooks.Delivery) error { h.runs++; return nil },
		webhooks.WithClock(func() time.Time { return h.now }))
	require.NoError(t, err)
	return h
}

// send sends a delivery, and returns the status of the response.
func (h *hook) send(header http.Header, query, body string) int {
	request := httptest.NewRequest(http.MethodGet, "/?"+query, strings.NewReader(body))
	request.Header = header
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request)
	return w.Code
}

func TestHMACSigner_signsObservedScheme(t *testing.T) {
	header, s := http.Header{}, alerts.HMACSigner{Token: scalar.NewSecret(tokenText)}
	require.NoError(t, s.Sign(header, "nonce-1", "hash-1", noon))
	assert.Equal(t, headersOf("1773144000", "nonce-1", "hash-1", knownSignature), header)
	assert.Equal(t, http.StatusOK, listen(t, nil).send(header, "", "{}"))
	for _, err := range []error{alerts.HMACSigner{}.Sign(http.Header{}, "n", "h", noon), s.Sign(nil, "n", "h", noon),
		s.Sign(http.Header{}, "", "h", noon), s.Sign(http.Header{}, "n", "", noon),
		s.Sign(http.Header{}, "n", "h", time.Time{})} {
		require.EqualError(t, err, "alerts: a signature needs a token, a header, a nonce, a content hash and a time")
	}
}

func TestHMACVerifier_refusesInvalidHeaders(t *testing.T) {
	for _, test := range []struct {
		header string
		values []string
		status int
	}{
		{"X-Qn-Timestamp", nil, 400}, {"X-Qn-Nonce", nil, 400}, {"X-Qn-Content-Hash", nil, 400},
		{"X-Qn-Signature", nil, 400}, {"X-Qn-Nonce", []string{""}, 400}, {"X-Qn-Nonce", []string{"nonce-1", "nonce-1"}, 400},
		{"X-Qn-Timestamp", []string{"yesterday"}, 400}, {"X-Qn-Signature", []string{"?"}, 400},
		{"X-Qn-Signature", []string{knownSignature[:42] + "F="}, 400}, {"X-Qn-Signature", []string{"AAAA"}, 401},
		{"X-Qn-Nonce", []string{"nonce-2"}, 401}, {"X-Qn-Content-Hash", []string{"hash-2"}, 401},
		{"X-Qn-Timestamp", []string{"1773144001"}, 401},
	} {
		h := listen(t, nil)
		header := headersOf("1773144000", "nonce-1", "hash-1", knownSignature)
		header[test.header] = test.values
		assert.Equal(t, test.status, h.send(header, "", "{}"), "%s: %q", test.header, test.values)
		assert.Zero(t, h.runs)
	}
}

func TestHMACVerifier_readsTimestampFormats(t *testing.T) {
	v := verifier(t, nil, tokenText)
	for _, spelling := range []string{
		"1773144000", "1773144000000", "2026-03-10T13:00:00.000+01:00", "2026-03-10 12:00:00 +0000 UTC",
		"2026-03-10 09:00:00 -0300 -03",
	} {
		signature := signatureOf("n1h1" + spelling)
		headers, err := v.ReadHeaders(headersOf(spelling, "n1", "h1", signature))
		require.NoError(t, err, spelling)
		assert.True(t, noon.Equal(headers.Timestamp))
		_, err = v.ReadHeaders(headersOf("1773144000.0", "n1", "h1", signature))
		assert.Error(t, err, "the spelling was signed, and not the time")
	}
}

func TestHMACVerifier_acceptsEachRotatedToken(t *testing.T) {
	v := verifier(t, nil, tokenText, "a second")
	for signer, known := range map[string]bool{tokenText: true, "a second": true, "a third": false} {
		header := http.Header{}
		require.NoError(t, alerts.HMACSigner{Token: scalar.NewSecret(signer)}.Sign(header, "n1", "h1", noon))
		_, err := v.ReadHeaders(header)
		assert.Equal(t, known, err == nil)
	}
	_, err := alerts.NewHMACVerifier(nil, nil)
	require.EqualError(t, err, "webhooks: a verifier needs at least one token")
}

// TestHMACVerifier_shiftedHeadersAreNotExecuted: the signed text has nothing between its parts, so that letters can be
// moved from one part to the next without breaking the signature.
func TestHMACVerifier_shiftedHeadersAreNotExecuted(t *testing.T) {
	for _, moved := range []struct{ stamp, nonce, hash string }{
		{"1773144000", "nonce-1", "2hash-0"}, {"1773144000", "nonce-12h", "ash-0"},
		{"01773144000", "nonce-12", "hash-"}, {"1773144000", "nonce-12", "hash-0"},
	} {
		h, signature := listen(t, nil), signatureOf("nonce-12hash-01773144000")
		assert.Equal(t, http.StatusOK, h.send(headersOf("1773144000", "nonce-12", "hash-0", signature), "", "{}"))
		assert.Equal(t, http.StatusOK, h.send(headersOf(moved.stamp, moved.nonce, moved.hash, signature), "", "{}"))
		assert.Equal(t, 1, h.runs, moved)
	}
}

// TestHMACVerifier_checksContentHash shows a gap in the observed scheme once the signature is forgotten, and that a
// function for the content hash closes it: some digits of the content hash make one in milliseconds of a timestamp in
// seconds, and one in milliseconds is one in seconds without its first digits.
func TestHMACVerifier_checksContentHash(t *testing.T) {
	for name, test := range map[string]struct {
		hash, stamp, movedHash, movedStamp string
	}{
		"into it":   {"hash-178", "1773144000", "hash-", "1781773144000"},
		"out of it": {"hash-1", "1771780000000", "hash-1177", "1780000000"},
	} {
		t.Run(name, func(t *testing.T) {
			signature := signatureOf("n1" + test.hash + test.stamp)
			genuine, moved := headersOf(test.stamp, "n1", test.hash, signature),
				headersOf(test.movedStamp, "n1", test.movedHash, signature)
			send := func(h *hook, header http.Header, query, body string) int {
				headers, err := verifier(t, nil, tokenText).ReadHeaders(header)
				require.NoError(t, err)
				h.now = headers.Timestamp
				return h.send(header, query, body)
			}
			open := listen(t, nil)
			assert.Equal(t, http.StatusOK, send(open, genuine, "", "{}"))
			assert.Equal(t, http.StatusOK, send(open, moved, "", "{}"), "as HMACVerifier says")

			closed := listen(t, func(r *http.Request, payload []byte) string {
				return test.hash + string(payload[2:]) + r.URL.RawQuery
			})
			assert.Equal(t, http.StatusUnauthorized, send(closed, genuine, "", "{} "), "another body")
			assert.Equal(t, http.StatusUnauthorized, send(closed, genuine, "block=8", "{}"))
			assert.Zero(t, closed.runs)
			assert.Equal(t, http.StatusOK, send(closed, genuine, "", "{}"))
			assert.Equal(t, http.StatusUnauthorized, send(closed, moved, "", "{}"))
			assert.Equal(t, 1, closed.runs)
		})
	}
}

func FuzzVerify(f *testing.F) {
	for _, stamp := range []string{"1773144000", "1773144000000", "2026-03-10 12:00:00 +0000 UTC", "2026-03-10", "",
		"1e400", "2026-03-10 13:00:00 +0100 CET m=+0.123", "9999999999999999999"} {
		f.Add(stamp, "nonce-1", "hash-1", knownSignature)
	}
	f.Add("1773144000", "nonce-", "1hash-1", knownSignature+"\n")
	f.Add("1773144000", "n\x00", "\xff", "AAAA")
	f.Add("1773144000", "", "", "?")
	f.Fuzz(func(t *testing.T, stamp, nonce, hash, signature string) {
		v, signed := verifier(t, nil, tokenText), signatureOf(nonce+hash+stamp)
		headers, err := v.ReadHeaders(headersOf(stamp, nonce, hash, signature))
		if err == nil {
			given, err := base64.StdEncoding.DecodeString(signature)
			require.NoError(t, err)
			assert.Equal(t, signed, base64.StdEncoding.EncodeToString(given), "only the right signature is accepted")
			assert.Equal(t, signed, headers.Signature)
		}
		headers, err = v.ReadHeaders(headersOf(stamp, nonce, hash, signed))
		if err != nil {
			require.ErrorIs(t, err, webhooks.ErrHeader, "the right signature is accepted with readable headers")
			assert.Equal(t, webhooks.Headers{}, headers)
			return
		}
		assert.False(t, headers.Timestamp.IsZero())
		assert.Equal(t, []string{nonce, hash, signed}, []string{headers.Nonce, headers.ContentHash, headers.Signature})
		assert.NotContains(t, []string{nonce, hash}, "")
	})
}
