package clienttest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestNew_refusesInvalidOptions compares the whole errors, which show no secret.
func TestNew_refusesInvalidOptions(t *testing.T) {
	const s3cr3t, ascii = "s3cr3t", "user agent must be printable ASCII, not "
	at, key, agent := rpcfleet.WithBaseURL, rpcfleet.WithAPIKey, rpcfleet.WithUserAgent
	retries := func(base, most, after time.Duration) rpcfleet.ClientOption {
		return rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{
			MaxAttempts: 1, BaseDelay: base, MaxDelay: most, MaxRetryAfter: after})
	}
	refused := map[string]with{ // Each is refused by itself.
		"base URL is required: see WithBaseURL":                        {key(testKey)},
		"API key is required: see WithAPIKey and WithCredentialSource": {at("https://api.example.com")},
		"API key must not be empty":                                    {key("")},
		"API key was redacted; encode with scalar.WithSecrets":         {key("[redacted]")},
		"API key must be printable ASCII without spaces or line ends": {
			key(s3cr3t + "\n"), key(s3cr3t + "\x7f"), key(s3cr3t + " key")},
		"bearer token must not be empty":                 {rpcfleet.WithBearerToken("")},
		ascii + `"ü"`:                                    {agent("ü")},
		ascii + `"a\x1fb"`:                               {agent("a\x1fb")},
		ascii + `"a\x7fb"`:                               {agent("a\x7fb")},
		"timeout must not be negative, not -1s":          {rpcfleet.WithAttemptTimeout(-time.Second)},
		"MaxAttempts must be at least 1, not 0":          {rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{})},
		"retry policy must not have negative delays":     {retries(-1, 0, 0), retries(0, -1, 0), retries(0, 0, -1)},
		"maximum body size must be at least 1, not 0":    {rpcfleet.WithMaxBodySize(0)},
		"page size must be at least 1, not 0":            {rpcfleet.WithPageSize(0)},
		"pages to prefetch must not be negative, not -1": {rpcfleet.WithPrefetch(-1)},
		`area must be one with a path, not "admin"`:      {rpcfleet.WithAreaPath("admin", "/v1")},
		"base URL must be an absolute URL":               {at("https://a b:" + s3cr3t)},
		"base URL must be an absolute http or https URL": {
			at("api.example.com"), at("ftp://api.example.com"), at("https://")},
		"base URL must not contain a user name or a password": {at("https://me:" + s3cr3t + "@api.example.com")},

		"base URL must not end with /v0, which the paths of operations begin with": {at("https://api.example.com/v0/")},
		"base URL must not have a query or a fragment": {
			at("https://api.example.com?key=" + s3cr3t), at("https://api.example.com?"), at("https://api.example.com#a")},
		"base URL must use https: plain http would show the key to the network (see WithInsecureHTTP)": {
			at("http://api.example.com"), at("http://127.0.0.1.example.com")},
	}
	for _, path := range []string{"a", "/", "/a/..", "/a/.", "/a//b", "/a//", "/a?"} {
		rule := fmt.Sprintf("path must be a plain absolute path, not %q", path)
		refused["alerts "+rule] = with{rpcfleet.WithAreaPath("alerts", path)}
		refused["streams "+rule] = with{rpcfleet.WithAreaPath("streams", path)}
	}
	for want, options := range refused {
		for _, option := range options {
			client, err := rpcfleet.New(option)
			require.EqualError(t, err, "rpcfleet: "+want)
			require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
			assert.NotContains(t, err.Error(), s3cr3t)
			assert.Nil(t, client)
		}
	}
	client, server := scripted(t, ok(record))
	require.ErrorContains(t, errOf(get(client, rpcfleet.WithAttemptTimeout(-time.Second))),
		"timeout must not be negative, not -1s", "of a call")
	assert.Empty(t, server.Requests())
}

// TestOptions_refuseNil: each is an error that names the argument, of New or of the call.
func TestOptions_refuseNil(t *testing.T) {
	for name, option := range map[string]rpcfleet.ClientOption{
		"option": nil, "credential source": rpcfleet.WithCredentialSource(nil), "HTTP client": rpcfleet.WithHTTPClient(nil),
		"pacer": rpcfleet.WithPacer(nil), "logger": rpcfleet.WithLogger(nil), "call hook": rpcfleet.WithCallHook(nil),
		"attempt hook": rpcfleet.WithAttemptHook(nil),
	} {
		require.EqualError(t, errOf(rpcfleet.New(option)), "rpcfleet: "+name+" must not be nil")
	}
	client, server := scripted(t, ok(record))
	for name, option := range map[string]rpcfleet.CallOption{"option": nil, "response": rpcfleet.WithResponse(nil)} {
		require.ErrorContains(t, errOf(get(client, option)), name+" must not be nil")
	}
	assert.Empty(t, server.Requests())
}

