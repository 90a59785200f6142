package emulator_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

const faultsPath, callsPath = "/_emulator/faults", "/_emulator/calls"

func TestAdminAPI_managesFaults(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	assert.JSONEq(t, `{"data":[]}`, string(s.get(faultsPath).ok().body))
	const fault = `{"operation":"listChains","times":1,"status":429,"retryAfter":"1"}`
	assert.JSONEq(t, `{"id":1,"fired":0,"fault":`+fault+`}`, string(s.post(faultsPath, fault).ok().body))
	assert.Equal(t, []int{429, 200}, s.statuses(2, "/v0/chains"))
	s.post(faultsPath, object{"status": 500, "latency": "1ms"}).ok()
	assert.JSONEq(t, `{"data":[{"id":1,"fired":1,"fault":`+fault+`},
		{"id":2,"fired":0,"fault":{"status":500,"latency":"1ms"}}]}`, string(s.get(faultsPath).ok().body), "control meets none")
	assert.Equal(t, http.StatusNoContent, s.delete(faultsPath).status)
	assert.Empty(t, s.Faults())
}

func TestAdminAPI_listsAndResetsCalls(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	assert.JSONEq(t, `{"data":[]}`, string(s.get(callsPath).ok().body))
	s.get("/v0/chains")
	s.patch("/v0/endpoints/7", object{"label": "x"})
	assert.JSONEq(t,
		`{"data":[{"operation":"updateEndpoint","method":"PATCH","path":"/v0/endpoints/7","params":{"id":"7"},
		"body":{"label":"x"},"time":"2026-03-10T09:30:00Z","executed":true,"status":404}]}`,
		string(s.get(callsPath+"?operation=updateEndpoint&operation=getEndpoint").ok().body))
	assert.Len(t, bodyOf[struct{ Data []emulator.Call }](s.get(callsPath)).Data, 2)
	assert.Equal(t, http.StatusBadRequest, s.get(callsPath+"?operation=none").status)
	assert.Equal(t, http.StatusNoContent, s.delete(callsPath).status)
	assert.Empty(t, s.Calls())
}

func TestAdminAPI_refusesInvalidRequests(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	const logs, blocks = "/_emulator/endpoints/7/logs", "/_emulator/networks/ethereum-mainnet/deliver"
	for path, bodies := range map[string]map[string]string{
		faultsPath: {
			"":                            `^{"error":"the body must be a fault in JSON: EOF"}$`,
			`{"times":"x"}`:               "the body must be a fault in JSON: ",
			`{"status":200}`:              `^{"error":"emulator: fault: status must be from 400 to 599"}$`,
			`{"latency":"soon"}`:          `invalid duration \\"soon\\"`,
			`{"operation":"x","times":1}`: "must be the id of an operation",
			`{"tmes":1}`:                  `the body must be a fault in JSON: .*unknown .*\\"tmes\\"`,
		},
		logs: {`[{"methd":"eth_call"}]`: `unknown field \\"methd\\"`, `{}`: "an array of calls"},
		"/_emulator/notifications/" + s.notify("tx_to =~ '7$'") + "/deliver": {`{"block":-1}`: "negative", `7`: "block"},
		blocks: {`{"blok":7}`: "blok"}, "/_emulator/networks/mars/deliver": {`{"block":7}`: "network must be one of"},
	} {
		for body, want := range bodies {
			got := s.post(path, body)
			assert.Equal(t, http.StatusBadRequest, got.status, body)
			assert.Regexp(t, want, strings.TrimSpace(string(got.body)))
		}
	}
	for _, key := range []string{"", "wrong", s.ViewerKey} {
		for path, body := range map[string]string{faultsPath: `{"status":500}`, blocks: `{"block":1}`, logs: `[]`} {
			assert.Equal(t, http.StatusUnauthorized, s.withKey(key).post(path, body).status)
		}
		assert.Equal(t, http.StatusUnauthorized, s.withKey(key).get(callsPath).status)
	}
	assert.Equal(t, http.StatusNotFound, s.post(logs, `[{"method":"x"}]`).status)
	assert.Equal(t, http.StatusNotFound, s.post("/_emulator/notifications/x/deliver", `{"block":7}`).status)
	assert.Equal(t, http.StatusNotFound, s.get("/_emulator").status)
	assert.Equal(t, http.StatusMethodNotAllowed, s.call(http.MethodPut, callsPath, nil).status)
	assert.Empty(t, s.Faults())
	assert.Equal(t, http.StatusNotFound, startService(t).get(faultsPath).status, "only where it was asked for")
}

func TestAdminAPI_resetsEmulator(t *testing.T) {
	const path = "/_emulator/reset"
	s := startService(t, emulator.WithAdminAPI(), emulator.WithPlan(emulator.Plan{PerSecond: 2}))
	for range 3 {
		assert.JSONEq(t, `{"status":"ok"}`, string(s.withKey("").get("/_emulator/health").ok().body), "no key, no limit")
	}
	assert.Empty(t, s.Calls())
	fresh := s.create()
	s.get("/v0/chains").ok()
	s.post(faultsPath, `{"status":500}`).ok()
	assert.Equal(t, http.StatusUnauthorized, s.withKey(s.ViewerKey).post(path, nil).status)
	request := s.request(http.MethodPost, path, nil)
	request.Body = nil
	assert.Equal(t, http.StatusNoContent, s.do(request).status)
	assert.Empty(t, s.Calls())
	assert.Empty(t, s.Faults())
	assert.Equal(t, fresh, s.create(), "the same account begins anew, with full limits")
}

func TestAdminAPI_appendsLogs(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	id := s.create().ID
	logged := s.post("/_emulator/endpoints/"+id+"/logs",
		`[{"method":"eth_call","errorCode":-32000},{"method":"eth_getLogs","timestamp":"2026-03-10T09:00:00Z"}]`)
	assert.Len(t, bodyOf[struct{ Data []string }](logged.ok()).Data, 2)
	assert.Regexp(t, `eth_getLogs.*"error_code":-32000`, string(s.get(logPath(id)).ok().body))
}

// TestAdminAPI_delivers makes blocks for a notification, and for webhooks and streams.
func TestAdminAPI_delivers(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	receiver := newReceiver(t, http.StatusTeapot)
	ids := must(s.Populate(emulator.SeedRequest{Do: "POST " + webhooksPath + "/webhooks", As: "w", Body: object{
		"name": "all", "network": "ethereum-mainnet", "status": "active", "filter_function": []byte("return all"),
		"destination_attributes": object{"url": receiver.URL, "compression": "none"}}}))(t)
	notification := s.notify("tx_to =~ '7$'", receiver.URL)
	for path, want := range map[string]string{
		"/notifications/" + notification: `"status":418,"error":"the receiver responded with 418"}]}`,
		"/networks/ethereum-mainnet": `{"id":"` + ids["w"] + `","from":1,"to":1,"attempt":5,"status":418,` +
			`"error":"the receiver responded with 418"}]}`,
	} {
		assert.Contains(t, string(s.post("/_emulator"+path+"/deliver", `{"block":7}`).ok().body), want)
		assert.JSONEq(t, `{"data":[]}`, string(s.post("/_emulator"+path+"/deliver", `{"block":8}`).ok().body))
	}
}

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

	s.post("/graphql", object{"query": "query Mine { __typename }", "operationName": "Mine"})
	assert.Equal(t, "Mine", s.Calls("graph")[0].Params["operationName"])
	s.delete(streamsPath + "/streams/s-1")
	assert.Equal(t, "s-1", s.Calls("deleteStream")[0].Params["stream_id"])
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
