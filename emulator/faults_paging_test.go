package emulator_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestPagingFaultsCountWhatTheyChange: of all requests, those for a listing that asks for more, or for a later page.
func TestPagingFaultsCountWhatTheyChange(t *testing.T) {
	query := func(variables object) object {
		return object{
			"query":     "query Q($first: Int, $after: String) { ethereum { collections(first: $first, after: $after) { pageInfo { endCursor } edges { cursor } } } }",
			"variables": variables,
		}
	}
	for name, c := range map[string]struct {
		fault emulator.Fault
		call  func(*service, string) response
		fired int
	}{
		"lower, no listing": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, id string) response { return s.get("/v0/endpoints/" + id) }, 0},
		"lower, no operation": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, _ string) response { return s.get("/v0/nothing") }, 0},
		"lower, less": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, _ string) response { return s.get("/v0/endpoints?limit=2") }, 0},
		"lower, no number": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, _ string) response { return s.get("/v0/endpoints?limit=x") }, 0},
		"lower, more": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, _ string) response { return s.get("/v0/endpoints?limit=3") }, 1},
		"lower, none": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, _ string) response { return s.get("/v0/endpoints") }, 1},
		"lower, query": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, _ string) response { return s.post("/graphql", query(object{"first": 3})) }, 1},
		"lower, smaller query": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, _ string) response { return s.post("/graphql", query(object{"first": 2})) }, 0},
		"lower, query of its": {emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2},
			func(s *service, _ string) response { return s.post("/graphql", query(object{})) }, 0},
		"page, no listing": {emulator.Fault{Effect: emulator.EffectRepeatPage},
			func(s *service, id string) response { return s.get("/v0/endpoints/" + id) }, 0},
		"page, the first": {emulator.Fault{Effect: emulator.EffectRepeatPage},
			func(s *service, _ string) response { return s.get("/v0/endpoints?offset=0") }, 0},
		"page, a later one": {emulator.Fault{Effect: emulator.EffectRepeatPage},
			func(s *service, _ string) response { return s.get("/v0/endpoints?offset=1") }, 1},
		"page, first of query": {emulator.Fault{Effect: emulator.EffectRepeatPage},
			func(s *service, _ string) response { return s.post("/graphql", query(object{"first": 2})) }, 0},
		"cursor, no listing": {emulator.Fault{Effect: emulator.EffectRepeatCursor},
			func(s *service, id string) response { return s.get("/v0/endpoints/" + id) }, 0},
		"cursor, first of logs": {emulator.Fault{Effect: emulator.EffectRepeatCursor},
			func(s *service, id string) response { return s.get("/v0/endpoints/" + id + "/logs") }, 0},
		"cursor, first query": {emulator.Fault{Effect: emulator.EffectRepeatCursor},
			func(s *service, _ string) response { return s.post("/graphql", query(object{"first": 2})) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := startService(t)
			ids := s.CreateEndpoints(4)
			injection := inject(t, s.Emulator, c.fault)
			c.call(s, ids[0])
			assert.Equal(t, c.fired, injection.Fired())
			require.Len(t, s.Calls(), 1)
			assert.Equal(t, c.fired == 1, s.Calls()[0].Fault != "")
		})
	}
}

// TestCallsShowWhatWasSent: a fault that changes the request changes nothing of the record.
func TestCallsShowWhatWasSent(t *testing.T) {
	s := startService(t, emulator.WithFaults(emulator.Fault{Effect: emulator.EffectLowerLimit, Limit: 2}))
	s.CreateEndpoints(4)
	assert.Len(t, s.list("limit=3").ids(), 2)
	assert.Equal(t, "3", s.Calls()[0].Query.Get("limit"))
}

func TestAPageOfHTMLMayAskForADelay(t *testing.T) {
	s := startService(t, emulator.WithFaults(emulator.Fault{Effect: emulator.EffectHTML, Status: 503, RetryAfter: "7"}))
	got := s.get("/v0/chains")
	assert.Equal(t, 503, got.status)
	assert.Equal(t, "7", got.header.Get("Retry-After"))
	assert.Equal(t, "text/html; charset=utf-8", got.header.Get("Content-Type"))
	assert.Contains(t, string(got.body), "<html>")
}

// TestATrickleEndsWithItsClient: if the client is gone, no other bytes are sent.
func TestATrickleEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.WithFaults(emulator.Fault{Effect: emulator.EffectSlowBody, Interval: time.Hour}))
		defer e.Close()
		response, err := e.Client().Do(request(e, "/v0/chains"))
		require.NoError(t, err)
		began := time.Now()
		require.NoError(t, response.Body.Close())
		synctest.Wait()
		assert.Equal(t, began, time.Now())
		assert.Equal(t, "trickle", e.Calls("listChains")[0].Fault)
	})
}