func TestNew_accepts(t *testing.T) {
	for _, address := range []string{
		"https://api.example.com", "https://api.example.com/", "https://api.example.com:8443/base/",
		"http://127.0.0.1:9", "http://[::1]:9", "http://localhost",
	} {
		require.NoError(t, errOf(rpcfleet.New(rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(testKey))), address)
	}
	require.NoError(t, errOf(rpcfleet.New(rpcfleet.WithQuickNode(), rpcfleet.WithAPIKey(testKey))))
	_, err := rpcfleet.New(rpcfleet.WithBaseURL("http://api.example.com"), rpcfleet.WithAPIKey("!key~"),
		rpcfleet.WithInsecureHTTP(),
		rpcfleet.WithMaxBodySize(1), rpcfleet.WithPageSize(1), rpcfleet.WithPrefetch(0),
		rpcfleet.WithAreaPath("alerts", "/a..b/.c/d./"))
	require.NoError(t, err)
}

func TestNewFromEnv_readsVariables(t *testing.T) {
	_, server := scripted(t, ok(record))
	t.Setenv("RPCFLEET_BASE_URL", server.URL+"/base/")
	t.Setenv("RPCFLEET_API_KEY", "from-the-env")
	t.Setenv("RPCFLEET_TIMEOUT", "5s")
	client := must(rpcfleet.NewFromEnv(rpcfleet.WithUserAgent("  fleetctl/1.4 ~ ")))(t)
	require.NoError(t, errOf(get(client)))
	client = must(rpcfleet.NewFromEnv(rpcfleet.WithAPIKey("from-the-code")))(t)
	require.NoError(t, errOf(get(client)))
	const agent = "rpcfleet-go/" + rpcfleet.Version
	assert.Equal(t, "/base/v0/endpoints/ep1", server.last().Path)
	assert.Equal(t, []string{"from-the-env", "from-the-code"}, server.Headers("X-Api-Key"), "options win")
	assert.Equal(t, []string{agent + " fleetctl/1.4 ~", agent}, server.Headers("User-Agent"))
	assert.Equal(t, "application/json", server.last().Header.Get("Accept"))
}

func TestNewFromEnv_namesTheVariableInErrors(t *testing.T) {
	set := func(variable, value string) {
		for variable, value := range map[string]string{"BASE_URL": "https://api.example.com", "API_KEY": testKey,
			"BEARER_TOKEN": "", "ALERTS_PATH": "", "TIMEOUT": "", variable: value} {
			t.Setenv("RPCFLEET_"+variable, value)
		}
	}
	for _, test := range []struct {
		variable, value, want string
	}{
		{"BASE_URL", "", "is required: see WithBaseURL"},
		{"BASE_URL", "api.example.com", "must be an absolute http or https URL"},
		{"API_KEY", "", "is required: see WithAPIKey and WithCredentialSource"},
		{"API_KEY", "made\nup", "must"}, {"BEARER_TOKEN", "made\nup", "must"}, {"ALERTS_PATH", "no-slash?", "must"},
		{"TIMEOUT", "soon", `must be a duration such as "30s", not "soon"`},
		{"TIMEOUT", "https://a.example.com/made/", `must be a duration such as "30s", not "https://a.example.com/[redacted`},
		{"TIMEOUT", "-1s", "must not be negative, not -1s"},
	} {
		set(test.variable, test.value)
		_, err := rpcfleet.NewFromEnv()
		assert.Equal(t, "RPCFLEET_"+test.variable, errorAs[*rpcfleet.ValidationError](t, err).Field)
		require.ErrorContains(t, err, "rpcfleet: RPCFLEET_"+test.variable+" "+test.want)
		assert.NotContains(t, err.Error(), "made")
	}
	set("TIMEOUT", "")
	_, err := rpcfleet.NewFromEnv(rpcfleet.WithBaseURL("api.example.com"))
	require.ErrorContains(t, err, "base URL must be", "an option wins over the variable, and its errors are its own")
}

func source(answer func() (rpcfleet.Credentials, error)) func(context.Context) (rpcfleet.Credentials, error) {
	return func(context.Context) (rpcfleet.Credentials, error) { return answer() }
}

// rotating gives a client one key after another. The last one stays.
func rotating(keys ...string) rpcfleet.ClientOption {
	return rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		key := keys[0]
		keys = keys[min(1, len(keys)-1):]
		return rpcfleet.Credentials{APIKey: scalar.NewSecret(key)}, nil
	}))
}

