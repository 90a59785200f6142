package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type toolingToken struct {
	EndpointURL string    `json:"endpoint_url"`
	Token       string    `json:"token"`
	ExpiresAt   time.Time `json:"expires_at"`
}

// toolingToken enables the access, and makes a token.
func (s *service) toolingToken() toolingToken {
	s.t.Helper()
	s.patch("/v0/tooling-access", object{"enabled": true}).ok()
	return dataOf[toolingToken](s.post("/v0/tooling-access/token", nil))
}

const blockNumber = `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`

// TestTooling_refusesForgedTokens uses a token, and forgeries of it, and the token itself when it is over.
func TestTooling_refusesForgedTokens(t *testing.T) {
	now := start
	s := startService(t, emulator.WithClock(func() time.Time { return now }))
	session := s.toolingToken()
	ask := func(path, authorization string) *httptest.ResponseRecorder {
		return send(s.Emulator, http.MethodPost, path, blockNumber, http.Header{"Authorization": {authorization}})
	}
	path := strings.TrimPrefix(session.EndpointURL, s.URL)
	response := ask(path, "Bearer "+session.Token)
	assert.Equal(t, http.StatusOK, response.Code)
	assert.Regexp(t, `"result":"0x[0-9a-f]+"`, response.Body)
	for name, authorization := range map[string]string{
		"none": "", "another scheme": "Basic " + session.Token, "empty": "Bearer ", "padded": "Bearer " + session.Token + "==",
		"two parts":         "Bearer " + session.Token[:strings.LastIndex(session.Token, ".")],
		"another account's": "Bearer " + startService(t, emulator.WithSeed(2)).toolingToken().Token,
		"the account's key": "Bearer " + s.APIKey,
	} {
		assert.Equal(t, http.StatusUnauthorized, ask(path, authorization).Code, name)
	}
	assert.Equal(t, http.StatusUnauthorized, ask(path+"1", "Bearer "+session.Token).Code)
	assert.Equal(t, http.StatusMethodNotAllowed, s.get(path).status)
	now = session.ExpiresAt
	assert.Equal(t, http.StatusUnauthorized, ask(path, "Bearer "+session.Token).Code)
}

// TestTooling_usesAddressOfRequest: a handler that somebody else serves knows its address from the requests.
func TestTooling_usesAddressOfRequest(t *testing.T) {
	e := emulator.New()
	request := httptest.NewRequest(http.MethodPatch, "https://a.example:8443/v0/tooling-access",
		strings.NewReader(`{"enabled": true}`))
	request.Header.Set("X-Api-Key", e.APIKey)
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, request)
	assert.Contains(t, recorder.Body.String(), `"endpoint_url":"https://a.example:8443/tooling/`)
}
