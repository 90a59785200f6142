package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	f, err := read(bundled, func(name string) string { return map[string]string{"ON_CALL_URL": "https://hooks.example.com/x"}[name] })
	require.NoError(t, err)
	require.Len(t, f.Endpoints, 3)
	assert.Equal(t, list[string]{"production", "payments"}, f.Endpoints[0].Tags)
	assert.Equal(t, "X-Client-IP", *f.Endpoints[1].Security.IPCustomHeader, "what is merged in holds")
	assert.Len(t, f.Endpoints[0].Security.JWTs, 1)
	assert.Equal(t, list[jwt]{}, f.Endpoints[1].Security.JWTs, "what a mapping says itself takes its place")
	assert.Nil(t, f.Endpoints[2].Security)
	assert.False(t, on(f.Endpoints[0].MethodRateLimits[1].Enabled))
	assert.Equal(t, "https://hooks.example.com/x", f.Destinations[0].URL.Reveal())

	f, err = read(nil, nil)
	require.NoError(t, err)
	assert.Equal(t, &fleet{}, f)
	f = declares(t, "teams: []\nendpoints:\n")
	assert.NotNil(t, f.Teams, "an empty list says that there are none")
	assert.Nil(t, f.Endpoints, "a null says nothing")
}

func TestReadRefuses(t *testing.T) {
	const endpoint = "endpoints:\n- label: a\n  chain: ethereum\n  network: ethereum-mainnet\n"
	const destination = "destinations:\n- {name: hook, url: 'https://example.com/secret', method: POST, payload_type: 1}\n"
	for name, test := range map[string]struct{ content, reason string }{
		"no YAML":            {"endpoints: [", "line 1"},
		"two documents":      {"teams: []\n---\nteams: []", "one YAML document"},
		"no mapping":         {"- a", "line 1: the file: must be a mapping"},
		"an unknown section": {"endpoint: []", "line 1: endpoint: there is no such key: the keys here are destinations, endpoints"},
		"an unknown key":     {endpoint + "  tag: [x]", "line 5: endpoints[0].tag: there is no such key"},
		"a key twice":        {endpoint + "  chain: polygon", "line 5: endpoints[0].chain: the key is there twice"},
		"no list":            {endpoint + "  tags: x", "line 5: endpoints[0].tags: must be a list"},
		"no number":          {endpoint + "  rate_limits:\n    rps: many", "line 6: endpoints[0].rate_limits.rps: must be a whole number"},
		"no truth":           {endpoint + "  multichain: maybe", "line 5: endpoints[0].multichain: must be true or false"},
		"no single value":    {endpoint + "  status: [active]", "line 5: endpoints[0].status: must be a single value"},
		"a merge of itself":  {endpoint + "  security: &s\n    <<: *s", "merged into itself"},

		"no label":              {"endpoints:\n- chain: ethereum\n  network: x", "line 2: endpoints[0].label: is required"},
		"a label twice":         {endpoint + strings.TrimPrefix(endpoint, "endpoints:\n"), `line 5: endpoints[1].label: "a" is there twice`},
		"no network":            {"endpoints:\n- label: a\n  chain: ethereum", "line 2: endpoints[0].network: is required"},
		"a status":              {endpoint + "  status: off", "endpoints[0].status: must be active or paused"},
		"a tag twice":           {endpoint + "  tags: [x, X]", `line 5: endpoints[0].tags[1]: "x" is there twice`},
		"a limit of none":       {endpoint + "  rate_limits: {rpd: 0}", "endpoints[0].rate_limits.rpd: must be at least 1"},
		"tokens below zero":     {endpoint + "  security: {tokens: -1}", "endpoints[0].security.tokens: must not be negative"},
		"an unknown option":     {endpoint + "  security: {options: {ip: true}}", "endpoints[0].security.options.ip: there is no such option"},
		"an option of no kind":  {endpoint + "  security: {options: {ips: 3}}", "endpoints[0].security.options.ips: must be true or false"},
		"an option without use": {endpoint + "  security: {ip_custom_header: '', options: {ipCustomHeader: true}}", "needs a header"},
		"an empty ip":           {endpoint + "  security: {ips: ['']}", "endpoints[0].security.ips[0]: is required"},
		"an empty filter":       {endpoint + "  security: {request_filters: [[]]}", "request_filters[0]: must have at least one method"},
		"a filter twice":        {endpoint + "  security: {request_filters: [[a, b], [b, a]]}", "request_filters[1]: the same methods"},
		"a method twice":        {endpoint + "  security: {request_filters: [[a, a]]}", `request_filters[0][1]: "a" is there twice`},
		"a key without a name":  {endpoint + "  security: {jwts: [{kid: k, public_key: p}]}", "jwts[0].name: is required"},
		"a jwt twice": {endpoint + "  security: {jwts: [{name: n, kid: k, public_key: p}, {name: n, kid: k, public_key: p}]}",
			"jwts[1]: the same key is there twice"},
		"an interval":        {endpoint + "  method_rate_limits: [{interval: hour, methods: [a], rate: 1}]", "interval: must be second"},
		"no rate":            {endpoint + "  method_rate_limits: [{interval: day, methods: [a]}]", "method_rate_limits[0].rate: must be at least 1"},
		"a limit twice":      {endpoint + "  method_rate_limits: [{interval: day, methods: [a], rate: 1}, {interval: day, methods: [a], rate: 2}]", "[1]: the same methods"},
		"a short team":       {"teams:\n- name: abc", "line 2: teams[0].name: must have at least 4 characters"},
		"a team twice":       {"teams:\n- name: abcd\n- name: abcd", "line 3: teams[1].name"},
		"a team's endpoint":  {"teams:\n- name: abcd\n  endpoints: [x]", `line 3: teams[0].endpoints[0]: there is no endpoint "x"`},
		"a member twice":     {"teams:\n- name: abcd\n  members: [{email: a@b}, {email: A@b}]", "members[1].email"},
		"a role":             {"teams:\n- name: abcd\n  members: [{email: a@b, role: boss}]", "members[0].role: must be admin"},
		"no url":             {"destinations:\n- {name: hook, method: POST, payload_type: 1}", "destinations[0].url: must be an absolute"},
		"two urls":           {strings.Replace(destination, "method", "url_from: X, method", 1), "destinations[0].url_from: excludes url"},
		"a method":           {strings.Replace(destination, "POST", "PUT", 1), "destinations[0].method: must be POST or GET"},
		"a layout":           {strings.Replace(destination, "payload_type: 1", "payload_type: 8", 1), "payload_type: must be from 1 to 7"},
		"an unknown webhook": {destination + "notifications:\n- {name: n, network: x, expression: e, destinations: [y]}", `there is no destination "y"`},
		"no expression":      {"notifications:\n- {name: n, network: x, destinations: []}", "notifications[0].expression: is required"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read([]byte(test.content), func(string) string { return "" })
			require.ErrorContains(t, err, test.reason)
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestAllMistakesAreToldAtOnce(t *testing.T) {
	_, err := read([]byte("endpoints:\n- label: a\n- label: b\n"), nil)
	require.Error(t, err)
	assert.Len(t, strings.Split(err.Error(), "\n"), 4)
}

func FuzzRead(f *testing.F) {
	f.Add(bundled)
	f.Add([]byte("endpoints: &a\n- <<: *a\n"))
	f.Add([]byte("teams: [{name: [], members: {}}]\ndestinations: [{url: {}}]\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		read, err := read(content, func(string) string { return "" })
		if err == nil && read == nil {
			t.Error("neither a fleet nor an error")
		}
	})
}
