package alerts_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The signature of the observed scheme, made by other means:
// printf 'nonce-1hash-11773144000' | openssl dgst -sha256 -hmac made-up-destination-token -binary | base64
const knownSignature = "79/Ol+qq+cwvI42BGvgtdqfxSO2J5QEGi2rnGY9KJ6E="

func TestSigner_signsObservedScheme(t *testing.T) {
	request := newRequest(t)
	stamp := alerts.Headers{Timestamp: noon, Nonce: "nonce-1", ContentHash: "hash-1"}
	require.NoError(t, alerts.Signer{Token: token}.Sign(request.Header, stamp))
	assert.Equal(t, http.Header{
		"X-Qn-Timestamp":    {"1773144000"},
		"X-Qn-Nonce":        {"nonce-1"},
		"X-Qn-Content-Hash": {"hash-1"},
		"X-Qn-Signature":    {knownSignature},
	}, request.Header)
	require.NoError(t, errOf(byHMAC(t, token).Verify(request.Header)))
}

func TestHMACVerifier_readsTimestampFormats(t *testing.T) {
	for _, spelling := range []string{
		"1773144000", "1773144000000", "2026-03-10T12:00:00Z", "2026-03-10T13:00:00.000+01:00",
		"2026-03-10 12:00:00 +0000 UTC", "2026-03-10 12:00:00.000000000 +0000 UTC", "2026-03-10 13:00:00 +0100 CET",
		"2026-03-10 09:00:00 -0300 -03",
	} {
		signature := signatureOf("n1h1" + spelling)
		headers, err := byHMAC(t, token).Verify(headersOf(spelling, "n1", "h1", signature))
		require.NoError(t, err, spelling)
		assert.True(t, noon.Equal(headers.Timestamp))
		_, err = byHMAC(t, token).Verify(headersOf("1773144000.0", "n1", "h1", signature))
		assert.Error(t, err, "the spelling was signed, and not the time")
	}
}

// TestHMACVerifier_refusesShiftedDates cuts the signed text at every other place: no cut turns something else into a
// timestamp that begins with a date, or such a timestamp into something else.
func TestHMACVerifier_refusesShiftedDates(t *testing.T) {
	for _, stamp := range []string{
		"2026-03-10T12:00:00Z", "2026-03-10T13:00:00.123456+01:00", "2026-03-10 12:00:00", "2026-03-10",
		"2026-03-10 12:00:00.123456789 +0000 UTC",
	} {
		for _, hash := range []string{"1773144000", "20262026202", "-2026", "e-+.:TZ", "2026-03-1", "12026-03-"} {
			text := hash + stamp
			for cut := range len(text) {
				headers, err := alerts.ReadHeaders(headersOf(text[cut:], "n1", text[:cut], "AAAA"), alerts.HeaderNames{})
				if cut == len(hash) {
					require.NoError(t, err, stamp)
					continue
				}
				near := headers.Timestamp.Sub(noon).Abs() < 30*365*24*time.Hour
				assert.False(t, err == nil && near, "%q after %q", text[cut:], text[:cut])
			}
		}
	}
}

func TestHMACVerifier_usesCustomHeaderNames(t *testing.T) {
	names := alerts.HeaderNames{Timestamp: "Hook-Time", Nonce: "Hook-Id", ContentHash: "Hook-Hash",
		Signature: "Hook-Signature"}
	verifier := must(alerts.NewHMACVerifier([]scalar.Secret{token}, names))(t)
	request := newRequest(t)
	stamp := alerts.Headers{Timestamp: noon, Nonce: "n1", ContentHash: "h1"}
	require.NoError(t, alerts.Signer{Token: token, HeaderNames: names}.Sign(request.Header, stamp))
	assert.Len(t, request.Header, 4)
	assert.Equal(t, "n1", must(verifier.Verify(request.Header))(t).Nonce)
	require.ErrorIs(t, errOf(byHMAC(t, token).Verify(request.Header)), alerts.ErrHeader)
}

