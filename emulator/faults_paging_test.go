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
		assert.Equal(t, "slow-body", e.Calls("listChains")[0].Fault)
	})
}
