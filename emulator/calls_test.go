package emulator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
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
		Number: 6, Operation: "archiveEndpoint", Method: http.MethodDelete, Path: "/v0/endpoints/" + id,
		Params: map[string]string{"id": id}, Query: url.Values{}, Time: start, Executed: true, Status: 200,
		RequestID: "req-6",
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

// TestCalls_returnsCopies: if a caller changes them, the emulator's records stay as they are.
func TestCalls_returnsCopies(t *testing.T) {
	s := startService(t)
	s.patch("/v0/endpoints/7?a=1", object{"label": "x"})
	call := s.Calls()[0]
	call.Params["id"], call.Body.(map[string]any)["label"] = "8", "y"
	call.Query["a"][0] = "2"
	call.Query.Set("b", "2")
	again := s.Calls()[0]
	assert.Equal(t, "7", again.Params["id"])
	assert.Equal(t, map[string]any{"label": "x"}, again.Body)
	assert.Equal(t, url.Values{"a": {"1"}}, again.Query)
}

// TestCalls_hideSecrets sends secrets in every place and looks for them in the recorded calls.
func TestCalls_hideSecrets(t *testing.T) {
	s := startService(t, emulator.WithAPIKey("k-administrator"), emulator.WithViewerKey("k-viewer"))
	s.post("/v0/endpoints/k-viewer/security/jwts?key=s-1&q=k-viewer&url=https%3A%2F%2Fu:s-2@hooks.example%2Fs-3", object{
		"token": "s-4", "accessTokens": []string{"s-5"}, "security_token": object{"value": "kept"}, "client_secret": "s-6",
		"public_key": "kept-public", "to_url": "https://hooks.example/services/s-7", "text": "see k-administrator",
		"apiKey": "s-8", "password": "s-9", "deep": []object{{"jwt": "s-10"}}, "empty_token": "",
	})
	text := must(json.Marshal(s.Calls()))(t)
	for _, secret := range []string{"k-administrator", "k-viewer", "s-"} {
		assert.NotContains(t, string(text), secret)
	}
	body := s.Calls()[0].Body.(map[string]any)
	assert.Equal(t, "kept-public", body["public_key"])
	assert.Equal(t, "https://hooks.example/[masked]", body["to_url"])
	assert.Equal(t, "see [masked]", body["text"])
	assert.Empty(t, body["empty_token"])
}

// TestCalls_keepsLatestOnly: the latest are kept, and neither large bodies nor many fill the memory.
func TestCalls_keepsLatestOnly(t *testing.T) {
	race.Skip(t)
	s := startService(t, emulator.WithCallHistory(3))
	for i := range 5 {
		s.get(fmt.Sprintf("/v0/chains?i=%d", i))
	}
	require.Len(t, s.Calls(), 3)
	assert.Equal(t, url.Values{"i": {"2"}}, s.Calls()[0].Query)
	assert.Equal(t, 3, s.Calls()[0].Number)

	none := startService(t, emulator.WithCallHistory(-1))
	none.get("/v0/chains")
	assert.Empty(t, none.Calls())

	e := emulator.New()
	for range 10_010 {
		send(e, http.MethodGet, "/v0/nothing", "", http.Header{})
	}
	assert.Len(t, e.Calls(), 10_000, "the default")

	send(e, http.MethodPatch, "/v0/endpoints/1", `{"label":"`+strings.Repeat("x", 64<<10)+`"}`, http.Header{})
	calls := e.Calls("updateEndpoint")
	assert.Nil(t, calls[0].Body, "a large body")
	for range 540 {
		send(e, http.MethodPatch, "/v0/endpoints/1", `{"label":"`+strings.Repeat("x", 63<<10)+`"}`, http.Header{})
	}
	kept := len(e.Calls())
	assert.Less(t, kept, 530, "32 MiB of bodies")
	assert.Greater(t, kept, 500)
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
	for i, call := range calls {
		assert.Equal(t, i+2, call.Number)
	}
	assert.Equal(t, calls[159].Body.(map[string]any)["label"], *s.endpoint(id).Label, "the last is what stands")
}

func TestWithCallHook_seesExchanges(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("RPCFLEET_EMULATOR_RECORD", folder)
	var seen []emulator.Exchange
	e := emulator.New(emulator.WithCallHook(func(x emulator.Exchange) { seen = append(seen, x) }))
	r := httptest.NewRequest(http.MethodPost, "/v0/endpoints?x=1", strings.NewReader(`{"chain":"ethereum"}`))
	r.Header.Set("X-Api-Key", e.APIKey)
	response := httptest.NewRecorder()
	e.ServeHTTP(response, r)

	require.Len(t, seen, 1)
	assert.Equal(t, "/v0/endpoints?x=1", seen[0].URL)
	assert.JSONEq(t, `{"chain":"ethereum"}`, string(seen[0].RequestBody))
	assert.Equal(t, response.Code, seen[0].Status)
	assert.Equal(t, response.Body.Bytes(), seen[0].Body)

	// A response that is broken on purpose is observed, and not recorded.
	inject(t, e, emulator.Fault{Status: http.StatusTeapot})
	assert.Equal(t, http.StatusTeapot, send(e, http.MethodGet, "/v0/chains", "", http.Header{}).Code)
	require.Len(t, seen, 2)
	assert.Equal(t, "status", seen[1].Fault)

	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	line, err := os.ReadFile(files[0])
	require.NoError(t, err)
	assert.Equal(t, 1, bytes.Count(line, []byte("\n")))
	var recorded emulator.Exchange
	require.NoError(t, json.Unmarshal(line, &recorded))
	assert.Equal(t, seen[0], recorded)
}
