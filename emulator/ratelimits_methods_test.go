package emulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type methodLimit struct {
	ID       string    `json:"id"`
	Interval string    `json:"interval"`
	Methods  []string  `json:"methods"`
	Rate     int       `json:"rate"`
	Status   string    `json:"status"`
	Created  time.Time `json:"created"`
}

func (s *service) methodLimits(endpoint string) []methodLimit {
	s.t.Helper()
	return dataOf[struct {
		RateLimiters []methodLimit `json:"rate_limiters"`
	}](s.get("/v0/endpoints/" + endpoint + "/method-rate-limits")).RateLimiters
}

func TestMethodRateLimits(t *testing.T) {
	now := start.Add(123_456_789 * time.Nanosecond)
	s := startService(t, emulator.WithClock(func() time.Time { return now }))
	id := s.create().ID
	path := "/v0/endpoints/" + id + "/method-rate-limits"
	assert.Equal(t, []methodLimit{}, s.methodLimits(id))

	var created []methodLimit
	for _, interval := range []string{"second", "minute", "day"} {
		body := object{"interval": interval, "methods": []string{"eth_call", "eth_getLogs"}, "rate": 10}
		response := s.post(path, body)
		assert.Contains(t, string(response.body), `"2026-03-10T09:30:00.123456Z"`)
		limit := dataOf[methodLimit](response)
		assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, limit.ID)
		want := methodLimit{limit.ID, interval, []string{"eth_call", "eth_getLogs"}, 10, "enabled", now.Truncate(time.Microsecond)}
		assert.Equal(t, want, limit)
		created = append(created, limit)
	}
	assert.Equal(t, created, s.methodLimits(id))

	want := created[1]
	want.Status = "disabled"
	assert.Equal(t, want, dataOf[methodLimit](s.patch(path+"/"+want.ID, object{"status": "disabled"})))
	want.Rate, want.Status = 7, "enabled"
	assert.Equal(t, want, dataOf[methodLimit](s.patch(path+"/"+want.ID, object{"status": "enabled", "rate": 7})))
	want.Methods = []string{"eth_chainId"}
	assert.Equal(t, want, dataOf[methodLimit](s.patch(path+"/"+want.ID, object{"methods": want.Methods})))
	for _, nothing := range []any{nil, object{}} {
		assert.Equal(t, want, dataOf[methodLimit](s.patch(path+"/"+want.ID, nothing)))
	}
	assert.Equal(t, []methodLimit{created[0], want, created[2]}, s.methodLimits(id))

	assert.NotEmpty(t, dataOf[string](s.delete(path+"/"+created[0].ID)))
	assert.Equal(t, []methodLimit{want, created[2]}, s.methodLimits(id))
	s.delete(path+"/"+created[0].ID).refused(http.StatusNotFound, "method rate limit")
	s.patch(path+"/"+created[0].ID, object{"rate": 1}).refused(http.StatusNotFound, "method rate limit")
}

// TestMethodRateLimitsOfNoEndpoint: the contract has an empty result with the status 404 here, and no error.
func TestMethodRateLimitsOfNoEndpoint(t *testing.T) {
	got := startService(t).get("/v0/endpoints/unknown/method-rate-limits")
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.JSONEq(t, `{"data": {"rate_limiters": []}, "error": null}`, string(got.body))
}

func TestMethodRateLimitRefusals(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	path := "/v0/endpoints/" + id + "/method-rate-limits"
	for _, bad := range []struct{ body, reason string }{
		{`{"methods": ["eth_call"], "rate": 1}`, "interval"},
		{`{"interval": "hour", "methods": ["eth_call"], "rate": 1}`, "interval"},
		{`{"interval": "day", "rate": 1}`, "methods"},
		{`{"interval": "day", "methods": [], "rate": 1}`, "methods"},
		{`{"interval": "day", "methods": ["eth_call", ""], "rate": 1}`, "methods"},
		{`{"interval": "day", "methods": ["eth_call"]}`, "rate"},
		{`{"interval": "day", "methods": ["eth_call"], "rate": 0}`, "rate"},
		{`{"interval": "day", "methods": "eth_call", "rate": 1}`, "JSON"},
	} {
		s.post(path, bad.body).refused(http.StatusBadRequest, bad.reason)
	}
	assert.Empty(t, s.methodLimits(id))

	s.post(path, object{"interval": "day", "methods": []string{"eth_call"}, "rate": 1}).ok()
	before := s.methodLimits(id)
	require.Len(t, before, 1)
	for _, bad := range []struct{ body, reason string }{
		{`{"status": "paused", "rate": 5}`, "status"},
		{`{"rate": 0, "status": "disabled"}`, "rate"},
		{`{"methods": [], "rate": 5}`, "methods"},
	} {
		s.patch(path+"/"+before[0].ID, bad.body).refused(http.StatusBadRequest, bad.reason)
	}
	assert.Equal(t, before, s.methodLimits(id), "a refused change changes nothing")
}
