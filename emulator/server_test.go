package emulator_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestClose_endsWaitingRequests closes the emulator while a request waits for its response.
func TestClose_endsWaitingRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, done := startService(t, emulator.WithFaults(emulator.Fault{Latency: time.Hour})), make(chan error, 1)
		go func() { done <- errOf(s.Client().Do(s.request(http.MethodGet, "/v0/chains", nil))) }()
		synctest.Wait()
		began := time.Now()
		s.Close()
		require.Error(t, <-done)
		assert.Equal(t, began, time.Now())
	})
}

// TestStart_hasInMemoryClient: both ways lead to the same account, and Close ends both, also twice and if nothing was
// asked.
func TestStart_hasInMemoryClient(t *testing.T) {
	server := emulator.Start()
	request := (&service{server.Emulator, t, server.APIKey}).request(http.MethodGet, "/v0/chains", nil)
	_ = must(server.Client().Do(request))(t).Body.Close()
	_ = must(server.Client().Do(request))(t).Body.Close()
	_ = must(http.Get(server.URL + "/v0/chains"))(t).Body.Close()
	assert.Len(t, server.Calls(), 3)
	server.Close()
	server.Close()
	unused := emulator.New()
	unused.Close()
	for _, e := range []*emulator.Emulator{server.Emulator, unused} {
		require.ErrorIs(t, errOf(e.Client().Get(emulator.ClientURL+"/v0/chains")), net.ErrClosed)
	}
}

// TestStart_refusesOtherHosts: a page in a browser reaches the emulator under a name that leads here, with the key that
// everybody knows. A handler takes any, since no page gets to it.
func TestStart_refusesOtherHosts(t *testing.T) {
	hosts := emulator.WithHosts
	for _, test := range []struct {
		options []emulator.Option
		status  int
		hosts   string
	}{
		{nil, 200, "localhost LocalHost:80 127.0.0.1 127.0.0.1:1 127.1.2.3:80 [::1] [::1]:80 [::ffff:127.0.0.1]:80"},
		{nil, 421, "attacker.example attacker.example:80 localhost.attacker.example 127.0.0.1.attacker.example " +
			"192.0.2.1 [2001:db8::1]:80"},
		{[]emulator.Option{hosts("a.example", "192.0.2.1"), hosts("2001:db8::1")}, 200,
			"a.example:80 A.example 192.0.2.1:80 [2001:db8::1]:80 localhost"},
		{[]emulator.Option{hosts("a.example")}, 421, "b.example b.a.example"},
	} {
		server := emulator.Start(append(test.options, emulator.WithAdminAPI())...)
		defer server.Close()
		s := &service{server.Emulator, t, server.APIKey}
		for _, host := range strings.Fields(test.hosts) {
			for _, path := range []string{"/v0/chains", faultsPath} {
				request := s.request(http.MethodGet, path, nil)
				request.URL.Host, request.Host = strings.TrimPrefix(server.URL, "http://"), host
				response := must(http.DefaultClient.Do(request))(t)
				_ = response.Body.Close()
				assert.Equal(t, test.status, response.StatusCode, "%s of %s", path, host)
				s.do(request).ok()
				assert.Equal(t, http.StatusOK, must(s.Client().Do(request))(t).StatusCode)
			}
		}
	}
}

// TestWithPlan_refusesBeyondBurst: the limit fills steadily, up to the burst.
func TestWithPlan_refusesBeyondBurst(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 10, 20, 250e6, time.UTC)
	clock := emulator.WithClock(func() time.Time { return now })
	ask := func(s *service) string {
		got := s.get("/v0/account/info")
		of := func(name string) string { return got.header.Get("X-Ratelimit-Rps" + name) }
		limit, later := of("limit")+" "+of("remaining")+" "+of("reset"), got.header.Get("Retry-After")
		return fmt.Sprintf("%d %s %s", got.status, limit, later)
	}
	s := startService(t, emulator.WithPlan(emulator.Plan{Name: "Tiny", PerSecond: 2, Burst: 3}), clock)
	for _, step := range []struct {
		after time.Duration
		want  string
	}{
		{0, "200 2 2 1795306221 "}, {0, "200 2 1 1795306222 "}, {0, "200 2 0 1795306222 "}, {0, "429 2 0 1795306222 1"},
		{time.Second / 2, "200 2 0 1795306223 "}, {time.Minute, "200 2 2 1795306282 "},
	} {
		now = now.Add(step.after)
		assert.Equal(t, step.want, ask(s))
	}
	assert.Contains(t, string(s.get("/v0/account/info").body), `"plan_name":"Tiny"`)
	s = startService(t, emulator.WithPlan(emulator.PlanBuild), clock)
	for i := range 61 {
		assert.Equal(t, i == 60, ask(s)[:3] == "429", i)
	}
	assert.Equal(t, "200    ", ask(startService(t)), "there are no limits by default")
}

// TestTooling_refusesForgedTokens uses a token, and forgeries of it, and the token itself when it is over. The address
// is that of the requests.
func TestTooling_refusesForgedTokens(t *testing.T) {
	now := start
	s := startService(t, emulator.WithClock(func() time.Time { return now }))
	session := func(s *service) map[string]string {
		s.patch("/v0/tooling-access", object{"enabled": true}).ok()
		return dataOf[map[string]string](s.post("/v0/tooling-access/token", nil))
	}
	made := session(s)
	path, ours := strings.CutPrefix(made["endpoint_url"], "http://emulator.example")
	assert.True(t, ours, path)
	ask := func(path, authorization string) responseBuffer {
		request := s.request(http.MethodPost, path, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`)
		request.Header.Set("Authorization", authorization)
		return s.do(request)
	}
	token := "Bearer " + made["token"]
	assert.Regexp(t, `"result":"0x[0-9a-f]+"`, string(ask(path, token).ok().body))
	for name, authorization := range map[string]string{
		"none": "", "another scheme": "Basic " + made["token"], "empty": "Bearer ", "padded": token + "==",
		"two parts":         token[:strings.LastIndex(token, ".")],
		"another account's": "Bearer " + session(startService(t, emulator.WithSeed(2)))["token"],
		"the account's key": "Bearer " + s.APIKey,
	} {
		assert.Equal(t, http.StatusUnauthorized, ask(path, authorization).status, name)
	}
	assert.Equal(t, http.StatusUnauthorized, ask(path+"1", token).status)
	assert.Equal(t, http.StatusMethodNotAllowed, s.get(path).status)
	now = now.Add(10 * time.Minute)
	assert.Equal(t, http.StatusUnauthorized, ask(path, token).status)
}
