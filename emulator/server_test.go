package emulator_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// inMemory makes a client of the library that reaches the emulator without a socket.
func inMemory(t *testing.T, e *emulator.Emulator, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	t.Cleanup(e.Close)
	client, err := rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(e.APIKey), rpcfleet.WithHTTPClient(e.Client()),
	}, options...)...)
	require.NoError(t, err)
	return client
}

// TestClose_endsWaitingRequests closes the emulator while a request waits for its response.
func TestClose_endsWaitingRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.WithFaults(emulator.Fault{Latency: time.Hour}))
		done := make(chan error, 1)
		go func() {
			response, err := e.Client().Do(requestData(e, "/v0/chains"))
			if err == nil {
				_ = response.Body.Close()
			}
			done <- err
		}()
		synctest.Wait()
		began := time.Now()
		e.Close()
		require.Error(t, <-done)
		assert.Equal(t, began, time.Now())
	})
}

// TestStart_hasInMemoryClient: both ways lead to the same account, and Close ends both, also twice and if nothing was
// asked.
func TestStart_hasInMemoryClient(t *testing.T) {
	server := emulator.Start()
	one, two := inMemory(t, server.Emulator), inMemory(t, server.Emulator)
	for _, client := range []*rpcfleet.Client{one, two, one} {
		require.NoError(t, errOf(client.Chains.List(t.Context())))
	}
	response, err := http.Get(server.URL + "/v0/chains")
	require.NoError(t, err)
	_ = response.Body.Close()
	assert.Len(t, server.Calls(), 4)
	server.Close()
	server.Close()
	require.ErrorIs(t, errOf(one.Chains.List(t.Context(), rpcfleet.WithoutRetries())), rpcfleet.ErrConnection)
	unused := emulator.New()
	unused.Close()
	for _, e := range []*emulator.Emulator{server.Emulator, unused} {
		_, err = e.Client().Get(emulator.ClientURL + "/v0/chains")
		require.ErrorIs(t, err, net.ErrClosed)
	}
}

// TestStart_refusesOtherHosts: a page in a browser reaches the emulator under a name that leads here, with the
// key that everybody knows.
func TestStart_refusesOtherHosts(t *testing.T) {
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
	} {
		t.Run(name, func(t *testing.T) {
			s := startService(t, append(test.options, emulator.WithAdminAPI())...)
			for _, host := range test.hosts {
				for _, path := range []string{"/v0/chains", faultsPath, callsPath} {
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

// TestHandler_acceptsAnyHost: a request that comes over no network is not from a page in a browser.
func TestHandler_acceptsAnyHost(t *testing.T) {
	e := emulator.New(emulator.WithAdminAPI())
	defer e.Close()
	request := requestData(e, callsPath)
	request.Host = "attacker.example"
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, request)
	assert.Equal(t, http.StatusOK, recorder.Code)

	response, err := e.Client().Do(request)
	require.NoError(t, err)
	_ = response.Body.Close()
	assert.Equal(t, http.StatusOK, response.StatusCode)
}

// TestWithPlan_refusesBeyondBurst: the limit fills steadily, up to the burst.
func TestWithPlan_refusesBeyondBurst(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 10, 20, 250e6, time.UTC)
	clock := emulator.WithClock(func() time.Time { return now })
	e := emulator.New(emulator.WithPlan(emulator.Plan{Name: "Tiny", PerSecond: 2, Burst: 3}), clock)
	ask := func() (int, []string) {
		w := send(e, http.MethodGet, "/v0/account/info", "", http.Header{})
		var headers []string
		for _, name := range []string{"x-ratelimit-rpslimit", "x-ratelimit-rpsremaining", "x-ratelimit-rpsreset", "retry-after"} {
			headers = append(headers, w.Header().Get(name))
		}
		return w.Code, headers
	}
	for _, want := range []struct {
		after   time.Duration
		status  int
		headers []string
	}{
		{0, 200, []string{"2", "2", "1795306221", ""}},
		{0, 200, []string{"2", "1", "1795306222", ""}},
		{0, 200, []string{"2", "0", "1795306222", ""}},
		{0, 429, []string{"2", "0", "1795306222", "1"}},
		{time.Second / 2, 200, []string{"2", "0", "1795306223", ""}},
		{time.Minute, 200, []string{"2", "2", "1795306282", ""}},
	} {
		now = now.Add(want.after)
		status, headers := ask()
		assert.Equal(t, want.status, status)
		assert.Equal(t, want.headers, headers)
	}
	assert.Contains(t, send(e, http.MethodGet, "/v0/account/info", "", http.Header{}).Body.String(), `"plan_name":"Tiny"`)
	e = emulator.New(emulator.WithPlan(emulator.PlanBuild), clock)
	for i := range 61 {
		status, _ := ask()
		assert.Equal(t, i == 60, status == 429, i)
	}
	e = emulator.New()
	status, headers := ask()
	assert.Equal(t, 200, status)
	assert.Equal(t, make([]string, 4), headers, "there are no limits by default")
}
