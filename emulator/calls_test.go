package emulator_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

func TestCalls_recordsRequests(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	s.ResetCalls()
	assert.Empty(t, s.Calls())
	s.patch("/v0/endpoints/"+id, object{"label": "backend"}).ok()
	s.get("/v0/endpoints?tag_labels=a&tag_labels=b&limit=3").ok()
	s.delete("/v0/endpoints/none")
	s.get("/v0/nothing")
	s.delete("/v0/endpoints/" + id).ok()

	archived := s.Calls("archiveEndpoint")
	require.Len(t, archived, 2)
	assert.Equal(t, "none", archived[0].Params["id"])
	assert.Equal(t, http.StatusNotFound, archived[0].Status)
	assert.Equal(t, emulator.Call{
		Operation: "archiveEndpoint", Method: http.MethodDelete, Path: "/v0/endpoints/" + id,
		Params: map[string]string{"id": id}, Query: url.Values{}, Time: start, Executed: true, Status: 200,
	}, archived[1])
	assert.Equal(t, map[string]any{"label": "backend"}, s.Calls("updateEndpoint")[0].Body)
	assert.Equal(t, url.Values{"tag_labels": {"a", "b"}, "limit": {"3"}}, s.Calls("listEndpoints")[0].Query)
	var all []string
	for _, call := range s.Calls() {
		all = append(all, call.Operation)
	}
	assert.Equal(t, []string{"updateEndpoint", "listEndpoints", "archiveEndpoint", "", "archiveEndpoint"}, all)
	assert.Len(t, s.Calls("updateEndpoint", "archiveEndpoint"), 3)
	assert.PanicsWithValue(t, `emulator: Calls: unknown operation "archive"`, func() { s.Calls("archive") })

	s.post("/graphql", object{"query": "query Mine { __typename }"})
	s.post("/graphql", object{"query": "query Mine { __typename }", "operationName": "Other"})
	assert.Equal(t, "Mine", s.Calls("graph")[0].Params["operationName"])
	assert.Equal(t, "Other", s.Calls("graph")[1].Params["operationName"])
}

// TestCalls_keepsLatestOnly: the latest are kept, and no large bodies.
func TestCalls_keepsLatestOnly(t *testing.T) {
	race.Skip(t)
	s := startService(t)
	for i := range 10_010 {
		s.get(fmt.Sprintf("/v0/nothing?i=%d", i))
	}
	require.Len(t, s.Calls(), 10_000)
	assert.Equal(t, url.Values{"i": {"10"}}, s.Calls()[0].Query)
	s.patch("/v0/endpoints/1", object{"label": strings.Repeat("x", 64<<10)})
	assert.Nil(t, s.Calls("updateEndpoint")[0].Body)
}

// TestCalls_areInOrderOfExecution: calls are recorded in the order in which they were executed.
func TestCalls_areInOrderOfExecution(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	s.ResetCalls()
	var group sync.WaitGroup
	for caller := range 8 {
		group.Go(func() {
			for i := range 20 {
				s.patch("/v0/endpoints/"+id, object{"label": fmt.Sprintf("%d-%d", caller, i)})
			}
		})
	}
	group.Wait()
	calls := s.Calls("updateEndpoint")
	require.Len(t, calls, 160)
	assert.Equal(t, calls[159].Body.(map[string]any)["label"], *dataOf[singleEndpoint](s.get("/v0/endpoints/" + id)).Label, "the last is what stands")
}
