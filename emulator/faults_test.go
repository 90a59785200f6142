package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// statuses returns the statuses of n equal requests.
func statuses(n int, call func() responseBuffer) (got []int) {
	for range n {
		got = append(got, call().status)
	}
	return got
}

// requestData is one that a server's handler might get.
func requestData(e *emulator.Emulator, path string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "http://emulator.example"+path, nil)
	r.RequestURI = ""
	r.Header.Set("X-Api-Key", e.APIKey)
	return r
}

func inject(t *testing.T, e *emulator.Emulator, fault emulator.Fault) *emulator.Injection {
	t.Helper()
	return must(e.Inject(fault))(t)
}

func TestFaults_matchChosenRequests(t *testing.T) {
	s := startService(t)
	one, two := s.create().ID, s.create().ID
	get := func(id string) func() responseBuffer {
		return func() responseBuffer { return s.get("/v0/endpoints/" + id) }
	}
	injection := inject(t, s.Emulator, emulator.Fault{
		Operation: "getEndpoint", Params: map[string]string{"id": one}, After: 1, Times: 2, Status: 500,
	})
	assert.Equal(t, []int{200, 200, 200}, statuses(3, get(two)), "another endpoint")
	assert.Equal(t, 200, s.get("/v0/endpoints/"+one+"/urls").status, "another operation")
	assert.Equal(t, []int{200, 500, 500, 200}, statuses(4, get(one)))
	assert.Equal(t, 2, injection.Fired())
	injection.Remove()
	injection.Remove()
	assert.Empty(t, s.Faults())

	on := inject(t, s.Emulator, emulator.Fault{Params: map[string]string{"id": one}, Status: 503})
	assert.Equal(t, []int{503, 503}, statuses(2, get(one)), "every operation on an endpoint")
	assert.Equal(t, 200, s.get("/v0/chains").status)
	on.Remove()
	assert.Equal(t, []int{200, 200}, statuses(2, get(one)))

	all := inject(t, s.Emulator, emulator.Fault{Status: 502})
	assert.Equal(t, 502, s.get("/v0/chains").status)
	assert.Equal(t, 502, s.get("/v0/nothing").status, "even what is no operation")
	s.RemoveFaults()
	assert.Equal(t, 404, s.get("/v0/nothing").status)
	assert.Equal(t, 2, all.Fired(), "it is known after the end as well")

	inject(t, s.Emulator, emulator.Fault{Operation: "getEndpoint", Params: map[string]string{"id": "a/b %"}, Status: 500})
	assert.Equal(t, 500, s.get("/v0/endpoints/a%2Fb%20%25").status, "the path has to escape it")
	assert.Equal(t, 404, s.get("/v0/endpoints/a%2Fb").status)
}

// TestFaults_nextTakesOverWhenSpent: if one fault has had its times, the next one takes over, and the faults behind the
// one that decides see nothing.
func TestFaults_nextTakesOverWhenSpent(t *testing.T) {
	s := startService(t, emulator.WithFaults(
		emulator.Fault{Operation: "listChains", Times: 2, Status: 429},
		emulator.Fault{Operation: "listChains", After: 1, Times: 1, Status: 500}))
	assert.Equal(t, []int{429, 429, 200, 500, 200}, statuses(5, func() responseBuffer { return s.get("/v0/chains") }))
}

func TestFaults_probabilityIsSeeded(t *testing.T) {
	play := func(seed uint64) []int {
		s := startService(t, emulator.WithSeed(seed), emulator.WithFaults(
			emulator.Fault{Operation: "listChains", Probability: 0.5, Status: 500}))
		return statuses(40, func() responseBuffer { return s.get("/v0/chains") })
	}
	assert.Equal(t, play(1), play(1))
	assert.NotEqual(t, play(1), play(2))
	assert.Contains(t, play(1), 200)
	assert.Contains(t, play(1), 500)
}

