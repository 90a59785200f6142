package emulator_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// statuses returns the statuses of n requests of a path.
func (s *service) statuses(n int, path string) (got []int) {
	for range n {
		got = append(got, s.get(path).status)
	}
	return got
}

func inject(t *testing.T, e *emulator.Emulator, fault emulator.Fault) *emulator.Injection {
	t.Helper()
	return must(e.Inject(fault))(t)
}

func TestFaults_matchChosenRequests(t *testing.T) {
	s := startService(t)
	id, other := s.create().ID, s.create().ID
	one := "/v0/endpoints/" + id
	injection := inject(t, s.Emulator, emulator.Fault{
		Operation: "getEndpoint", Params: map[string]string{"id": id}, After: 1, Times: 2, Status: 500,
	})
	assert.Equal(t, []int{200, 200, 200}, s.statuses(3, "/v0/endpoints/"+other), "another endpoint")
	assert.Equal(t, 200, s.get(one+"/urls").status, "another operation")
	assert.Equal(t, []int{200, 500, 500, 200}, s.statuses(4, one))
	injection.Remove()
	injection.Remove()
	assert.Equal(t, 2, injection.Fired(), "it is known after the end as well")
	assert.Empty(t, s.Faults())

	inject(t, s.Emulator, emulator.Fault{Params: map[string]string{"id": id}, Status: 503})
	assert.Equal(t, []int{503, 503}, []int{s.get(one).status, s.get(one + "/urls").status}, "every operation on it")
	assert.Equal(t, 200, s.get("/v0/chains").status)
	s.RemoveFaults()
	assert.Equal(t, 200, s.get(one).status)
	inject(t, s.Emulator, emulator.Fault{Status: 502})
	assert.Equal(t, 502, s.get("/v0/nothing").status, "even what is no operation")
	s.RemoveFaults()
	inject(t, s.Emulator, emulator.Fault{Operation: "getEndpoint", Params: map[string]string{"id": "a/b %"}, Status: 500})
	assert.Equal(t, 500, s.get("/v0/endpoints/a%2Fb%20%25").status, "the path has to escape it")
}

// TestFaults_nextTakesOverWhenSpent: if one fault has had its times, the next one takes over, and the faults behind the
// one that decides see nothing.
func TestFaults_nextTakesOverWhenSpent(t *testing.T) {
	s := startService(t, emulator.WithFaults(
		emulator.Fault{Operation: "listChains", Times: 2, Status: 429},
		emulator.Fault{Operation: "listChains", After: 1, Times: 1, Status: 500}))
	assert.Equal(t, []int{429, 429, 200, 500, 200}, s.statuses(5, "/v0/chains"))
}

func TestFaults_probabilityIsSeeded(t *testing.T) {
	play := func(seed uint64) []int {
		s := startService(t, emulator.WithSeed(seed), emulator.WithFaults(
			emulator.Fault{Operation: "listChains", Probability: 0.5, Status: 500}))
		return s.statuses(40, "/v0/chains")
	}
	assert.Equal(t, play(1), play(1))
	assert.NotEqual(t, play(1), play(2))
	assert.Contains(t, play(1), 200)
	assert.Contains(t, play(1), 500)
}

// TestFaults_latenciesAddUp, and if a client gives up its request is not executed.
func TestFaults_latenciesAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startService(t, emulator.WithClock(time.Now), emulator.WithFaults(
			emulator.Fault{Operation: "listChains", Status: 500, Times: 1, Latency: time.Second},
			emulator.Fault{Latency: time.Minute}))
		began := time.Now()
		assert.Equal(t, 500, s.get("/v0/chains").status)
		assert.Equal(t, time.Minute+time.Second, time.Since(began))
		s.get("/v0/account/info").ok()
		assert.Equal(t, 2*time.Minute+time.Second, time.Since(began))
		assert.Zero(t, time.Since(s.Calls("getAccountInfo")[0].Time), "the time of a call is when it is executed")

		path, client := "/v0/endpoints/"+s.CreateEndpoints(1)[0], s.Client()
		client.Timeout = time.Second
		_, err := client.Do(s.request(http.MethodDelete, path, nil))
		require.Error(t, err)
		synctest.Wait()
		calls := s.Calls("archiveEndpoint")
		require.Len(t, calls, 1)
		assert.False(t, calls[0].Executed)
		assert.Equal(t, "latency", calls[0].Fault)
		s.get(path).ok()
	})
}