func TestWithCredentialSource_isAskedPerAttempt(t *testing.T) {
	_, server := scripted(t, respondJSON(502, ``), ok(record))
	client := server.client(t, rotating("old-key", "new-key", "bad\nkey"), rpcfleet.WithBearerToken("made-up-bearer"))
	require.NoError(t, errOf(get(client)))
	assert.Equal(t, []string{"old-key", "new-key"}, server.Headers("X-Api-Key"), "the source replaces WithAPIKey for good")
	other := server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		return rpcfleet.Credentials{APIKey: scalar.NewSecret("k"), BearerToken: scalar.NewSecret("bad\nbearer")}, nil
	})))
	for field, client := range map[string]*rpcfleet.Client{"API key": client, "bearer token": other} {
		_, err := get(client)
		require.ErrorContains(t, err, "rpcfleet: "+field+" must be printable ASCII")
		assert.NotContains(t, err.Error(), "bad")
	}
	assert.Len(t, server.Requests(), 2, "what cannot be a header is not sent")
}

func TestWithBearerToken_withoutKeyIsSentWithEveryOperation(t *testing.T) {
	_, server := scripted(t, ok(record), ok(record))
	bearer := scalar.NewSecret("made-up-bearer")
	for _, option := range []rpcfleet.ClientOption{
		rpcfleet.WithBearerToken("made-up-bearer"),
		rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
			return rpcfleet.Credentials{BearerToken: bearer}, nil
		})),
	} {
		client := must(rpcfleet.New(rpcfleet.WithBaseURL(server.URL), option))(t)
		require.NoError(t, errOf(get(client)))
	}
	assert.Equal(t, []string{"Bearer made-up-bearer", "Bearer made-up-bearer"}, server.Headers("Authorization"))
	assert.Empty(t, server.Headers("X-Api-Key"))
}

func TestOperations_areTheCallersOwn(t *testing.T) {
	rpcfleet.Operations()[0].Statuses[0] = -1
	assert.NotContains(t, rpcfleet.Operations()[0].Statuses, -1)
}

// TestBaseURL_ofEachArea keeps its escaping. Its host is in lower case, the one spelling that every proxy rule knows.
func TestBaseURL_ofEachArea(t *testing.T) {
	const live, own = "https://api.quicknode.com", "https://api.example.com/a%2Fb"
	quickNode, at := rpcfleet.WithQuickNode(), rpcfleet.WithBaseURL("https://API.example.com/a%2Fb/")
	for _, row := range []struct {
		options                with
		base, alerts, webhooks string
	}{
		{with{quickNode}, live, "/quickalerts/rest/v1", "/webhooks/rest/v1"},
		{with{quickNode, at}, own, "/quickalerts/rest/v1", "/webhooks/rest/v1"},
		{with{quickNode, rpcfleet.WithAreaPath("alerts", "/b")}, live, "/b", "/webhooks/rest/v1"},
		{with{at, rpcfleet.WithAreaPath("alerts", "/watch/ä"), rpcfleet.WithAreaPath("webhooks", "/hooks/")}, own,
			"/watch/%C3%A4", "/hooks"},
	} {
		var sent []string
		client := over(t, tripper(func(req *http.Request) (*http.Response, error) {
			sent = append(sent, req.URL.String())
			return nil, errors.New("no service")
		}), append(row.options, rpcfleet.WithoutRetries())...)
		require.ErrorIs(t, errOf(get(client)), rpcfleet.ErrConnection)
		require.ErrorIs(t, errOf(client.Destinations.Get(background, "d")), rpcfleet.ErrConnection)
		require.ErrorIs(t, errOf(client.Graph.Collection(background, "ethereum", "0x1")), rpcfleet.ErrConnection)
		require.ErrorIs(t, errOf(client.Webhooks.CountEnabled(background)), rpcfleet.ErrConnection)
		assert.Equal(t, []string{row.base + "/v0/endpoints/ep1", row.base + row.alerts + "/destinations/d",
			row.base + "/graphql", row.base + row.webhooks + "/webhooks/enabled_count"}, sent)
	}
}