// TestFaults_latenciesAddUp: latencies add up, and if a client gives up its request is not executed.
func TestFaults_latenciesAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.WithFaults(
			emulator.Fault{Operation: "listChains", Status: 500, Times: 1, Latency: time.Second},
			emulator.Fault{Latency: time.Minute}))
		defer e.Close()
		client := e.Client()
		client.Timeout = time.Hour
		get := func(method, path string) (*http.Response, time.Duration, error) {
			began := time.Now()
			request := must(http.NewRequestWithContext(t.Context(), method, emulator.ClientURL+path, nil))(t)
			request.Header.Set("X-Api-Key", e.APIKey)
			response, err := client.Do(request)
			if err == nil {
				_ = response.Body.Close()
			}
			return response, time.Since(began), err
		}
		response, took, err := get(http.MethodGet, "/v0/chains")
		require.NoError(t, err)
		assert.Equal(t, 500, response.StatusCode)
		assert.Equal(t, time.Minute+time.Second, took)
		_, took, err = get(http.MethodGet, "/v0/account/info")
		require.NoError(t, err)
		assert.Equal(t, time.Minute, took)

		assert.Equal(t, took, e.Calls("getAccountInfo")[0].Time.Sub(time.Now().Add(-took)),
			"the time of a call is when it is executed")

		id := e.CreateEndpoints(1)[0]
		client.Timeout = time.Second
		_, _, err = get(http.MethodDelete, "/v0/endpoints/"+id)
		require.Error(t, err)
		synctest.Wait()
		calls := e.Calls("archiveEndpoint")
		require.Len(t, calls, 1)
		assert.False(t, calls[0].Executed)
		assert.Equal(t, "latency", calls[0].Fault)
		client.Timeout = 0
		response, _, err = get(http.MethodGet, "/v0/endpoints/"+id)
		require.NoError(t, err)
		assert.Equal(t, 200, response.StatusCode)
	})
}

// TestFaults_effectsWithoutConnectionAbort: if there is no connection to break, the request is aborted.
func TestFaults_effectsWithoutConnectionAbort(t *testing.T) {
	for _, effect := range []emulator.Effect{emulator.EffectCloseConnection, emulator.EffectResetBeforeResponse,
		emulator.EffectLoseResponse, emulator.EffectResetDuringResponse, emulator.EffectResetAfterResponse,
		emulator.EffectTruncate, emulator.EffectWrongContentLength} {
		e := emulator.New(emulator.WithFaults(emulator.Fault{Effect: effect}))
		assert.PanicsWithValue(t, http.ErrAbortHandler, func() { send(e, http.MethodGet, "/v0/chains", "", http.Header{}) },
			effect)
	}
	e := emulator.New(emulator.WithFaults(emulator.Fault{Effect: emulator.EffectEndlessBody}))
	assert.PanicsWithValue(t, http.ErrAbortHandler, func() { e.ServeHTTP(&httptest.ResponseRecorder{}, requestData(e, "/v0/chains")) },
		"it has an end after all")
}

// TestFaults_countChangedFieldsOnly: a response without the place has suffered nothing.
func TestFaults_countChangedFieldsOnly(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	injection := inject(t, s.Emulator, emulator.Fault{
		Operation: "getEndpoint", Times: 1, Effect: emulator.EffectRemoveField, Pointer: "/data/chain",
	})
	s.get("/v0/endpoints/none").rejected(http.StatusNotFound, "")
	assert.Equal(t, 0, injection.Fired())
	assert.NotContains(t, string(s.get("/v0/endpoints/"+id).ok().body), `"chain"`)
	assert.Equal(t, 1, injection.Fired())
	assert.Contains(t, string(s.get("/v0/endpoints/"+id).ok().body), `"chain"`)
	calls := s.Calls("getEndpoint")
	assert.Equal(t, []string{"", "remove-field", ""}, []string{calls[0].Fault, calls[1].Fault, calls[2].Fault})
}