// TestFaults_effectsWithoutConnectionAbort: if there is no connection to break, the request is aborted.
func TestFaults_effectsWithoutConnectionAbort(t *testing.T) {
	for _, effect := range []emulator.Effect{emulator.EffectCloseConnection, emulator.EffectResetBeforeResponse,
		emulator.EffectLoseResponse, emulator.EffectResetDuringResponse, emulator.EffectResetAfterResponse,
		emulator.EffectTruncate, emulator.EffectWrongContentLength, emulator.EffectEndlessBody} {
		s := startService(t, emulator.WithFaults(emulator.Fault{Effect: effect}))
		assert.PanicsWithValue(t, http.ErrAbortHandler, func() {
			s.ServeHTTP(&httptest.ResponseRecorder{}, s.request(http.MethodGet, "/v0/chains", nil)) // It has an end after all.
		}, effect)
	}
}

func TestFaults_failuresHaveFormOfArea(t *testing.T) {
	s := startService(t, emulator.WithFaults(emulator.Fault{Status: 503, RetryAfter: "never"}))
	const plain = `{"error":"Service Unavailable","message":"an injected fault","statusCode":503}`
	for request, want := range map[string]string{
		"GET /v0/chains":                      `{"data":null,"error":"an injected fault"}`,
		"GET /v0/nothing":                     `{"data":null,"error":"an injected fault"}`,
		"GET " + alertsPath + "/destinations": plain, "GET " + webhooksPath + "/webhooks": plain,
		"GET " + streamsPath + "/streams": plain,
		"POST " + keyValuePath + "/sets":  `{"code":503,"cursor":"","data":null,"msg":"an injected fault"}`,
		"POST /graphql":                   `{"errors":[{"message":"an injected fault","extensions":{"code":"INTERNAL_ERROR"}}]}`,
		"POST /tooling/7/x":               "an injected fault",
	} {
		method, path, _ := strings.Cut(request, " ")
		got := s.call(method, path, nil)
		assert.Equal(t, 503, got.status, request)
		assert.Equal(t, "never", got.header.Get("Retry-After"), request)
		assert.Equal(t, want, strings.TrimSpace(string(got.body)), request)
	}
	html := startService(t, emulator.WithFaults(emulator.Fault{Effect: emulator.EffectHTML, Status: 503, RetryAfter: "7"}))
	got := html.get("/v0/chains")
	assert.Equal(t, []string{"7", "text/html; charset=utf-8"},
		[]string{got.header.Get("Retry-After"), got.header.Get("Content-Type")})
	assert.Contains(t, string(got.body), "<html>")
	assert.Equal(t, map[string]string{"endpoint_id": "7"}, s.Calls("tooling")[0].Params)
}

// TestInject_isSafeForConcurrentUse injects, meets and removes from many goroutines. Calls are recorded in the order in
// which they were executed.
func TestInject_isSafeForConcurrentUse(t *testing.T) {
	s := startService(t)
	path := "/v0/endpoints/" + s.create().ID
	limited := inject(t, s.Emulator, emulator.Fault{Operation: "listChains", Times: 50, Status: 500})
	var group sync.WaitGroup
	var failed atomic.Int64
	for caller := range 8 {
		group.Go(func() {
			for i := range 20 {
				other := inject(t, s.Emulator, emulator.Fault{Operation: "listInvoices", Status: 500})
				if s.get("/v0/chains").status == 500 {
					failed.Add(1)
				}
				other.Remove()
				s.patch(path, object{"label": fmt.Sprintf("%d-%d", caller, i)})
			}
		})
	}
	group.Wait()
	assert.EqualValues(t, 50, failed.Load())
	assert.Equal(t, []*emulator.Injection{limited}, s.Faults())
	assert.Len(t, s.Calls("listChains"), 160)
	last := s.Calls("updateEndpoint")[159].Body.(map[string]any)["label"]
	assert.Equal(t, last, *dataOf[singleEndpoint](s.get(path)).Label)
}

// TestFaults_scriptedResponseIsSentInstead: a fault is a whole response, and the request is not served.
func TestFaults_scriptedResponseIsSentInstead(t *testing.T) {
	s := startService(t, emulator.WithFaults(
		emulator.Fault{Operation: "createEndpoint", Status: 201, Header: http.Header{"X-Made-Up": {"yes"}}, Body: `{}`},
		emulator.Fault{Operation: "listTeams", Status: 503, Header: http.Header{"Content-Type": {"a/b"}}, Body: "later"}))
	made, teams := s.post("/v0/endpoints", object{"chain": "base", "network": "base-mainnet"}), s.get("/v0/teams")
	assert.Equal(t, []int{201, 503}, []int{made.status, teams.status})
	assert.Equal(t, []string{`{}`, "later"}, []string{string(made.body), string(teams.body)})
	assert.Equal(t, []string{"yes", "application/json", "a/b"},
		[]string{made.header.Get("X-Made-Up"), made.header.Get("Content-Type"), teams.header.Get("Content-Type")})
	assert.Empty(t, s.list(""))
	calls := s.Calls("createEndpoint")
	assert.Equal(t, "response", calls[0].Fault)
	assert.False(t, calls[0].Executed)
}

