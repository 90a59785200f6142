package webhooks_test

import (
	"compress/gzip"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// The vector is made by other means:
// printf 'n-11700000000{"block":1}' | openssl dgst -sha256 -hmac qnsec_test
var vector = struct {
	token                     scalar.Secret
	nonce, payload, signature string
	at                        time.Time
}{scalar.NewSecret("qnsec_test"), "n-1", `{"block":1}`,
	"c4cf451f4b2d918d9e57f44471478a1785c4f2c2f0406cb80bb1cbd6c52b3323", time.Unix(1700000000, 0)}

func TestSigner_signsVector(t *testing.T) {
	header := http.Header{}
	require.NoError(t, webhooks.Signer{Token: vector.token}.Sign(header, vector.nonce, vector.at, []byte(vector.payload)))
	assert.Equal(t, http.Header{
		"X-Qn-Nonce": {vector.nonce}, "X-Qn-Timestamp": {"1700000000"}, "X-Qn-Signature": {vector.signature},
	}, header)
}

// deliver sends a delivery to a receiver in the time of the vector. It returns the status, and the delivery if the
// callback ran. The parts are token, nonce, timestamp, signature, body and encoding.
func deliver(t testing.TB, parts [6]string) (status int, ran *webhooks.Delivery) {
	t.Helper()
	receiver := must(webhooks.NewReceiver(verifier(t, scalar.NewSecret(parts[0])),
		func(_ context.Context, d *webhooks.Delivery) error { ran = d; return nil },
		webhooks.WithClock(func() time.Time { return vector.at }), webhooks.WithMaxBody(1000)))(t)
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(parts[4]))
	for i, name := range []string{"X-Qn-Nonce", "X-Qn-Timestamp", "X-Qn-Signature"} {
		request.Header.Set(name, parts[1+i])
	}
	request.Header.Set("Content-Encoding", parts[5])
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, request)
	return w.Code, ran
}

// TestVerifier_refusesMutatedDeliveries changes the vector in more than 1,000 ways: each bit of its token, headers and
// payload, which includes the case of its signature, and each bit of a gzip that changes its contents.
func TestVerifier_refusesMutatedDeliveries(t *testing.T) {
	plain := [6]string{vector.token.Reveal(), vector.nonce, "1700000000", vector.signature, vector.payload, ""}
	inGzip := plain
	inGzip[4], inGzip[5] = zipped(t, vector.payload), "gzip"
	accept := func(parts [6]string) {
		status, ran := deliver(t, parts)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, vector.payload, string(ran.Payload))
	}
	accept(plain)
	accept(inGzip)
	refused := 0
	refuse := func(parts [6]string) {
		status, ran := deliver(t, parts)
		assert.Contains(t, []int{400, 401, 413}, status, "%q", parts)
		assert.Nil(t, ran)
		refused++
	}
	for i := range 5 {
		for _, mutant := range mutants(plain[i]) {
			changed := plain
			changed[i] = mutant
			refuse(changed)
		}
	}
	for _, mutant := range mutants(inGzip[4]) {
		changed := inGzip
		changed[4] = mutant
		if text, err := unzipped(mutant); err == nil && text == vector.payload { // Such as the time in its header.
			accept(changed)
		} else {
			refuse(changed)
		}
	}
	for _, signature := range []string{strings.ToUpper(vector.signature), "SHA256=" + vector.signature,
		"sha256=sha256=" + vector.signature, " " + vector.signature, vector.signature + "0"} {
		changed := plain
		changed[3] = signature
		refuse(changed)
	}
	// The signed text has nothing between its parts.
	for _, moved := range [][3]string{{"n-", "11700000000", vector.payload}, {"n-11", "700000000", vector.payload},
		{"n-1", "170000000", "0" + vector.payload}, {"", "n-11700000000", vector.payload}} {
		refuse([6]string{plain[0], moved[0], moved[1], plain[3], moved[2]})
	}
	t.Logf("%d mutated deliveries were refused", refused)
	assert.GreaterOrEqual(t, refused, 1000)
}

// mutants are the texts that differ from a text in one bit or by one byte.
func mutants(text string) []string {
	all := []string{text[:len(text)-1], text[1:], text + text[:1]}
	for i := range 8 * len(text) {
		mutant := []byte(text)
		mutant[i/8] ^= 1 << (i % 8)
		all = append(all, string(mutant))
	}
	return all
}

func unzipped(text string) (string, error) {
	r, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		return "", err
	}
	all, err := io.ReadAll(io.LimitReader(r, 1<<20))
	return string(all), err
}