func TestFaults_failuresHaveFormOfArea(t *testing.T) {
	s := startService(t, emulator.WithFaults(emulator.Fault{Status: 503, RetryAfter: "never"}))
	for name, c := range map[string]struct {
		response responseBuffer
		want     string
	}{
		"admin": {s.get("/v0/chains"), `{"data":null,"error":"an injected fault"}`},
		"alerts": {s.get(alertsPath + "/destinations"),
			`{"statusCode":503,"error":"Service Unavailable","message":"an injected fault"}`},
		"graph": {s.post("/graphql", object{"query": "{}"}),
			`{"errors":[{"message":"an injected fault","extensions":{"code":"INTERNAL_ERROR"}}]}`},
		"tooling": {s.post("/tooling/7/x", nil), ""},
		"none":    {s.get("/v0/nothing"), `{"data":null,"error":"an injected fault"}`},
	} {
		assert.Equal(t, 503, c.response.status, name)
		assert.Equal(t, "never", c.response.header.Get("Retry-After"), name)
		if c.want == "" {
			assert.Equal(t, "an injected fault\n", string(c.response.body), name)
			continue
		}
		assert.JSONEq(t, c.want, string(c.response.body), name)
	}
	html := startService(t, emulator.WithFaults(emulator.Fault{Effect: emulator.EffectHTML, Status: 503, RetryAfter: "7"}))
	got := html.get("/v0/chains")
	assert.Equal(t, []string{"7", "text/html; charset=utf-8"},
		[]string{got.header.Get("Retry-After"), got.header.Get("Content-Type")})
	assert.Contains(t, string(got.body), "<html>")
	assert.Len(t, s.Calls("tooling"), 1)
	assert.Equal(t, map[string]string{"endpoint_id": "7"}, s.Calls("tooling")[0].Params)
}

// TestInject_isSafeForConcurrentUse injects, meets and removes from many goroutines.
func TestInject_isSafeForConcurrentUse(t *testing.T) {
	e := emulator.New()
	inject(t, e, emulator.Fault{Operation: "listChains", Times: 50, Status: 500})
	var group sync.WaitGroup
	var mu sync.Mutex
	failed := 0
	for range 8 {
		group.Go(func() {
			for range 20 {
				other := inject(t, e, emulator.Fault{Operation: "listInvoices", Status: 500})
				if send(e, http.MethodGet, "/v0/chains", "", http.Header{}).Code == 500 {
					mu.Lock()
					failed++
					mu.Unlock()
				}
				other.Remove()
			}
		})
	}
	group.Wait()
	assert.Equal(t, 50, failed)
	assert.Len(t, e.Faults(), 1)
	assert.Len(t, e.Calls("listChains"), 160)
}

// TestFaults_scriptedResponseIsSentInstead: a fault is a whole response, and the request is not served.
func TestFaults_scriptedResponseIsSentInstead(t *testing.T) {
	s := startService(t)
	_, err := s.Inject(emulator.Fault{
		Operation: "createEndpoint", Times: 1, Status: 201, Header: http.Header{"X-Made-Up": {"yes"}},
		Body: `{"data":{"id":"1"}}`,
	})
	require.NoError(t, err)
	_, err = s.Inject(
		emulator.Fault{Operation: "listTeams", Status: 503, Header: http.Header{"Content-Type": {"text/plain"}},
			Body: "later"})
	require.NoError(t, err)
	got := s.post("/v0/endpoints", object{"chain": "base", "network": "base-mainnet"})
	assert.Equal(t, http.StatusCreated, got.status)
	assert.Equal(t, []string{"yes", "application/json"},
		[]string{got.header.Get("X-Made-Up"), got.header.Get("Content-Type")})
	assert.Equal(t, `{"data":{"id":"1"}}`, string(got.body))
	assert.Empty(t, s.list(""))
	got = s.get("/v0/teams")
	assert.Equal(t, http.StatusServiceUnavailable, got.status)
	assert.Equal(t, []string{"later", "text/plain"}, []string{string(got.body), got.header.Get("Content-Type")})
	calls := s.Calls("createEndpoint")
	assert.Equal(t, "response", calls[0].Fault)
	assert.False(t, calls[0].Executed)
}

