package emulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

const faultsPath, callsPath = "/_emulator/faults", "/_emulator/calls"

type shownFault struct {
	ID    int
	Fired int
	Fault emulator.Fault
}

func TestControlOfFaults(t *testing.T) {
	s := startService(t, emulator.WithControl())
	assert.JSONEq(t, `{"data":[]}`, string(s.get(faultsPath).ok().body))
	added := s.call(http.MethodPost, faultsPath, `{"operation":"listChains","times":1,"status":429,"retryAfter":"1"}`)
	assert.Equal(t, http.StatusCreated, added.status)
	assert.JSONEq(t, `{"id":1,"fired":0,"fault":{"operation":"listChains","times":1,"status":429,"retryAfter":"1"}}`, string(added.body))
	assert.Equal(t, []int{429, 200}, statuses(2, func() response { return s.get("/v0/chains") }))
	assert.Equal(t, 1, bodyOf[shownFault](s.get(faultsPath+"/1").ok()).Fired)

	s.call(http.MethodPost, faultsPath, object{"status": 500, "latency": "1ms"})
	assert.Equal(t, 200, s.get(faultsPath).status, "control meets no faults")
	list := bodyOf[struct{ Data []shownFault }](s.get(faultsPath))
	assert.Len(t, list.Data, 2)
	assert.Equal(t, http.StatusNoContent, s.delete(faultsPath+"/2").status)
	assert.Equal(t, http.StatusNotFound, s.delete(faultsPath+"/2").status)
	assert.Equal(t, http.StatusNotFound, s.get(faultsPath+"/x").status)
	assert.Equal(t, 200, s.get("/v0/chains").status)
	assert.Equal(t, http.StatusNoContent, s.delete(faultsPath).status)
	assert.Empty(t, s.Faults())
}

func TestControlOfCalls(t *testing.T) {
	var observed []string
	s := startService(t, emulator.WithControl(), emulator.WithObserver(func(x emulator.Exchange) { observed = append(observed, x.URL) }))
	assert.JSONEq(t, `{"data":[]}`, string(s.get(callsPath).ok().body))
	s.get("/v0/chains")
	s.patch("/v0/endpoints/7", object{"label": "x"})
	assert.JSONEq(t, `{"data":[{"number":2,"operation":"updateEndpoint","method":"PATCH","path":"/v0/endpoints/7","params":{"id":"7"},
		"body":{"label":"x"},"time":"2026-03-10T09:30:00Z","carriedOut":true,"status":404,"requestId":"req-2"}]}`,
		string(s.get(callsPath+"?operation=updateEndpoint&operation=getEndpoint").ok().body))
	assert.Len(t, bodyOf[struct{ Data []emulator.Call }](s.get(callsPath)).Data, 2)
	assert.Equal(t, http.StatusBadRequest, s.get(callsPath+"?operation=none").status)
	assert.Equal(t, http.StatusNoContent, s.delete(callsPath).status)
	assert.Empty(t, s.Calls())
	assert.Equal(t, []string{"/v0/chains", "/v0/endpoints/7"}, observed, "control is not observed")
}

func TestControlRefuses(t *testing.T) {
	s := startService(t, emulator.WithControl())
	for body, want := range map[string]string{
		"":                            `{"error":"the body must be a fault in JSON: EOF"}`,
		`{"times":"x"}`:               "the body must be a fault in JSON: ",
		`{"tmes":1}`:                  `unknown field \"tmes\"`,
		`{"status":200}`:              `{"error":"emulator: fault: status must be from 400 to 599"}`,
		`{"latency":"soon"}`:          `{"error":"emulator: fault: latency must be a duration such as \"300ms\""}`,
		`{"operation":"x","times":1}`: "must be the id of an operation",
	} {
		got := s.call(http.MethodPost, faultsPath, body)
		assert.Equal(t, http.StatusBadRequest, got.status, body)
		assert.Contains(t, string(got.body), want)
	}
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