func TestVerifiers_acceptEachRotatedToken(t *testing.T) {
	other := scalar.NewSecret("made-up-second-token")
	signedBy := func(token scalar.Secret) *http.Request {
		request := newRequest(t)
		signBy(t, request, token, "n1", noon)
		request.Header.Set("x-shared", token.Reveal())
		return request
	}
	shared := func(tokens ...scalar.Secret) alerts.Verifier {
		return must(alerts.NewTokenVerifier("x-shared", tokens))(t)
	}
	for name, verifierOf := range map[string]func(...scalar.Secret) alerts.Verifier{
		"HMAC":  func(tokens ...scalar.Secret) alerts.Verifier { return byHMAC(t, tokens...) },
		"token": shared,
	} {
		for _, tokens := range [][]scalar.Secret{{token}, {token, other}, {other, token}, {other}} {
			for _, signer := range []scalar.Secret{token, other} {
				given := slices.Clone(tokens)
				verifier := verifierOf(given...)
				clear(given) // The verifier has a copy.
				_, err := verifier.Verify(signedBy(signer).Header)
				known := slices.ContainsFunc(tokens, signer.Equal)
				assert.Equal(t, known, err == nil, name)
			}
		}
	}
}

func TestTokenVerifier_checksSharedHeader(t *testing.T) {
	verifier := must(alerts.NewTokenVerifier("x-shared", []scalar.Secret{token}))(t)
	hook := listen(t, verifier, alerts.WithMaxTracked(1))
	send := func(values ...string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, hook.URL, strings.NewReader(payloadText))
		require.NoError(t, err)
		request.Header["X-Shared"] = values
		return hook.status(request)
	}
	assert.Equal(t, http.StatusBadRequest, send())
	assert.Equal(t, http.StatusBadRequest, send(""))
	assert.Equal(t, http.StatusBadRequest, send(tokenText, tokenText))
	assert.Equal(t, http.StatusUnauthorized, send("x"+tokenText))
	assert.Equal(t, http.StatusUnauthorized, send(tokenText[1:]))
	assert.Zero(t, hook.runs())
	for range 3 {
		assert.Equal(t, http.StatusOK, send(tokenText), "nothing is remembered, and nothing fills up")
	}
	assert.Equal(t, alerts.Headers{}, hook.ran[0].Headers)
	hook.answers(func(context.Context, *alerts.Delivery) error { return errors.New("made-up failure") })
	assert.Equal(t, http.StatusInternalServerError, send(tokenText))
}

// byParts is a caller's verifier. Its headers identify a delivery.
type byParts struct{ err error }

func (v byParts) Verify(header http.Header) (alerts.Headers, error) {
	return alerts.Headers{Nonce: header.Get("nonce"), ContentHash: header.Get("hash"), Signature: header.Get("signature")},
		v.err
}

// byBody is a caller's verifier that finds the proof in the body.
type byBody struct {
	byParts
	check func(r *http.Request, body []byte, headers alerts.Headers) error
}

func (v byBody) VerifyContent(r *http.Request, body []byte, headers alerts.Headers) error {
	return v.check(r, body, headers)
}

var _ alerts.ContentVerifier = byBody{}

func TestReceiver_customVerifierDecidesStatus(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
	}{
		{nil, 200}, {errors.New("no"), 401}, {fmt.Errorf("nonce: %w", alerts.ErrHeader), 400},
	} {
		checks := 0
		check := func(r *http.Request, body []byte, headers alerts.Headers) error {
			checks++
			assert.Equal(t, payloadText, string(body))
			assert.Equal(t, "block=7", r.URL.RawQuery)
			assert.Equal(t, alerts.Headers{Nonce: "a"}, headers)
			return test.err
		}
		for _, verifier := range []alerts.Verifier{byParts{test.err}, byBody{check: check}} {
			hook := listen(t, verifier)
			for range 2 {
				request := hook.signed("n1")
				request.URL.RawQuery = "block=7"
				request.Header.Set("nonce", "a")
				assert.Equal(t, test.status, hook.status(request))
			}
			assert.Equal(t, test.err == nil, hook.runs() == 1)
			assert.Equal(t, test.err != nil, hook.runs() == 0)
		}
		assert.Equal(t, 2, checks)
	}
}

