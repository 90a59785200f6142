package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

const faultsPath, callsPath = "/_emulator/faults", "/_emulator/calls"

type shownFault struct {
	ID    int
	Fired int
	Fault emulator.Fault
}

func TestAdminAPI_managesFaults(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	assert.JSONEq(t, `{"data":[]}`, string(s.get(faultsPath).ok().body))
	added := s.call(http.MethodPost, faultsPath, `{"operation":"listChains","times":1,"status":429,"retryAfter":"1"}`)
	assert.Equal(t, http.StatusOK, added.status)
	assert.JSONEq(t, `{"id":1,"fired":0,"fault":{"operation":"listChains","times":1,"status":429,"retryAfter":"1"}}`,
		string(added.body))
	assert.Equal(t, []int{429, 200}, statuses(2, func() responseBuffer { return s.get("/v0/chains") }))

	s.call(http.MethodPost, faultsPath, object{"status": 500, "latency": "1ms"})
	assert.Equal(t, 200, s.get(faultsPath).status, "control meets no faults")
	list := bodyOf[struct{ Data []shownFault }](s.get(faultsPath))
	require.Len(t, list.Data, 2)
	assert.Equal(t, 1, list.Data[0].Fired)
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
		"":                            `{"error":"the body must be a fault in JSON: EOF"}`,
		`{"times":"x"}`:               "the body must be a fault in JSON: ",
		`{"status":200}`:              `{"error":"emulator: fault: status must be from 400 to 599"}`,
		`{"latency":"soon"}`:          `must be a duration such as \"300ms\"`,
		`{"operation":"x","times":1}`: "must be the id of an operation",
	} {
		got := s.call(http.MethodPost, faultsPath, body)
		assert.Equal(t, http.StatusBadRequest, got.status, body)
		assert.Contains(t, string(got.body), want)
	}
	unknown := s.call(http.MethodPost, faultsPath, `{"tmes":1}`)
	assert.Equal(t, http.StatusBadRequest, unknown.status)
	assert.Regexp(t, `the body must be a fault in JSON: .*unknown .*\\"tmes\\"`, string(unknown.body))
	for _, key := range []string{"", "wrong", s.ViewerKey} {
		assert.Equal(t, http.StatusUnauthorized, s.withKey(key).get(faultsPath).status)
		assert.Equal(t, http.StatusUnauthorized, s.withKey(key).get(callsPath).status)
		assert.Equal(t, http.StatusUnauthorized, s.withKey(key).call(http.MethodPost, faultsPath, `{"status":500}`).status)
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
	s.call(http.MethodPost, faultsPath, `{"status":500}`)
	assert.Equal(t, http.StatusUnauthorized, s.withKey(s.ViewerKey).post(path, nil).status)
	assert.Equal(t, http.StatusNoContent, s.post(path, nil).status)
	assert.Empty(t, s.Calls())
	assert.Empty(t, s.Faults())
	assert.Equal(t, fresh, s.create(), "the same account begins anew, with full limits")

	r := must(http.NewRequestWithContext(t.Context(), http.MethodPost, "http://emulator.example"+path, nil))(t)
	r.Header.Set("x-api-key", s.APIKey)
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, r)
	assert.Equal(t, http.StatusNoContent, recorder.Code, "a nil body")
}

func TestAdminAPI_appendsLogs(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	id := s.create().ID
	path := "/_emulator/endpoints/" + id + "/logs"
	logged := s.call(http.MethodPost, path,
		`[{"method":"eth_call","errorCode":-32000},{"method":"eth_getLogs","timestamp":"2026-03-10T09:00:00Z"}]`)
	assert.Equal(t, http.StatusOK, logged.status, string(logged.body))
	assert.Len(t, bodyOf[struct{ Data []string }](logged).Data, 2)
	entries := string(s.get("/v0/endpoints/" + id + "/logs?from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z").ok().body)
	assert.Less(t, strings.Index(entries, "eth_getLogs"), strings.Index(entries, `"error_code":-32000`), entries)
	for body, want := range map[string]string{
		`[{"methd":"eth_call"}]`: `unknown field \"methd\"`, `[{}]`: "log entry 0: the Method is missing",
		`{}`: "an array of calls",
	} {
		refused := s.call(http.MethodPost, path, body)
		assert.Equal(t, http.StatusBadRequest, refused.status)
		assert.Contains(t, string(refused.body), want)
	}
	assert.Equal(t, http.StatusNotFound, s.call(http.MethodPost, "/_emulator/endpoints/7/logs", `[{"method":"x"}]`).status)
}

func TestAdminAPI_deliversNotification(t *testing.T) {
	s := startService(t, emulator.WithAdminAPI())
	webhook := newHook(t, http.StatusTeapot)
	path := "/_emulator/notifications/" + s.notify("tx_to =~ '7$'", webhook.URL) + "/deliver"
	delivered := string(s.call(http.MethodPost, path, `{"block":7}`).ok().body)
	assert.Contains(t, delivered, `"status":418`)
	assert.Contains(t, delivered, `"error":"the webhook responded with 418"`)
	assert.Contains(t, webhook.got[0], `"block_number":7`)
	assert.JSONEq(t, `{"data":[]}`, string(s.call(http.MethodPost, path, `{"block":8}`).ok().body))
	assert.Equal(t, http.StatusBadRequest, s.call(http.MethodPost, path, `{"block":-1}`).status)
	assert.Equal(t, http.StatusBadRequest, s.call(http.MethodPost, path, `7`).status)
	assert.Equal(t, http.StatusNotFound,
		s.call(http.MethodPost, "/_emulator/notifications/x/deliver", `{"block":7}`).status)
}
