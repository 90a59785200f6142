package alerts_test

import (
	"encoding/base64"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

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