func TestVerifiers_refuseEmptyTokens(t *testing.T) {
	for want, tokens := range map[string][]scalar.Secret{
		"alerts: a verifier needs at least one token": nil, "alerts: token 2 of the verifier is empty": {token, {}},
		"alerts: token 1 of the verifier is empty": {{}, token},
	} {
		require.EqualError(t, errOf(alerts.NewHMACVerifier(tokens, alerts.HeaderNames{})), want)
		require.EqualError(t, errOf(alerts.NewTokenVerifier("x-shared", tokens)), want)
	}
	require.EqualError(t, errOf(alerts.NewTokenVerifier("", []scalar.Secret{token})),
		"alerts: the name of the token's header must not be empty")
}

func TestVerifiers_hideTokensWhenPrinted(t *testing.T) {
	shared := must(alerts.NewTokenVerifier("x-shared", []scalar.Secret{token}))(t)
	for _, value := range []any{byHMAC(t, token), shared, alerts.Signer{Token: token}, listen(t, shared).Config.Handler} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			assert.NotContains(t, fmt.Sprintf(verb, value), tokenText)
		}
	}
}

// signatureOf signs by other means than the package does.
func signatureOf(text string) string {
	mac := hmac.New(sha256.New, []byte(tokenText))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func newRequest(t testing.TB) *http.Request {
	t.Helper()
	return must(http.NewRequestWithContext(t.Context(), http.MethodPost, "https://hook.example", nil))(t)
}

func headersOf(stamp, nonce, hash, signature string) http.Header {
	return http.Header{
		"X-Qn-Timestamp": {stamp}, "X-Qn-Nonce": {nonce}, "X-Qn-Content-Hash": {hash}, "X-Qn-Signature": {signature},
	}
}

func FuzzVerify(f *testing.F) {
	f.Add("1773144000", "nonce-1", "hash-1", knownSignature)
	f.Add("1773144000", "nonce-", "1hash-1", knownSignature)
	f.Add("1773144000", "nonce-1", "hash-1", "AAAA")
	f.Add("1773144000", "nonce-1", "hash-1", knownSignature+"\n")
	f.Add("2026-03-10 12:00:00 +0000 UTC", "nonce-1", "hash-1", knownSignature)
	f.Add("1773144000", "n\x00", "\xff", "\n")
	for _, stamp := range []string{"1773144000000", "2026-03-10T12:00:00Z", "2026-03-10", "", "-1", "1e400", "yesterday",
		"2026-03-10 13:00:00 +0100 CET m=+0.123", "9999999999999999999"} {
		f.Add(stamp, "n1", "h1", knownSignature)
	}
	f.Add("1773144000", "", "", "?")
	f.Fuzz(func(t *testing.T, stamp, nonce, hash, signature string) {
		signed := signatureOf(nonce + hash + stamp)

		request := newRequest(t)
		request.Header = headersOf(stamp, nonce, hash, signature)
		headers, err := byHMAC(t, token).Verify(request.Header)
		if err == nil {
			given := must(base64.StdEncoding.DecodeString(signature))(t)
			assert.Equal(t, signed, base64.StdEncoding.EncodeToString(given), "only the right signature is accepted")
			assert.Equal(t, signed, headers.Signature)
		}
		request.Header = headersOf(stamp, nonce, hash, signed)
		headers, err = alerts.ReadHeaders(request.Header, alerts.HeaderNames{})
		if err != nil {
			require.ErrorIs(t, err, alerts.ErrHeader)
			assert.Equal(t, alerts.Headers{}, headers)
			return
		}
		assert.False(t, headers.Timestamp.IsZero())
		assert.Equal(t, []string{nonce, hash, signed}, []string{headers.Nonce, headers.ContentHash, headers.Signature})
		assert.NotContains(t, []string{nonce, hash}, "")
		assert.NoError(t, errOf(byHMAC(t, token).Verify(request.Header)), "the right signature is always accepted")
	})
}
