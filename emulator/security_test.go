package emulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type security struct {
	Options        map[string]any      `json:"options"`
	Tokens         []map[string]string `json:"tokens"`
	JWTs           []map[string]string `json:"jwts"`
	Referrers      []map[string]string `json:"referrers"`
	DomainMasks    []map[string]string `json:"domain_masks"`
	IPs            []map[string]string `json:"ips"`
	RequestFilters []requestFilter     `json:"request_filters"`
}

type requestFilter struct {
	ID     string   `json:"id"`
	Method []string `json:"method"`
}

func (s *service) security(endpoint string) security {
	s.t.Helper()
	return dataOf[security](s.get("/v0/endpoints/" + endpoint + "/security"))
}

func TestFreshSecurity(t *testing.T) {
	s := startService(t)
	created := s.create()
	fresh := s.security(created.ID)

	require.Len(t, fresh.Tokens, 1)
	assert.NotEmpty(t, fresh.Tokens[0]["id"])
	assert.Contains(t, created.HTTPURL, "/"+fresh.Tokens[0]["token"]+"/")
	assert.Empty(t, fresh.JWTs)
	assert.Empty(t, fresh.Referrers)
	assert.Empty(t, fresh.DomainMasks)
	assert.Empty(t, fresh.IPs)
	assert.Empty(t, fresh.RequestFilters)
	assert.Equal(t, true, fresh.Options["tokens"])
	assert.Equal(t, false, fresh.Options["ips"])
	assert.Equal(t, bodyOf[struct{ Data object }](s.get("/v0/endpoints/"+created.ID+"/security")).Data,
		s.endpoint(created.ID).Security, "the endpoint shows the same")
}

// TestSecurityEntries adds entries of each kind, finds them, and removes them.
func TestSecurityEntries(t *testing.T) {
	for _, kind := range []struct {
		path string
		// sent is what is asked for, and shown what the entry then shows beside its id.
		sent  object
		shown map[string]string
		list  func(security) []map[string]string
	}{
		{"referrers", object{"referrer": "app.example.com"}, map[string]string{"referrer": "app.example.com"},
			func(s security) []map[string]string { return s.Referrers }},
		{"ips", object{"ip": "192.0.2.10"}, map[string]string{"ip": "192.0.2.10"},
			func(s security) []map[string]string { return s.IPs }},
		{"ips", object{"ip": "2001:db8::/32"}, map[string]string{"ip": "2001:db8::/32"},
			func(s security) []map[string]string { return s.IPs }},
		{"domain_masks", object{"domain_mask": "rpc.example.com"}, map[string]string{"domain": "rpc.example.com"},
			func(s security) []map[string]string { return s.DomainMasks }},
		{"jwts", object{"public_key": "made-up-key", "kid": "key-1", "name": "Backend"},
			map[string]string{"public_key": "made-up-key", "kid": "key-1", "name": "Backend"},
			func(s security) []map[string]string { return s.JWTs }},
	} {
		t.Run(kind.path, func(t *testing.T) {
			s := startService(t)
			ids := s.CreateEndpoints(2)
			path := "/v0/endpoints/" + ids[0] + "/security/" + kind.path

			first, second := dataOf[map[string]string](s.post(path, kind.sent)), dataOf[map[string]string](s.post(path, kind.sent))
			assert.NotEqual(t, first["id"], second["id"])
			assert.Equal(t, []map[string]string{first, second}, kind.list(s.security(ids[0])))
			assert.Empty(t, kind.list(s.security(ids[1])), "another endpoint has its own")
			withoutID := map[string]string{}
			for field, value := range first {
				if field != "id" {
					withoutID[field] = value
				}
			}
			assert.Equal(t, kind.shown, withoutID)

			assert.True(t, dataOf[bool](s.delete(path+"/"+first["id"])))
			assert.Equal(t, []map[string]string{second}, kind.list(s.security(ids[0])))
			assert.False(t, dataOf[bool](s.delete(path+"/"+first["id"])), "it is gone already")
			assert.False(t, dataOf[bool](s.delete("/v0/endpoints/"+ids[1]+"/security/"+kind.path+"/"+second["id"])))
			assert.Len(t, kind.list(s.security(ids[0])), 1)
		})
	}
}

func TestTokens(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	path := "/v0/endpoints/" + id + "/security/tokens"
	first := s.security(id).Tokens[0]

	created := dataOf[map[string]string](s.post(path, nil))
	assert.NotEqual(t, first["token"], created["token"])
	assert.Equal(t, []map[string]string{first, created}, s.security(id).Tokens)
	assert.True(t, dataOf[bool](s.delete(path+"/"+first["id"])))
	assert.False(t, dataOf[bool](s.delete(path+"/"+created["token"])), "a token is not its id")
	assert.Equal(t, []map[string]string{created}, s.security(id).Tokens)
}

func TestRequestFilters(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	path := "/v0/endpoints/" + id + "/security/request_filters"

	filter := dataOf[map[string]string](s.post(path, object{"method": []string{"eth_call"}}))["id"]
	assert.Equal(t, []requestFilter{{filter, []string{"eth_call"}}}, s.security(id).RequestFilters)

	changed := s.call(http.MethodPut, path+"/"+filter, object{"method": []string{"eth_chainId", "eth_getLogs"}})
	assert.Equal(t, http.StatusNoContent, changed.status)
	assert.Empty(t, changed.body)
	assert.Equal(t, []requestFilter{{filter, []string{"eth_chainId", "eth_getLogs"}}}, s.security(id).RequestFilters)

	s.call(http.MethodPut, path+"/"+filter, object{"method": []string{}}).refused(http.StatusBadRequest, "method")
	s.call(http.MethodPut, path+"/999", object{"method": []string{"eth_call"}}).refused(http.StatusNotFound, "filter")
	assert.Equal(t, http.StatusNoContent, s.delete(path+"/"+filter).status)
	assert.Empty(t, s.security(id).RequestFilters)
	s.delete(path+"/"+filter).refused(http.StatusNotFound, "filter")
}

func TestSecurityRefusals(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	for _, bad := range []struct {
		path, body, reason string
	}{
		{"referrers", `{}`, "referrer"},
		{"referrers", `{"referrer": ""}`, "referrer"},
		{"referrers", `{"referrer": 7}`, "referrer"},
		{"referrers", `nonsense`, "JSON"},
		{"referrers", ``, "JSON"},
		{"ips", `{}`, "ip"},
		{"ips", `{"ip": "192.0.2"}`, "ip"},
		{"domain_masks", `{}`, "domain_mask"},
		{"jwts", `{"public_key": "made-up-key", "kid": "key-1"}`, "name"},
		{"jwts", `{"public_key": "made-up-key", "name": "Backend"}`, "kid"},
		{"jwts", `{"kid": "key-1", "name": "Backend"}`, "public_key"},
		{"request_filters", `{}`, "method"},
		{"request_filters", `{"method": []}`, "method"},
		{"request_filters", `{"method": [""]}`, "method"},
	} {
		t.Run(bad.path+bad.body, func(t *testing.T) {
			s.post("/v0/endpoints/"+id+"/security/"+bad.path, bad.body).refused(http.StatusBadRequest, bad.reason)
		})
	}
	after := s.security(id)
	assert.Len(t, after.Tokens, 1)
	assert.Empty(t, after.Referrers)
	assert.Empty(t, after.IPs)
	assert.Empty(t, after.DomainMasks)
	assert.Empty(t, after.JWTs)
	assert.Empty(t, after.RequestFilters)
}