// TestFaults_setFieldAtPointer changes one place of a response, or nothing if the place does not exist.
func TestFaults_setFieldAtPointer(t *testing.T) {
	for pointer, want := range map[string]string{
		"/data/0/slug":       `"slug":7`,
		"/data/0/new~1a~0":   `"new/a~":7`,
		"/data/0/networks/0": `"networks":[7,`,
		"/data/99":           "", "/data/00": "", "/data/-": "", "/nothing/inside": "", "/error/inside": "",
	} {
		s := startService(t, emulator.WithFaults(emulator.Fault{Effect: emulator.EffectSetField, Pointer: pointer, Value: 7}))
		body := string(s.get("/v0/chains").ok().body)
		if want == "" {
			assert.Equal(t, string(startService(t).get("/v0/chains").ok().body), body, pointer)
			assert.Zero(t, s.Faults()[0].Fired(), pointer)
			continue
		}
		assert.Contains(t, body, want, pointer)
	}
	text := startService(t, emulator.WithFaults(emulator.Fault{Effect: emulator.EffectSetField, Pointer: "/data", Value: 7}))
	assert.Equal(t, http.StatusUnauthorized, text.post("/tooling/1", nil).status)
	assert.Zero(t, text.Faults()[0].Fired(), "it is no JSON")
	for pointer, want := range map[string]bool{"/data/0": true, "/data/0/slug": true, "/data/0/none": false,
		"/data/99": false} {
		s := startService(t, emulator.WithFaults(emulator.Fault{Effect: emulator.EffectRemoveField, Pointer: pointer}))
		changed := string(s.get("/v0/chains").ok().body) != string(startService(t).get("/v0/chains").ok().body)
		assert.Equal(t, want, changed, pointer)
		assert.Equal(t, want, s.Faults()[0].Fired() == 1, pointer)
	}
}

// TestFaults_countChangedPagesOnly: of all requests, those for a listing that asks for more, or for a later page.
func TestFaults_countChangedPagesOnly(t *testing.T) {
	query := func(variables object) object {
		return object{
			"query":     "query Q($first: Int, $after: String) { ethereum { collections(first: $first, after: $after) { pageInfo { endCursor } edges { cursor } } } }",
			"variables": variables,
		}
	}
	lower := emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2}
	page, cursor := emulator.Fault{Effect: emulator.EffectRepeatPage}, emulator.Fault{Effect: emulator.EffectRepeatCursor}
	for _, c := range []struct {
		fault emulator.Fault
		path  string // Behind /v0/endpoints, unless there are variables.
		query object
		fired int
	}{
		{lower, "/1", nil, 0}, {lower, "/1/nothing", nil, 0}, {lower, "?limit=2", nil, 0}, {lower, "?limit=x", nil, 0},
		{lower, "?limit=3", nil, 1}, {lower, "", nil, 1}, {lower, "", object{"first": 3}, 1},
		{lower, "", object{"first": 2}, 0}, {lower, "", object{}, 0},
		{page, "/1", nil, 0}, {page, "?offset=0", nil, 0}, {page, "?offset=1", nil, 1}, {page, "", object{"first": 2}, 0},
		{cursor, "/1", nil, 0}, {cursor, "/1/logs", nil, 0}, {cursor, "", object{"first": 2}, 0},
	} {
		s := startService(t)
		injection := inject(t, s.Emulator, c.fault)
		if c.query != nil {
			s.post("/graphql", query(c.query))
		} else {
			s.get("/v0/endpoints" + c.path)
		}
		assert.Equal(t, c.fired, injection.Fired(), c)
		require.Len(t, s.Calls(), 1)
		assert.Equal(t, c.fired == 1, s.Calls()[0].Fault != "", c)
		if limit, limited := strings.CutPrefix(c.path, "?limit="); limited {
			assert.Equal(t, limit, s.Calls()[0].Query.Get("limit"), "the request is recorded as it came")
		}
	}
}

// TestFaults_slowBodyEndsWithClient: if the client is gone, no other bytes are sent.
func TestFaults_slowBodyEndsWithClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.WithFaults(emulator.Fault{Effect: emulator.EffectSlowBody, Interval: time.Hour}))
		defer e.Close()
		response, err := e.Client().Do(requestData(e, "/v0/chains"))
		require.NoError(t, err)
		began := time.Now()
		require.NoError(t, response.Body.Close())
		synctest.Wait()
		assert.Equal(t, began, time.Now())
		assert.Equal(t, "slow-body", e.Calls("listChains")[0].Fault)
	})
}
