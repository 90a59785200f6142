package emulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type securityOption struct {
	Option string  `json:"option"`
	Status string  `json:"status"`
	Value  *string `json:"value"`
}

// switches returns the security options of an endpoint by name.
func switches(a response) map[string]securityOption {
	a.t.Helper()
	byName := make(map[string]securityOption)
	for _, option := range dataOf[[]securityOption](a) {
		require.NotContains(a.t, byName, option.Option)
		byName[option.Option] = option
	}
	return byName
}

func TestSecurityOptions(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(2)
	path := "/v0/endpoints/" + ids[0] + "/security_options"
	names := []string{
		"tokens", "referrers", "jwts", "ips", "domainMasks", "hsts", "cors", "requestFilters", "ipCustomHeader",
	}
	fresh := switches(s.get(path))
	require.Len(t, fresh, len(names))
	for _, name := range names {
		status := "enabled"
		if fresh[name].Status == "enabled" {
			status = "disabled"
		}
		changed := switches(s.patch(path, object{"options": object{name: status}}))
		assert.Equal(t, status, changed[name].Status, name)
		assert.Equal(t, changed, switches(s.get(path)), name)
		if name != "ipCustomHeader" {
			assert.Equal(t, status == "enabled", s.security(ids[0]).Options[name], "as a boolean: %s", name)
		}
		for _, other := range names {
			if other != name {
				assert.Equal(t, fresh[other].Status, changed[other].Status, "%s after a change of %s", other, name)
			}
		}
		switches(s.patch(path, object{"options": object{name: fresh[name].Status}}))
	}

	both := switches(s.patch(path, object{"options": object{"cors": "enabled", "tokens": "disabled"}}))
	assert.Equal(t, "enabled", both["cors"].Status)
	assert.Equal(t, "disabled", both["tokens"].Status)
	assert.Equal(t, both, switches(s.patch(path, object{"options": object{}})))
	assert.Equal(t, fresh, switches(s.get("/v0/endpoints/"+ids[1]+"/security_options")), "another endpoint has its own")
}

func TestSecurityOptionRefusals(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	path := "/v0/endpoints/" + id + "/security_options"
	before := switches(s.get(path))
	for _, bad := range []struct{ body, reason string }{
		{`{}`, "options is required"},
		{`{"options": null}`, "options is required"},
		{`{"options": {"tokens": "disabled", "responseLogging": "enabled"}}`, "responseLogging"},
		{`{"options": {"tokens": "disabled", "CORS": "enabled"}}`, "CORS"},
		{`{"options": {"tokens": "disabled", "cors": "on"}}`, "cors"},
		{`{"options": {"tokens": "disabled", "cors": null}}`, "cors"},
		{`{"options": {"tokens": "disabled", "cors": true}}`, "JSON"},
		{`[]`, "JSON"},
	} {
		s.patch(path, bad.body).refused(http.StatusBadRequest, bad.reason)
	}
	assert.Equal(t, before, switches(s.get(path)), "a refused change changes nothing")
}

func TestIPCustomHeader(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	path := "/v0/endpoints/" + id + "/ip_custom_header"
	option := func() securityOption {
		return switches(s.get("/v0/endpoints/" + id + "/security_options"))["ipCustomHeader"]
	}
	value := func() any { return s.security(id).Options["ipCustomHeader"].(object)["value"] }
	assert.Equal(t, securityOption{"ipCustomHeader", "disabled", nil}, option())
	assert.Nil(t, value())
	assert.False(t, dataOf[bool](s.delete(path)), "there is none")

	set := dataOf[map[string]string](s.patch(path, object{"header_name": "x-sample-client-ip"}))
	assert.Equal(t, map[string]string{"header_name": "x-sample-client-ip"}, set)
	assert.Equal(t, securityOption{"ipCustomHeader", "enabled", new("x-sample-client-ip")}, option())
	assert.Equal(t, "x-sample-client-ip", value())

	for _, bad := range []string{`{}`, `{"header_name": ""}`} {
		s.patch(path, bad).refused(http.StatusBadRequest, "header_name")
	}
	assert.Equal(t, "x-sample-client-ip", value())
	assert.True(t, dataOf[bool](s.delete(path)))
	assert.Equal(t, securityOption{"ipCustomHeader", "disabled", nil}, option())
	assert.Nil(t, value())
}

// TestUnknownEndpoints asks every operation on the security and the limits of an endpoint that does not exist, and of
// one that is archived.
func TestUnknownEndpoints(t *testing.T) {
	s := startService(t)
	archived := s.create().ID
	s.delete("/v0/endpoints/" + archived).ok()
	for _, operation := range []struct {
		method, path string
		body         any
	}{
		{http.MethodGet, "security", nil},
		{http.MethodGet, "security_options", nil},
		{http.MethodPatch, "security_options", object{"options": object{"cors": "enabled"}}},
		{http.MethodPost, "security/referrers", object{"referrer": "app.example.com"}},
		{http.MethodDelete, "security/referrers/1", nil},
		{http.MethodPost, "security/request_filters", object{"method": []string{"eth_call"}}},
		{http.MethodPut, "security/request_filters/1", object{"method": []string{"eth_call"}}},
		{http.MethodDelete, "security/request_filters/1", nil},
		{http.MethodPost, "security/tokens", nil},
		{http.MethodDelete, "security/tokens/1", nil},
		{http.MethodPost, "security/ips", object{"ip": "192.0.2.10"}},
		{http.MethodDelete, "security/ips/1", nil},
		{http.MethodPost, "security/domain_masks", object{"domain_mask": "rpc.example.com"}},
		{http.MethodDelete, "security/domain_masks/1", nil},
		{http.MethodPost, "security/jwts", object{"public_key": "made-up-key", "kid": "key-1", "name": "Backend"}},
		{http.MethodDelete, "security/jwts/1", nil},
		{http.MethodPatch, "ip_custom_header", object{"header_name": "x-sample-client-ip"}},
		{http.MethodDelete, "ip_custom_header", nil},
		{http.MethodPost, "method-rate-limits", object{"interval": "day", "methods": []string{"eth_call"}, "rate": 1}},
		{http.MethodPatch, "method-rate-limits/1", object{"rate": 1}},
		{http.MethodDelete, "method-rate-limits/1", nil},
		{http.MethodGet, "rate-limits", nil},
		{http.MethodPatch, "rate-limits", object{"rate_limits": object{"rps": 1}}},
		{http.MethodPut, "rate-limits", object{"rate_limits": object{"rps": 1}}},
		{http.MethodDelete, "rate-limits/3f2b8a52-6d0c-4c7e-9a53-0d6f6c1e2b47", nil},
		{http.MethodGet, "logs?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z", nil},
		{http.MethodGet, "log_details?request_id=6f1a2b3c-d7a8-11ee-8c90-0242ac120002", nil},
		{http.MethodGet, "metrics?period=day&metric=credits_over_time", nil},
	} {
		t.Run(operation.method+" "+operation.path, func(t *testing.T) {
			for _, id := range []string{"unknown", archived} {
				s.call(operation.method, "/v0/endpoints/"+id+"/"+operation.path, operation.body).
					refused(http.StatusNotFound, "endpoint")
			}
		})
	}
}