// TestRules_ofSeveralArguments and one on a single argument: package api tests them all. If a value breaks a rule,
// nothing is sent, unless WithoutValidation leaves it to the service. A value on the rule's boundary is sent.
func TestRules_ofSeveralArguments(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{}}`))
	list := func(tags ...string) method {
		return methodOf(client.Endpoints.List, admin.ListEndpointsParams{TagIDs: []int64{1}, TagLabels: tags})
	}
	log := func(from, to time.Time) method {
		return methodOf(client.Logs.List, "ep1", admin.ListLogsParams{From: from, To: to})
	}
	destination := func(url string) method {
		to := aDestination
		to.ToURL = scalar.NewSecretURL(url)
		return methodOf(client.Destinations.Create, to)
	}
	const isRequired, isAbsolute = "is required", "must be an absolute http or https URL"
	type rule struct {
		operation, field, rule string
		breaks, keeps          method // One breaks this rule and no other, the other is as near to it as it allows.
	}
	rules := []rule{
		{"createTeam", "name", "must have at least 4 characters", methodOf(client.Teams.Create, "üüü"),
			methodOf(client.Teams.Create, "üüüü")},
		{"listEndpoints", "tag_ids", "and tag_labels exclude each other", list("a"), list()},
		{"listLogs", "from", isRequired, log(time.Time{}, logStart), log(logStart, logStart.Add(1))},
		{"listLogs", "from", "must not be after to", log(logStart, logStart.Add(-1)), log(logStart, logStart)},
		{"createDestination", "to_url", isRequired, destination(""), destination("http://h")},
		{"createDestination", "to_url", isAbsolute, destination("/a"), destination("http://h/a")},
		{"createDestination", "to_url", isAbsolute, destination("ftp://hooks.example"), destination("https://hooks.example")},
		{"createDestination", "to_url", isAbsolute, destination("https://:80/a"), destination("https://h:80/a")},
		{"createDestination", "to_url", isAbsolute, destination("https://a b/%"), destination("https://a/%25")},
	}
	for operation, usage := range map[string]any{
		"getUsage": client.Usage.Total, "getUsageByTag": client.Usage.ByTag, "getUsageByEndpoint": client.Usage.ByEndpoint,
		"getUsageByMethod": client.Usage.ByMethod, "getUsageByChain": client.Usage.ByChain,
	} {
		within := func(end int64) method {
			return methodOf(usage, admin.GetUsageParams{StartTime: time.Unix(7, 0), EndTime: time.Unix(end, 0)})
		}
		rules = append(rules, rule{operation, "start_time", "must not be after end_time", within(6), within(7)})
	}
	anyway := rpcfleet.WithoutValidation()
	for _, want := range rules {
		before := len(server.Requests())
		invalid := errorAs[*rpcfleet.ValidationError](t, errOf(want.breaks(t.Context())))
		assert.Equal(t, []string{want.operation, want.field}, []string{invalid.Operation, invalid.Field})
		assert.Contains(t, invalid.Error(), want.field)
		assert.Contains(t, invalid.Rule, want.rule)
		assert.Len(t, server.Requests(), before, "nothing is sent")
		for _, err := range []error{errOf(want.keeps(t.Context())), errOf(want.breaks(t.Context(), anyway))} {
			require.False(t, errors.As(err, &invalid), "refused: %v", err)
		}
		assert.Len(t, server.Requests(), before+2)
	}
	before := len(server.Requests())
	for _, opts := range []opts{nil, {anyway}} { // No option turns it off.
		assert.Regexp(t, "createDestination: .*to_url:? was redacted; encode with scalar.WithSecrets",
			errOf(destination("https://hooks.example/[redacted]")(t.Context(), opts...)))
	}
	ids, err := walk(t, client, admin.ListEndpointsParams{SortBy: new(admin.EndpointSort("beauty"))})
	require.ErrorAs(t, err, new(*rpcfleet.ValidationError), "an iteration reports it once")
	assert.Empty(t, ids)
	assert.Len(t, server.Requests(), before)
}

func TestCall_refusesIDOfFixedPath(t *testing.T) {
	client, server := scripted(t, ok(`{"data":{}}`))
	_, err := client.Endpoints.Get(t.Context(), "tags")
	require.EqualError(t, err, `rpcfleet: getEndpoint: id must not be a fixed part of another path, not "tags"`)
	err = client.Endpoints.AddTag(t.Context(), "bulk", "prod")
	require.EqualError(t, err, `rpcfleet: addEndpointTag: id must not be a fixed part of another path, not "bulk"`)
	assert.Empty(t, server.Requests())
}

// TestCall_refusesIDsThatChangePath, since no escaping keeps them in their place, in any method and with any options.
func TestCall_refusesIDsThatChangePath(t *testing.T) {
	_, server := scripted(t, respondJSON(404, `{"data":null,"error":"no"}`))
	client := server.client(t,
		rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(r *http.Request) (*http.Response, error) {
			for part := range strings.SplitSeq(r.URL.EscapedPath()[1:], "/") {
				assert.NotContains(t, []string{"", ".", ".."}, part, r.URL)
			}
			return http.DefaultTransport.RoundTrip(r)
		})}))
	refused := 0
	services := reflect.ValueOf(client).Elem()
	for field := range services.Type().Fields() {
		if !field.IsExported() {
			continue
		}
		for _, method := range services.FieldByIndex(field.Index).Methods() {
			if !slices.Contains(slices.Collect(method.Type().Ins()), reflect.TypeFor[string]()) {
				continue
			}
			for _, word := range []string{"", ".", ".."} {
				err := callWithAnything(t, method, word, rpcfleet.WithoutValidation())
				var invalid *rpcfleet.ValidationError
				if errors.As(err, &invalid) && strings.HasPrefix(invalid.Rule, "must not be") {
					refused++
				}
			}
		}
	}
	assert.Greater(t, refused, 120)
}