// TestFaults_setFieldAtPointer changes one place of a response, or nothing if the place does not exist.
func TestFaults_setFieldAtPointer(t *testing.T) {
	before := string(startService(t).get("/v0/chains").ok().body)
	for _, test := range []struct {
		effect        emulator.Effect
		pointer, want string // Nothing is changed if it is empty.
	}{
		{emulator.EffectSetField, "/data/0/slug", `"slug":7`}, {emulator.EffectSetField, "/data/0/new~1a~0", `"new/a~":7`},
		{emulator.EffectSetField, "/data/0/networks/0", `"networks":[7,`}, {emulator.EffectSetField, "/data/99", ""},
		{emulator.EffectSetField, "/data/00", ""}, {emulator.EffectSetField, "/data/-", ""},
		{emulator.EffectSetField, "/nothing/inside", ""}, {emulator.EffectSetField, "/error/inside", ""},
		{emulator.EffectRemoveField, "/data/0", "data"}, {emulator.EffectRemoveField, "/data/0/slug", "data"},
		{emulator.EffectRemoveField, "/data/0/none", ""}, {emulator.EffectRemoveField, "/data/99", ""},
	} {
		fault, fired := emulator.Fault{Effect: test.effect, Pointer: test.pointer}, test.want != ""
		if test.effect == emulator.EffectSetField {
			fault.Value = 7
		}
		s := startService(t, emulator.WithFaults(fault))
		body := string(s.get("/v0/chains").ok().body)
		assert.Contains(t, body, test.want, test)
		assert.Equal(t, fired, body != before, test)
		assert.Equal(t, fired, s.Faults()[0].Fired() == 1, test)
		assert.Equal(t, fired, s.Calls()[0].Fault == string(test.effect))
		s.Faults()[0].Remove()
		injection := inject(t, s.Emulator, fault)
		s.post("/tooling/1", nil)
		assert.Zero(t, injection.Fired(), "it is no JSON")
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
	const list = "/v0/endpoints"
	lower := emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2}
	page, cursor := emulator.Fault{Effect: emulator.EffectRepeatPage}, emulator.Fault{Effect: emulator.EffectRepeatCursor}
	for _, c := range []struct {
		fault emulator.Fault
		path  string // Of a listing, or /graphql with variables.
		query object
		fired int
	}{
		{lower, list + "/1", nil, 0}, {lower, list + "/1/nothing", nil, 0}, {lower, list + "?limit=2", nil, 0},
		{lower, list + "?limit=x", nil, 0}, {lower, list + "?limit=3", nil, 1}, {lower, list, nil, 1},
		{lower, keyValuePath + "/lists", nil, 1}, {lower, webhooksPath + "/webhooks?limit=2", nil, 0},
		{lower, "/graphql", object{"first": 3}, 1}, {lower, "/graphql", object{"first": 2}, 0},
		{lower, "/graphql", object{}, 0}, {page, list + "/1", nil, 0}, {page, list + "?offset=0", nil, 0},
		{page, list + "?offset=1", nil, 1}, {page, streamsPath + "/streams?offset=1", nil, 1},
		{page, keyValuePath + "/sets?cursor=at-1", nil, 1}, {page, "/graphql", object{"first": 2}, 0},
		{cursor, list + "/1", nil, 0}, {cursor, list + "/1/logs", nil, 0}, {cursor, keyValuePath + "/sets", nil, 0},
		{cursor, keyValuePath + "/sets?cursor=at-1", nil, 1}, {cursor, "/graphql", object{"first": 2}, 0},
	} {
		s := startService(t)
		injection := inject(t, s.Emulator, c.fault)
		if c.query != nil {
			s.post(c.path, query(c.query))
		} else {
			s.get(c.path)
		}
		assert.Equal(t, c.fired, injection.Fired(), c)
		call := s.Calls()[0]
		assert.Equal(t, c.fired == 1, call.Fault != "", c)
		came := strings.TrimSuffix(call.Path+"?"+call.Query.Encode(), "?")
		assert.Equal(t, c.path, came, "the request is recorded as it came")
	}
}

// TestFaults_slowBodyEndsWithClient: if the client is gone, no other bytes are sent.
func TestFaults_slowBodyEndsWithClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startService(t, emulator.WithFaults(emulator.Fault{Effect: emulator.EffectSlowBody, Interval: time.Hour}))
		response := must(s.Client().Do(s.request(http.MethodGet, "/v0/chains", nil)))(t)
		began := time.Now()
		require.NoError(t, response.Body.Close())
		synctest.Wait()
		assert.Equal(t, began, time.Now())
		assert.Equal(t, "slow-body", s.Calls("listChains")[0].Fault)
	})
}

