package emulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
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
	for body, want := range map[string]string{
		"":                            `^{"error":"the body must be a fault in JSON: EOF"}$`,
		`{"times":"x"}`:               "the body must be a fault in JSON: ",
		`{"status":200}`:              `^{"error":"emulator: fault: status must be from 400 to 599"}$`,
		`{"latency":"soon"}`:          `must be a duration such as \\"300ms\\"`,
		`{"operation":"x","times":1}`: "must be the id of an operation",
		`{"tmes":1}`:                  `the body must be a fault in JSON: .*unknown .*\\"tmes\\"`,
	} {
		got := s.post(faultsPath, body)
		assert.Equal(t, http.StatusBadRequest, got.status, body)
		assert.Regexp(t, want, strings.TrimSpace(string(got.body)))
	}
	for _, key := range []string{"", "wrong", s.ViewerKey} {
		assert.Equal(t, http.StatusUnauthorized, s.withKey(key).get(faultsPath).status)
		assert.Equal(t, http.StatusUnauthorized, s.withKey(key).get(callsPath).status)
		assert.Equal(t, http.StatusUnauthorized, s.withKey(key).post(faultsPath, `{"status":500}`).status)
	}
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
	path := "/_emulator/endpoints/" + id + "/logs"
	logged := s.post(path,
		`[{"method":"eth_call","errorCode":-32000},{"method":"eth_getLogs","timestamp":"2026-03-10T09:00:00Z"}]`)
	assert.Len(t, bodyOf[struct{ Data []string }](logged.ok()).Data, 2)
	assert.Regexp(t, `eth_getLogs.*"error_code":-32000`, string(s.get(logPath(id)).ok().body))
	for body, want := range map[string]string{
		`[{"methd":"eth_call"}]`: `unknown field \"methd\"`, `[{}]`: "log entry 0: the Method is missing",
		`{}`: "an array of calls",
	} {
		refused := s.post(path, body)
		assert.Equal(t, http.StatusBadRequest, refused.status)
		assert.Contains(t, string(refused.body), want)
	}
	assert.Equal(t, http.StatusNotFound, s.post("/_emulator/endpoints/7/logs", `[{"method":"x"}]`).status)
}

func TestAdminAPI_deliversNotification(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	webhook := newHook(t, http.StatusTeapot)
	path := "/_emulator/notifications/" + s.notify("tx_to =~ '7$'", webhook.URL) + "/deliver"
	delivered := string(s.post(path, `{"block":7}`).ok().body)
	assert.Contains(t, delivered, `"status":418`)
	assert.Contains(t, delivered, `"error":"the receiver responded with 418"`)
	assert.Contains(t, webhook.got[0], `"block_number":7`)
	assert.JSONEq(t, `{"data":[]}`, string(s.post(path, `{"block":8}`).ok().body))
	assert.Equal(t, http.StatusBadRequest, s.post(path, `{"block":-1}`).status)
	assert.Equal(t, http.StatusBadRequest, s.post(path, `7`).status)
	assert.Equal(t, http.StatusNotFound, s.post("/_emulator/notifications/x/deliver", `{"block":7}`).status)
}
