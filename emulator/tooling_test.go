package emulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type toolingToken struct {
	EndpointURL string    `json:"endpoint_url"`
	Token       string    `json:"token"`
	ExpiresAt   time.Time `json:"expires_at"`
}

func (s *service) switchTooling(on bool) object {
	s.t.Helper()
	return dataOf[object](s.patch("/v0/tooling-access", object{"enabled": on}))
}

func (s *service) toolingToken() toolingToken {
	s.t.Helper()
	return dataOf[toolingToken](s.post("/v0/tooling-access/token", nil))
}

// ask sends a JSON-RPC text to the tooling endpoint and returns the response's status and text.
func ask(t *testing.T, address, authorization, body string) (int, string) {
	t.Helper()
	request := must(http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body)))(t)
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	response := must(http.DefaultClient.Do(request))(t)
	defer response.Body.Close()
	return response.StatusCode, string(must(io.ReadAll(response.Body))(t))
}

const blockNumber = `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`

// TestTooling_refusesForgedTokens uses a token, and forgeries of it, and the token itself when it is over.
func TestTooling_refusesForgedTokens(t *testing.T) {
	now := start
	s := startService(t, emulator.WithClock(func() time.Time { return now }))
	s.switchTooling(true)
	session := s.toolingToken()
	status, body := ask(t, session.EndpointURL, "Bearer "+session.Token, blockNumber)
	assert.Equal(t, http.StatusOK, status)
	assert.Regexp(t, `"result":"0x[0-9a-f]+"`, body)
	other := startService(t, emulator.WithSeed(2))
	other.switchTooling(true)
	for name, authorization := range map[string]string{
		"none": "", "another scheme": "Basic " + session.Token, "empty": "Bearer ", "padded": "Bearer " + session.Token + "==",
		"two parts":         "Bearer " + session.Token[:strings.LastIndex(session.Token, ".")],
		"another account's": "Bearer " + other.toolingToken().Token, "the account's key": "Bearer " + s.APIKey,
	} {
		t.Run(name, func(t *testing.T) {
			status, body := ask(t, session.EndpointURL, authorization, blockNumber)
			assert.Equal(t, http.StatusUnauthorized, status, body)
			assert.NotContains(t, body, "0x")
		})
	}
	status, body = ask(t, session.EndpointURL+"1", "Bearer "+session.Token, blockNumber)
	assert.Equal(t, http.StatusUnauthorized, status, body)
	assert.Equal(t, http.StatusMethodNotAllowed, s.get(strings.TrimPrefix(session.EndpointURL, s.URL)).status)
	now = session.ExpiresAt
	status, _ = ask(t, session.EndpointURL, "Bearer "+session.Token, blockNumber)
	assert.Equal(t, http.StatusUnauthorized, status)
}

// TestTooling_usesAddressOfRequest: a handler that somebody else serves knows its address from the requests.
func TestTooling_usesAddressOfRequest(t *testing.T) {
	server := httptest.NewTLSServer(emulator.New())
	defer server.Close()
	request := must(http.NewRequestWithContext(t.Context(), http.MethodPatch, server.URL+"/v0/tooling-access",
		strings.NewReader(`{"enabled": true}`)))(t)
	request.Header.Set("x-api-key", emulator.New().APIKey)
	response := must(server.Client().Do(request))(t)
	defer response.Body.Close()
	var got struct{ Data toolingToken }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&got))
	assert.True(t, strings.HasPrefix(got.Data.EndpointURL, server.URL+"/tooling/"), got.Data.EndpointURL)
}
