package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestRequestLimits(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 10, 20, 250e6, time.UTC)
	e := emulator.New(emulator.WithRequestLimits(2, 3), emulator.WithClock(func() time.Time { return now }))
	ask := func() (int, []string) {
		r := httptest.NewRequest(http.MethodGet, "/v0/chains", nil)
		r.Header.Set("X-Api-Key", e.APIKey)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		var headers []string
		for _, name := range []string{"rpslimit", "rpsremaining", "rpsreset", "rpmlimit", "rpmremaining", "rpmreset"} {
			headers = append(headers, w.Header().Get("x-ratelimit-"+name))
		}
		return w.Code, append(headers, w.Header().Get("Retry-After"))
	}
	for _, want := range []struct {
		after   time.Duration
		status  int
		headers []string
	}{
		{0, 200, []string{"2", "1", "1795306221", "3", "2", "1795306241", ""}},
		{0, 200, []string{"2", "0", "1795306222", "3", "1", "1795306261", ""}},
		{0, 429, []string{"2", "0", "1795306222", "3", "1", "1795306261", "1"}},
		{time.Second, 200, []string{"2", "1", "1795306222", "3", "0", "1795306281", ""}},
		{0, 429, []string{"2", "1", "1795306222", "3", "0", "1795306281", "19"}},
		{time.Minute, 200, []string{"2", "1", "1795306282", "3", "2", "1795306302", ""}},
	} {
		now = now.Add(want.after)
		status, headers := ask()
		assert.Equal(t, want.status, status)
		assert.Equal(t, want.headers, headers)
	}
	e = emulator.New()
	status, headers := ask()
	assert.Equal(t, 200, status)
	assert.Equal(t, make([]string, 7), headers, "there are no limits by default")
}

// TestRateLimit: a burst is admitted at once, and then one request for each token, whatever its area.
func TestRateLimit(t *testing.T) {
	now := start
	s := startService(t, emulator.WithRateLimit(0.5, 3), emulator.WithClock(func() time.Time { return now }))
	areas := []string{"/v0/chains", alertsPath + "/destinations", "/v0/nothing", "/v0/teams", "/v0/teams"}
	for i, path := range areas {
		got := s.get(path)
		assert.Equal(t, i >= 3, got.status == http.StatusTooManyRequests, path)
		if i >= 3 {
			assert.Equal(t, "2", got.header.Get("Retry-After"))
			got.refused(http.StatusTooManyRequests, "too many requests")
		}
	}
	now = now.Add(2 * time.Second)
	assert.Equal(t, []int{200, 429}, statuses(2, func() response { return s.get("/v0/chains") }))
	now = now.Add(time.Hour)
	assert.Equal(t, []int{200, 200, 200, 429}, statuses(4, func() response { return s.get("/v0/chains") }),
		"no more than a burst")
}
