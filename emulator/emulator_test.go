package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestServe_checksKeys(t *testing.T) {
	s := startService(t, emulator.WithAPIKey("made-up-admin"))
	for key, want := range map[string]int{
		"":              http.StatusUnauthorized,
		"wrong":         http.StatusUnauthorized,
		"made-up-admi":  http.StatusUnauthorized,
		s.ViewerKey:     http.StatusOK,
		"made-up-admin": http.StatusOK,
	} {
		got := s.withKey(key).get("/v0/account/info")
		assert.Equal(t, want, got.status, "key %q", key)
		if want == http.StatusUnauthorized {
			assert.True(t, strings.HasPrefix(got.header.Get("Content-Type"), "text/plain"))
		}
	}
	assert.Equal(t, http.StatusUnauthorized, s.withKey("wrong").delete("/v0/endpoints/1").status)
}

func TestServe_refusesLargeBody(t *testing.T) {
	s := startService(t)
	label := strings.Repeat("x", 9<<20)
	s.patch("/v0/endpoints/"+s.create().ID, object{"label": label}).rejected(http.StatusBadRequest, "body")
	call := s.Calls("updateEndpoint")[0]
	assert.Equal(t, http.StatusBadRequest, call.Status)
	assert.Nil(t, call.Body)
}

// TestServe_acceptsNilBody hands requests to the emulator itself. A server never gives it a nil body. Every response
// has the id of its request and the emulator's time.
func TestServe_acceptsNilBody(t *testing.T) {
	e := emulator.New(emulator.WithClock(func() time.Time { return start }))
	for request, status := range map[string]int{
		"GET /v0/account/info": http.StatusOK, "POST /v0/endpoints": http.StatusBadRequest,
		"PATCH /v0/tooling-access": http.StatusBadRequest, "DELETE /v0/endpoints/1": http.StatusNotFound,
		"POST /graphql": http.StatusBadRequest, "GET /alerts/rest/v1/no-such": http.StatusNotFound,
		"POST /tooling/1": http.StatusUnauthorized, "POST /v0/tooling-access/token": http.StatusBadRequest,
	} {
		method, path, _ := strings.Cut(request, " ")
		for _, body := range []io.ReadCloser{nil, io.NopCloser(iotest.ErrReader(errors.New("broken")))} {
			r := must(http.NewRequestWithContext(t.Context(), method, "http://emulator.example"+path, nil))(t)
			r.Body = body
			r.Header.Set("x-api-key", e.APIKey)
			recorder := httptest.NewRecorder()
			e.ServeHTTP(recorder, r)
			if body == nil {
				assert.Equal(t, status, recorder.Code, "%s: %s", request, recorder.Body)
			} else {
				assert.Equal(t, http.StatusBadRequest, recorder.Code, request)
			}
			assert.Equal(t, fmt.Sprint("req-", len(e.Calls())), recorder.Header().Get("X-Request-Id"), request)
			assert.Equal(t, start.UTC().Format(http.TimeFormat), recorder.Header().Get("Date"), request)
		}
	}
}

// TestServe_isDeterministicBySeed asks two emulators the same and compares every byte.
func TestServe_isDeterministicBySeed(t *testing.T) {
	play := func(seed uint64) string {
		s := startService(t, emulator.WithSeed(seed))
		var played strings.Builder
		note := func(a responseBuffer) { fmt.Fprintf(&played, "%d %s\n", a.status, a.body) }
		note(s.post("/v0/endpoints", object{"chain": "sol", "network": "solana-mainnet"}))
		ids := s.CreateEndpoints(30)
		note(s.post("/v0/endpoints/bulk/tags", object{"ids": ids, "label": "all"}))
		note(s.post("/v0/endpoints/"+ids[3]+"/enable_multichain", nil))
		for _, path := range []string{
			"account/info", "billing/invoices", "billing/payments", "chains", "endpoints/tags",
			"endpoints?limit=100&sort_by=name", "endpoints/" + ids[3], "endpoints/" + ids[3] + "/urls",
		} {
			note(s.get("/v0/" + path).ok())
		}
		return played.String()
	}
	first := play(7)
	assert.Equal(t, first, play(7))
	assert.NotEqual(t, first, play(8))
}

// asked is a context that calls a function if it is asked for its error.
type asked struct {
	context.Context
	call func()
}

func (a asked) Err() error {
	a.call()
	return nil
}

// TestGraph_queryDoesNotDelayOthers makes a request during the execution of a query, which asks its context for errors.
func TestGraph_queryDoesNotDelayOthers(t *testing.T) {
	e, calls := emulator.New(), 0
	others := func() {
		calls++
		e.CreateEndpoints(1)
	}
	request := httptest.NewRequestWithContext(asked{t.Context(), others}, http.MethodPost, "/graphql",
		strings.NewReader(`{"query": "{ ethereum { gasPrices { floor } } }"}`))
	request.Header.Set("x-api-key", e.APIKey)
	response := httptest.NewRecorder()
	e.ServeHTTP(response, request)
	assert.Equal(t, http.StatusOK, response.Code)
	assert.Positive(t, calls)
}

func send(e *emulator.Emulator, method, path, body string, header http.Header) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://emulator.example"+path, strings.NewReader(body))
	request.Header = header
	request.Header.Set("X-Api-Key", e.APIKey)
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, request)
	return recorder
}
