package emulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type toolingToken struct {
	URL       string    `json:"endpoint_url"`
	Token     string    `json:"token"`
	ExpiresAt time.Time `json:"expires_at"`
}

// toolingToken enables the access, and makes a token.
func (s *service) toolingToken() toolingToken {
	s.t.Helper()
	s.patch("/v0/tooling-access", object{"enabled": true}).ok()
	return dataOf[toolingToken](s.post("/v0/tooling-access/token", nil))
}

// TestTooling_refusesForgedTokens uses a token, and forgeries of it, and the token itself when it is over. The address
// is that of the requests.
func TestTooling_refusesForgedTokens(t *testing.T) {
	now := start
	s := startService(t, emulator.WithClock(func() time.Time { return now }))
	session := s.toolingToken()
	path, ours := strings.CutPrefix(session.URL, "http://emulator.example")
	assert.True(t, ours, session.URL)
	ask := func(path, authorization string) responseBuffer {
		request := s.request(http.MethodPost, path, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`)
		request.Header.Set("Authorization", authorization)
		return s.do(request)
	}
	assert.Regexp(t, `"result":"0x[0-9a-f]+"`, string(ask(path, "Bearer "+session.Token).ok().body))
	for name, authorization := range map[string]string{
		"none": "", "another scheme": "Basic " + session.Token, "empty": "Bearer ", "padded": "Bearer " + session.Token + "==",
		"two parts":         "Bearer " + session.Token[:strings.LastIndex(session.Token, ".")],
		"another account's": "Bearer " + startService(t, emulator.WithSeed(2)).toolingToken().Token,
		"the account's key": "Bearer " + s.APIKey,
	} {
		assert.Equal(t, http.StatusUnauthorized, ask(path, authorization).status, name)
	}
	assert.Equal(t, http.StatusUnauthorized, ask(path+"1", "Bearer "+session.Token).status)
	assert.Equal(t, http.StatusMethodNotAllowed, s.get(path).status)
	now = session.ExpiresAt
	assert.Equal(t, http.StatusUnauthorized, ask(path, "Bearer "+session.Token).status)
}
