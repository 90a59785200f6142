package emulator_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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

// FuzzRequest puts a text into each place that is decoded by hand. Nothing makes the emulator fail, and nothing but a
// token of its own opens the tooling endpoint.
func FuzzRequest(f *testing.F) {
	e, id := fuzzed(f)
	send(e, http.MethodPatch, "/v0/tooling-access", `{"enabled": true}`, http.Header{})
	var session struct{ Data toolingToken }
	created := send(e, http.MethodPost, "/v0/tooling-access/token", "", http.Header{})
	if err := json.Unmarshal(created.Body.Bytes(), &session); err != nil {
		f.Fatal(err)
	}
	tooling := strings.TrimPrefix(session.Data.EndpointURL, "http://emulator.example")
	const header = "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9"
	for _, seed := range []string{
		"", "x", "7", "null", "[]", "[[]]", "{}", "[null]", "\xff", "'", ".", "..",
		// Cursors, ids of requests, tokens, JSON-RPC, options, and expressions.
		"MTc3MzEzNTAwMDAwMDAwMC4=", "MS4x", "MTc3MzEzNTAwMDAwMDAwMC42ZjFhMmIzYy1kN2E4LTExZWUtOGM5MC0wMjQyYWMxMjAwMDI",
		"6f1a2b3c-d7a8-11ee-8c90-0242ac120002", "3f2b8a52-6d0c-4c7e-9a53-0d6f6c1e2b47", header + "..",
		header + ".e30." + strings.Repeat("A", 86), blockNumber, "[" + blockNumber + "]",
		`{"jsonrpc":"2.0","method":"x","id":{}}`, `{"options": {"cors": "enabled"}}`, `{"options": {"x": "enabled"}}`,
		`{"options": {"cors": null}}`, "tx_to == 'a'", `tx_to =~ "^0x" && tx_index != '1' || tx_value == '1'`, "tx_to =~ '('",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		query, endpoint := url.QueryEscape(text), "/v0/endpoints/"+id
		get := func(path string) *httptest.ResponseRecorder {
			return send(e, http.MethodGet, endpoint+path+query, "", http.Header{})
		}
		expression := `{"expression":"` + base64.StdEncoding.EncodeToString([]byte(text)) +
			`","network":"ethereum-mainnet","block_number":7,"backtest_count":2}`
		bearer := func(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }
		const times = "/logs?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z&limit=1&next_at="
		for name, c := range map[string]struct {
			response *httptest.ResponseRecorder
			allowed  []int
		}{
			"cursor":     {get(times), []int{200, 400}},
			"request id": {get("/log_details?request_id="), []int{400, 404}},
			"token":      {send(e, http.MethodPost, "/tooling/1", `{}`, bearer(text)), []int{401}},
			"call":       {send(e, http.MethodPost, tooling, text, bearer(session.Data.Token)), []int{200, 204}},
			"options":    {send(e, http.MethodPatch, endpoint+"/security_options", text, http.Header{}), []int{200, 400}},
			"expression": {send(e, http.MethodPost, alertsPath+"/notifications/backtest", expression, http.Header{}),
				[]int{200, 400}},
		} {
			assert.Contains(t, c.allowed, c.response.Code, "%s %q", name, text)
			if body := c.response.Body.Bytes(); c.response.Code == http.StatusOK {
				assert.True(t, json.Valid(body), "%s %q: %s", name, text, body)
			}
		}
	})
}
