package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestRequestsToOtherHostsAreRefused: a page in a browser reaches the emulator under a name that leads here, with the
// key that everybody knows.
func TestRequestsToOtherHostsAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		options []emulator.Option
		status  int
		hosts   []string
	}{
		"loopback": {nil, http.StatusOK, []string{
			"", "localhost", "LocalHost:80", "127.0.0.1", "127.0.0.1:1", "127.1.2.3:80", "[::1]", "[::1]:80",
			"[::ffff:127.0.0.1]:80",
		}},
		"another": {nil, http.StatusMisdirectedRequest, []string{
			"attacker.example", "attacker.example:80", "localhost.attacker.example", "127.0.0.1.attacker.example", "192.0.2.1",
			"[2001:db8::1]:80",
		}},
		"named": {[]emulator.Option{emulator.WithHosts("a.example", "192.0.2.1"), emulator.WithHosts("2001:db8::1")},
			http.StatusOK, []string{
				"a.example:80", "A.example", "192.0.2.1:80", "[2001:db8::1]:80", "localhost",
			}},
		"beside named": {[]emulator.Option{emulator.WithHosts("a.example")}, http.StatusMisdirectedRequest,
			[]string{"b.example", "b.a.example"}},
		"public address": {[]emulator.Option{emulator.WithPublicURL("https://rpc.example.com/")}, http.StatusOK,
			[]string{"rpc.example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := startService(t, append(test.options, emulator.WithAdminAPI(), emulator.WithStatusPage())...)
			for _, host := range test.hosts {
				for _, path := range []string{"/v0/chains", "/", faultsPath, callsPath} {
					s.host = host
					got := s.get(path)
					assert.Equal(t, test.status, got.status, "%s of %s", path, host)
					assert.Equal(t, test.status == http.StatusMisdirectedRequest,
						string(got.body) == "unknown host: see WithHosts, or -host of the program\n", string(got.body))
				}
			}
		})
	}
}

// TestHandlersAreReachedByAnyHost: a request that comes over no network is not from a page in a browser.
func TestHandlersAreReachedByAnyHost(t *testing.T) {
	e := emulator.New(emulator.WithAdminAPI())
	defer e.Close()
	request := httptest.NewRequest(http.MethodGet, "http://attacker.example"+callsPath, nil)
	request.Header.Set("X-Api-Key", e.APIKey)
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, request)
	assert.Equal(t, http.StatusOK, recorder.Code)

	request.RequestURI = ""
	response, err := e.Client().Do(request)
	require.NoError(t, err)
	_ = response.Body.Close()
	assert.Equal(t, http.StatusOK, response.StatusCode)
}
