package emulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type limitRow struct {
	Bucket    string  `json:"bucket"`
	RateLimit int     `json:"rate_limit"`
	Source    string  `json:"source"`
	ID        *string `json:"id"`
}

// planRows are the limits of an endpoint that has no overrides.
var planRows = []limitRow{
	{"rps", 500, "plan_default", nil},
	{"rpm", 25_000, "plan_default", nil},
	{"rpd", -1, "plan_default", nil},
}

func (s *service) limits(endpoint string) []limitRow {
	s.t.Helper()
	return dataOf[struct {
		RateLimits []limitRow `json:"rate_limits"`
	}](s.get("/v0/endpoints/" + endpoint + "/rate-limits")).RateLimits
}

// inForce returns the limits that the endpoint itself shows.
func (s *service) inForce(endpoint string) map[string]any {
	s.t.Helper()
	return dataOf[struct {
		RateLimits map[string]any `json:"rate_limits"`
	}](s.get("/v0/endpoints/" + endpoint)).RateLimits
}

func TestRateLimits(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(2)
	id, path := ids[0], "/v0/endpoints/"+ids[0]+"/rate-limits"
	assert.Equal(t, planRows, s.limits(id))
	assert.Equal(t, object{"rps": 500.0, "rpm": 25_000.0, "rpd": -1.0, "account": -1.0, "rate_limit_by_ip": false}, s.inForce(id))

	set := dataOf[struct{ Limits map[string]int }](s.patch(path, object{"rate_limits": object{"rps": 20, "rpd": 1_000_000}}))
	assert.Equal(t, map[string]int{"rps": 20, "rpm": 25_000, "rpd": 1_000_000}, set.Limits)
	rows := s.limits(id)
	require.Len(t, rows, 5)
	rps, rpd := rows[1].ID, rows[4].ID
	require.NotNil(t, rps)
	require.NotNil(t, rpd)
	assert.NotEqual(t, *rps, *rpd)
	assert.Equal(t, []limitRow{
		planRows[0], {"rps", 20, "user_override", rps}, planRows[1], planRows[2], {"rpd", 1_000_000, "user_override", rpd},
	}, rows)
	assert.Equal(t, 20.0, s.inForce(id)["rps"])
	assert.Equal(t, 25_000.0, s.inForce(id)["rpm"])
	assert.Equal(t, 1_000_000.0, s.inForce(id)["rpd"])
	assert.Equal(t, planRows, s.limits(ids[1]), "another endpoint has its own")

	// PUT replaces nothing either: what is left out stays.
	s.call(http.MethodPut, path, object{"rate_limits": object{"rps": 30}}).ok()
	assert.Equal(t, limitRow{"rps", 30, "user_override", rps}, s.limits(id)[1], "an override keeps its id")
	assert.Equal(t, 1_000_000.0, s.inForce(id)["rpd"])

	assert.Equal(t, object{"success": true}, dataOf[object](s.delete(path+"/"+*rps)))
	assert.Equal(t, 500.0, s.inForce(id)["rps"])
	s.delete(path+"/"+*rps).refused(http.StatusNotFound, "override")
	s.delete(path+"/3f2b8a52-6d0c-4c7e-9a53-0d6f6c1e2b47").refused(http.StatusNotFound, "override")
	s.delete("/v0/endpoints/"+ids[1]+"/rate-limits/"+*rpd).refused(http.StatusNotFound, "override")
	assert.Equal(t, 1_000_000.0, s.inForce(id)["rpd"])
}

func TestRateLimitRefusals(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	for _, bad := range []struct{ body, reason string }{
		{`{}`, "at least one"},
		{`{"rate_limits": {}}`, "at least one"},
		{`{"rate_limits": {"rps": null}}`, "at least one"},
		{`{"rate_limits": {"rpm": 10, "rps": 0}}`, "rps must be at least 1"},
		{`{"rate_limits": {"rpm": 10, "rpd": -1}}`, "rpd must be at least 1"},
		{`{"rate_limits": {"rpm": 10, "rps": 501}}`, "rps must be at most 500"},
		{`{"rate_limits": {"rpd": 10, "rpm": 25001}}`, "rpm must be at most 25000"},
		{`{"rate_limits": {"rpd": 10, "rpm": 1.5}}`, "JSON"},
		{`{"rate_limits": {"rpd": 10, "rpm": "10"}}`, "JSON"},
	} {
		for _, method := range []string{http.MethodPatch, http.MethodPut} {
			s.call(method, "/v0/endpoints/"+id+"/rate-limits", bad.body).refused(http.StatusBadRequest, bad.reason)
		}
	}
	assert.Equal(t, planRows, s.limits(id), "a refused change changes nothing")
	s.patch("/v0/endpoints/"+id+"/rate-limits", object{"rate_limits": object{"rps": 500, "rpm": 1}}).ok()
}