func TestVerifier_acceptsEachRotatedToken(t *testing.T) {
	given := []scalar.Secret{token, scalar.NewSecret("a second")}
	v := verifier(t, given...)
	clear(given) // The verifier has a copy.
	for signer, want := range map[string]error{tokenText: nil, "a second": nil, "a third": webhooks.ErrUnverified} {
		header := http.Header{}
		require.NoError(t, webhooks.Signer{Token: scalar.NewSecret(signer)}.Sign(header, "n1", noon, []byte("{}")))
		require.ErrorIs(t, v.VerifyPayload(nil, must(v.ReadHeaders(header))(t), []byte("{}")), want)
	}
}

// byBody is a caller's scheme.
type byBody struct{ reading, verifying error }

func (v byBody) ReadHeaders(header http.Header) (webhooks.Headers, error) {
	return webhooks.Headers{Nonce: "a", Signature: header.Get("signature")}, v.reading
}

func (v byBody) VerifyPayload(r *http.Request, headers webhooks.Headers, payload []byte) error {
	if r.URL.RawQuery != "block=7" || headers.Nonce != "a" || string(payload) != payloadText {
		return errors.New("not what was sent")
	}
	return v.verifying
}

// TestReceiver_customSchemeDecidesStatus sends each delivery twice. Without a signature, it is executed twice.
func TestReceiver_customSchemeDecidesStatus(t *testing.T) {
	no, header := errors.New("no"), fmt.Errorf("nonce: %w", webhooks.ErrHeader)
	for _, test := range []struct {
		scheme       byBody
		signature    string
		status, runs int
	}{
		{byBody{}, "s", 200, 1}, {byBody{}, "", 200, 2}, {byBody{reading: no}, "s", 401, 0},
		{byBody{verifying: no}, "s", 401, 0}, {byBody{reading: header}, "s", 400, 0},
		{byBody{verifying: header}, "s", 400, 0}, {byBody{reading: webhooks.ErrUnsigned}, "s", 200, 0},
	} {
		hook := listen(t, test.scheme, webhooks.WithMaxTracked(1))
		for range 2 {
			request := hook.signed("n1")
			request.URL.RawQuery = "block=7"
			request.Header.Set("signature", test.signature)
			assert.Equal(t, test.status, hook.status(request))
		}
		assert.Equal(t, test.runs, len(hook.ran))
	}
}

func TestVerifier_hidesTokensWhenPrinted(t *testing.T) {
	v, old := verifier(t, token), must(alerts.NewHMACVerifier([]scalar.Secret{token}, nil))(t)
	for _, value := range []any{v, webhooks.Signer{Token: token}, listen(t, v).Receiver, old,
		alerts.HMACSigner{Token: token}, listen(t, old).Receiver} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			assert.NotContains(t, fmt.Sprintf(verb, value), tokenText)
		}
	}
}

// TestReceiver_bombCostsLittleMemory counts everything that is allocated for 10 MiB of zeros in gzip.
func TestReceiver_bombCostsLittleMemory(t *testing.T) {
	race.Skip(t) // The detector allocates too.
	body := zipped(t, strings.Repeat("\x00", 10<<20))
	receiver := newReceiver(t, nil)
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	sign(t, request, "n1", time.Now())
	request.Header.Set("Content-Encoding", "gzip")
	w := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	receiver.ServeHTTP(w, request)
	runtime.ReadMemStats(&after)
	assert.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	t.Logf("%d bytes of gzip cost %d bytes", len(body), after.TotalAlloc-before.TotalAlloc)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20))
}

func FuzzVerifier(f *testing.F) {
	f.Add(vector.nonce, "1700000000", vector.signature, vector.payload, "")
	f.Add(vector.nonce, "1700000000", "sha256="+vector.signature, vector.payload, "identity")
	f.Add(vector.nonce, "1700000000", vector.signature, zipped(f, vector.payload), "gzip")
	f.Add(vector.nonce, "1700000000", vector.signature, zipped(f, vector.payload)[:20], "GZIP")
	f.Add("n-", "11700000000", vector.signature, vector.payload, "br")
	f.Add("n-1", "-62135596800", "", "\xff", "")
	f.Fuzz(func(t *testing.T, nonce, timestamp, signature, body, encoding string) {
		status, ran := deliver(t, [6]string{vector.token.Reveal(), nonce, timestamp, signature, body, encoding})
		payload := body
		if strings.EqualFold(encoding, "gzip") {
			payload, _ = unzipped(body)
		}
		if ran == nil {
			assert.NotContains(t, []int{0, 500, 503}, status)
		} else {
			assert.Equal(t, payload, string(ran.Payload))
			assert.Equal(t, strings.TrimPrefix(signature, "sha256="), ran.Headers.Signature)
			mac := hmac.New(sha256.New, []byte("qnsec_test"))
			mac.Write([]byte(nonce + timestamp + payload))
			assert.Equal(t, hex.EncodeToString(mac.Sum(nil)), ran.Headers.Signature)
		}
	})
}
