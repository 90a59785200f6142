package emulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestServe_refusesInvalidRequests: the client does not send most of these. A refused request changes nothing.
func TestServe_refusesInvalidRequests(t *testing.T) {
	s, ids := populated(t)
	replace := strings.NewReplacer("{e}", "/v0/endpoints/"+ids["checkout"], "{t}", "/v0/teams/"+ids["payments"],
		"{n}", alertsPath+"/notifications", "{id}", ids["transfers"], "{d}", alertsPath+"/destinations",
		"{limit}", dataOf[struct {
			RateLimiters []struct{ ID string } `json:"rate_limiters"`
		}](s.get("/v0/endpoints/" + ids["checkout"] + "/method-rate-limits")).RateLimiters[0].ID)
	before := map[string]string{}
	for path := range partsOf(ids) {
		before[path] = string(s.get(path).body)
	}
	destination := func(changed string) string {
		return `{"name":"a","to_url":"https://a.example","webhook_type":"POST","service":"webhook","payload_type":5,` +
			changed + `}`
	}
	for request, bodies := range map[string]map[string]string{ // The reasons by body.
		"POST /v0/endpoints": {
			`{"network":"base-mainnet"}`: "chain is required", `{"chain":"x","network":"y"}`: "chain is not",
			`{"chain":"base","network":"matic"}`:                "network is not",
			`{"chain":"ethereum","network":"ethereum-mainnet"}`: `chain must be "eth", not "ethereum", network must be "mainnet"`,
			`{"chain":"matic","network":"polygon-mainnet"}`:     `network must be "matic", not "polygon-mainnet"`, `{"chain":`: "JSON", ``: "JSON",
			`null`: "chain is required", `{"chain":7}`: "JSON",
		},
		"PATCH {e}/status":    {`{"status":"gone"}`: "status must be one of", `{"status":null}`: "status is required"},
		"POST {e}/tags":       {`{"label":"twenty-six characters long"}`: "at most 25 characters"},
		"POST /v0/teams":      {`{"name":"abc"}`: "at least 4 characters"},
		"PATCH {t}/endpoints": {`{}`: "endpoint_ids is required"},
		"PATCH {e}/rate-limits": {`{"rate_limits":{}}`: "at least one",
			`{"rate_limits":{"rps":0}}`: "rate_limits.rps must be at least 1", `{"rate_limits":{"rps":501}}`: "500"},
		"POST {e}/method-rate-limits": {
			`{"interval":"day","methods":[],"rate":1}`: "methods must", `{"interval":"day","methods":[""],"rate":1}`: "no empty one",
			`{"interval":"hour","methods":["a"],"rate":1}`: "interval must", `{"methods":["a"],"rate":1}`: "interval is",
			`{"interval":"day","methods":["a"]}`: "rate is", `{"interval":"day","methods":["a"],"rate":0}`: "rate must",
		},
		"PATCH {e}/method-rate-limits/{limit}": {`{"rate":0}`: "rate", `{"methods":[],"rate":5}`: "methods"},
		"POST {e}/security/ips":                {`{"ip":"192.0.2"}`: "IP address"},
		"POST {e}/security/request_filters":    {`{"method":[""]}`: "no empty one"},
		"PUT {e}/security/request_filters/1":   {`{"method":[]}`: "method must"},
		"PATCH {e}/security_options": {`{"options":{"tokens":"enabled","x":"enabled"}}`: `no key "x"`,
			`{"options":{"cors":"on"}}`: "options.cors", `{"options":{"cors":null}}`: "options.cors must be"},
		"POST /v0/endpoints/bulk/status": {`{"ids":[],"status":"active"}`: "ids"},
		"POST /v0/endpoints/bulk/tags":   {`{"ids":[],"label":"x"}`: "ids"},
		"DELETE /v0/endpoints/bulk/tags": {`{"ids":["1"]}`: "tag_id"},
		"POST {t}/members": {
			`{"email":"x"}`: "email must", `{"email":"New <n@example.com>"}`: "email must",
			`{"email":"n@example.com"}`: "full_name", `{"email":"n@example.com","full_name":"N"}`: "role is",
		},
		"POST {d}": {destination(`"to_url":"/hook"`): "to_url", destination(`"to_url":"ftp://a"`): "to_url"},
		"POST {n}/backtest": {
			`{"expression":"","network":"x","block_number":1,"backtest_count":21}`: "at most 20",
		},
		"PATCH {n}/{id}": {
			`{"name":"a","expression":"dHhf"}`: "expression", `{"name":"a","expression":"?"}`: "base64",
			`{"name":"a","destinationIds":["x"]}`: "there is no destination x",
		},
	} {
		method, path, _ := strings.Cut(replace.Replace(request), " ")
		for body, reason := range bodies {
			refused := s.call(method, path, body)
			assert.Equal(t, http.StatusBadRequest, refused.status, "%s %s", request, body)
			assert.Contains(t, string(refused.body), strings.ReplaceAll(reason, `"`, `\"`), "%s %s", request, body)
		}
	}
	const day = "from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z"
	for query, reason := range map[string]string{
		"/v0/endpoints?limit=0": "limit", "/v0/endpoints?limit=1&limit=2": "multiple values",
		"/v0/endpoints?tag_ids=1,": "tag_ids", "/v0/endpoints?tag_ids=1%2C2": "tag_ids",
		"/v0/endpoints?limit=ten": "limit", "/v0/endpoints?offset=-1": "offset",
		"/v0/endpoints?sort_by=colour": "sort_by", "/v0/endpoints?sort_direction=up": "sort_direction",
		"/v0/endpoints?statuses[]=gone":          "statuses",
		"/v0/endpoints?tag_ids=1&tag_labels=red": "exclude each other",
		"{e}/logs?to=2026-03-11T00:00:00Z":       "from", "{e}/logs?from=yesterday&to=2026-03-11T00:00:00Z": "from",
		"{e}/logs?from=2026-03-12T00:00:00Z&to=2026-03-11T00:00:00Z": "after to", "{e}/logs?limit=0&" + day: "limit",
		"{e}/logs?next_at=nonsense&" + day: "next_at", "{e}/log_details?request_id=7": "request_id",
		"{e}/metrics?period=year&metric=credits_over_time": "period", "{e}/metrics?period=day&metric=x": "metric",
		"/v0/metrics?period=day&metric=x": "metric", "/v0/usage/rpc?start_time=-1": "unix seconds",
		"/v0/usage/rpc/by-tag?start_time=5&end_time=4": "after",
		"/v0/usage/rpc/by-chain?end_time=999999999999": "unix seconds",
		"{d}?limit=0": "limit", "{n}/{id}/events?offset=-1": "offset",
	} {
		refused := s.get(replace.Replace(query))
		assert.Equal(t, http.StatusBadRequest, refused.status, query)
		assert.Contains(t, string(refused.body), reason, query)
	}
	for path, body := range before {
		assert.Equal(t, body, string(s.get(path).body), path)
	}
}