// TestInject_refusesInvalidFaults: each rule, by the field to blame.
func TestInject_refusesInvalidFaults(t *testing.T) {
	e := emulator.New()
	for field, faults := range map[string][]emulator.Fault{
		"operation": {
			{Operation: "ArchiveEndpoint", Status: 500},
			{Operation: "getEndpoint", Effect: emulator.EffectLowerLimit, Limit: 1},
			{Operation: "listEndpoints", Effect: emulator.EffectRepeatCursor},
		},
		"params": {{Operation: "archiveEndpoint", Params: map[string]string{"tag_id": "1"}, Status: 500}},
		"after":  {{After: -1, Status: 500}}, "times": {{Times: -1, Status: 500}},
		"probability": {
			{Probability: 1.5, Status: 500}, {Probability: -0.5, Status: 500}, {Probability: math.NaN(), Status: 500},
		},
		"effect":  {{Operation: "archiveEndpoint"}, {Effect: "explode"}},
		"latency": {{Latency: -1}},
		"status": {
			{Status: 200}, {Status: 600}, {Effect: emulator.EffectHTML, Status: 199},
			{Effect: emulator.EffectRedirect, Status: 400}, {Effect: emulator.EffectTruncate, Status: 500}, {Body: "x"},
			{Body: "x", Status: 101},
		},
		"body": {{Effect: emulator.EffectHTML, Body: "x"}},
		"retryAfter": {
			{Latency: 1, RetryAfter: "1"}, {Effect: emulator.EffectHTML, RetryAfter: "1"},
			{Effect: emulator.EffectCloseConnection, RetryAfter: "1"},
		},
		"contentType": {{Status: 500, ContentType: "text/plain"}},
		"limit": {
			{Effect: emulator.EffectLowerLimit}, {Effect: emulator.EffectLowerLimit, Limit: -1},
			{Effect: emulator.EffectRepeatPage, Limit: 1},
		},
		"interval": {{Effect: emulator.EffectSlowBody, Interval: -1}, {Effect: emulator.EffectTruncate, Interval: 1}},
		"pointer": {
			{Effect: emulator.EffectSetField, Value: 1}, {Effect: emulator.EffectRemoveField, Pointer: "data"},
			{Effect: emulator.EffectTruncate, Pointer: "/data"},
		},
		"value": {
			{Effect: emulator.EffectRemoveField, Pointer: "/data", Value: 1},
			{Effect: emulator.EffectSetField, Pointer: "/data", Value: make(chan int)},
		},
	} {
		for _, fault := range faults {
			_, err := e.Inject(fault)
			require.ErrorContains(t, err, "emulator: fault: "+field+" ", "%+v", fault)
			assert.PanicsWithError(t, err.Error(), func() { emulator.New(emulator.WithFaults(fault)) })
		}
	}
	assert.Empty(t, e.Faults(), "what makes no sense is not in effect")
}

func TestFault_roundTripsAsJSON(t *testing.T) {
	whole := emulator.Fault{
		Operation: "archiveEndpoint", Params: map[string]string{"id": "7"}, After: 1, Times: 3, Probability: 0.5,
		Latency: 300 * time.Millisecond, Effect: emulator.EffectSetField, Status: 429, RetryAfter: "5",
		ContentType: "text/plain", Limit: 6, Interval: time.Second,
		Pointer: "/data", Value: "x",
	}
	text := must(json.Marshal(whole))(t)
	assert.JSONEq(t, `{"operation":"archiveEndpoint","params":{"id":"7"},"after":1,"times":3,"probability":0.5,
		"latency":"300ms","effect":"set-field","status":429,"retryAfter":"5","contentType":"text/plain","limit":6,
		"interval":"1s","pointer":"/data","value":"x"}`, string(text))
	var read emulator.Fault
	require.NoError(t, json.Unmarshal(text, &read))
	assert.Equal(t, whole, read)
	assert.Equal(t, "{}", string(must(json.Marshal(emulator.Fault{}))(t)), "what is not set is not there")
	for _, wrong := range []string{`{"laten":"1s"}`, `{"latency":"soon"}`, `{"latency":1}`, `{"times":1,"times":2}`, `{"interval":"1"}`, `[]`,
		`{"times":"1"}`} {
		assert.Error(t, json.Unmarshal([]byte(wrong), &read), wrong)
	}
	require.Error(t, read.UnmarshalJSON([]byte(`{} {}`)))
	assert.Equal(t, whole, read, "an error changes nothing")
}
