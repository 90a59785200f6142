package emulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// fuzzed is an emulator without a network, for the input of callers that is decoded by hand.
func fuzzed(f *testing.F) (*emulator.Emulator, string) {
	f.Helper()
	e := emulator.New(emulator.WithClock(func() time.Time { return start }))
	id := e.CreateEndpoints(1)[0]
	for range 3 {
		if _, err := e.AppendLog(id, emulator.LoggedCall{Method: "eth_call"}); err != nil {
			f.Fatal(err)
		}
	}
	return e, id
}

func send(e *emulator.Emulator, method, path, body string, header http.Header) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://emulator.example"+path, strings.NewReader(body))
	request.Header = header
	request.Header.Set("X-Api-Key", e.APIKey)
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, request)
	return recorder
}

func FuzzLogCursor(f *testing.F) {
	e, id := fuzzed(f)
	path := "/v0/endpoints/" + id + "/logs?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z&limit=1&next_at="
	for _, seed := range []string{
		"", "x", "MTc3MzEzNTAwMDAwMDAwMC4=", "LS4t", "MS4x", strings.Repeat("A", 4096),
		"MTc3MzEzNTAwMDAwMDAwMC42ZjFhMmIzYy1kN2E4LTExZWUtOGM5MC0wMjQyYWMxMjAwMDI",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		response := send(e, http.MethodGet, path+url.QueryEscape(cursor), "", http.Header{})
		if response.Code != http.StatusOK && response.Code != http.StatusBadRequest {
			t.Errorf("cursor %q: status %d", cursor, response.Code)
		}
	})
}

func FuzzRequestID(f *testing.F) {
	e, id := fuzzed(f)
	for _, seed := range []string{
		"", "x", "6f1a2b3c-d7a8-11ee-8c90-0242ac120002", "6F1A2B3C-D7A8-61EE-8C90-0242AC120002",
		"3f2b8a52-6d0c-4c7e-9a53-0d6f6c1e2b47", "6f1a2b3c-d7a8-11ee-8c90-0242ac120002\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, request string) {
		path := "/v0/endpoints/" + id + "/log_details?request_id=" + url.QueryEscape(request)
		response := send(e, http.MethodGet, path, "", http.Header{})
		if response.Code != http.StatusNotFound && response.Code != http.StatusBadRequest {
			t.Errorf("request id %q: status %d", request, response.Code)
		}
	})
}

// FuzzSessionToken: nothing but a token of the emulator's own opens the tooling endpoint.
func FuzzSessionToken(f *testing.F) {
	e, _ := fuzzed(f)
	send(e, http.MethodPatch, "/v0/tooling-access", `{"enabled": true}`, http.Header{})
	const header = "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9"
	for _, seed := range []string{
		"", ".", "..", header + "..", header + ".e30.AAAA", header + ".e30." + strings.Repeat("A", 86),
		"eyJhbGciOiJub25lIn0.e30.",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		response := send(e, http.MethodPost, "/tooling/1", `{}`, http.Header{"Authorization": {"Bearer " + token}})
		if response.Code != http.StatusUnauthorized {
			t.Errorf("token %q: status %d", token, response.Code)
		}
	})
}

func FuzzSecurityOptions(f *testing.F) {
	e, id := fuzzed(f)
	for _, seed := range []string{
		"", "{}", `{"options": {}}`, `{"options": {"cors": "enabled"}}`, `{"options": {"cors": "on"}}`,
		`{"options": {"x": "enabled"}}`, `{"options": []}`, `{"options": {"cors": null}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		response := send(e, http.MethodPatch, "/v0/endpoints/"+id+"/security_options", body, http.Header{})
		if response.Code != http.StatusOK && response.Code != http.StatusBadRequest {
			t.Errorf("body %q: status %d", body, response.Code)
		}
	})
}

func FuzzToolingCall(f *testing.F) {
	e, _ := fuzzed(f)
	send(e, http.MethodPatch, "/v0/tooling-access", `{"enabled": true}`, http.Header{})
	var session struct{ Data toolingToken }
	created := send(e, http.MethodPost, "/v0/tooling-access/token", "", http.Header{})
	if err := json.Unmarshal(created.Body.Bytes(), &session); err != nil {
		f.Fatal(err)
	}
	path := strings.TrimPrefix(session.Data.EndpointURL, "http://emulator.example")
	for _, seed := range []string{
		"", "7", "null", "[]", "[[]]", "{}", blockNumber, "[" + blockNumber + "]", `{"jsonrpc":"2.0","method":"x","id":{}}`,
		"[null]", `{"jsonrpc":"2.0","method":7}`, "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		response := send(e, http.MethodPost, path, body, http.Header{"Authorization": {"Bearer " + session.Data.Token}})
		switch response.Code {
		case http.StatusNoContent:
		case http.StatusOK:
			if !json.Valid(response.Body.Bytes()) {
				t.Errorf("body %q: the response is not JSON: %q", body, response.Body)
			}
		default:
			t.Errorf("body %q: status %d", body, response.Code)
		}
	})
}