// TestListFilters_acceptEveryEncoding: the service's own clients do not agree on one form.
func TestListFilters_acceptEveryEncoding(t *testing.T) {
	s := startService(t)
	var ids []string
	for _, label := range []string{"a", "b,c", "d"} {
		id := s.create().ID
		s.post("/v0/endpoints/"+id+"/tags", object{"label": label}).ok()
		ids = append(ids, id)
	}
	for query, want := range map[string][]string{
		"tag_labels=a&tag_labels=d": {ids[0], ids[2]}, "tag_labels[]=a&tag_labels%5B%5D=d": {ids[0], ids[2]},
		"tag_labels=a,d": {ids[0], ids[2]}, "tag_labels=a,b%2Cc,%zz": {ids[0], ids[1]}, "limit[]=1&search=": ids,
	} {
		assert.Equal(t, want, s.list(query), query)
	}
}

// TestServe_unknownPathOrMethod: the router responds, to escaped paths as well. The acceptance tests ask for unknown ids.
func TestServe_unknownPathOrMethod(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	for request, status := range map[string]int{
		"GET /v0/nothing": http.StatusNotFound, "GET " + alertsPath + "/nothing": http.StatusNotFound,
		"POST /v0/chains": http.StatusMethodNotAllowed, "PUT " + alertsPath + "/destinations": http.StatusMethodNotAllowed,
		"DELETE /v0/endpoints/tags/red":  http.StatusBadRequest, // Its id is a number.
		"GET /v0/endpoints/%31" + id[1:]: http.StatusOK,         // The id's first digit is a 1.
	} {
		method, path, _ := strings.Cut(request, " ")
		assert.Equal(t, status, s.call(method, path, nil).status, request)
	}
	got := s.get("/v0/endpoints/unknown/method-rate-limits")
	assert.Equal(t, http.StatusNotFound, got.status)
	assert.JSONEq(t, `{"data": {"rate_limiters": []}, "error": null}`, string(got.body), "an exception of the contract")
}
