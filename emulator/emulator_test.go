package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestServe_checksKeys(t *testing.T) {
	s := startService(t, emulator.WithAPIKey("made-up-admin"))
	for key, want := range map[string]int{"": 401, "made-up-admi": 401, s.ViewerKey: 200, "made-up-admin": 200} {
		got := s.withKey(key).get("/v0/account/info")
		assert.Equal(t, want, got.status, "key %q", key)
		assert.Equal(t, want == 401, strings.HasPrefix(got.header.Get("Content-Type"), "text/plain"))
	}
}

// TestServe_acceptsNilBody, which a server never gives to a handler, and refuses one that cannot be read, or is too
// large. Every response has the id of its request and the emulator's time.
func TestServe_acceptsNilBody(t *testing.T) {
	s := startService(t)
	for request, status := range map[string]int{
		"GET /v0/account/info": http.StatusOK, "POST /v0/endpoints": http.StatusBadRequest,
		"PATCH /v0/tooling-access": http.StatusBadRequest, "DELETE /v0/endpoints/1": http.StatusNotFound,
		"POST /graphql": http.StatusBadRequest, "GET /alerts/rest/v1/no-such": http.StatusNotFound,
		"POST /tooling/1": http.StatusUnauthorized, "POST /v0/tooling-access/token": http.StatusBadRequest,
	} {
		method, path, _ := strings.Cut(request, " ")
		for body, want := range map[io.ReadCloser]int{
			nil: status, io.NopCloser(iotest.ErrReader(errors.New("broken"))): http.StatusBadRequest,
			io.NopCloser(strings.NewReader(strings.Repeat("x", 9<<20))): http.StatusBadRequest,
		} {
			r := s.request(method, path, nil)
			r.Body = body
			got := s.do(r)
			assert.Equal(t, want, got.status, "%s: %s", request, got.body)
			assert.Equal(t, fmt.Sprint("req-", len(s.Calls())), got.header.Get("X-Request-Id"), request)
			assert.Equal(t, start.UTC().Format(http.TimeFormat), got.header.Get("Date"), request)
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
		note(s.post("/graphql", object{"query": "{ ethereum { transactions(first: 5) { edges { node { hash value } } } } }"}))
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

// asked is a context that makes an endpoint when it is asked for its error, as the execution of a query does.
type asked struct {
	context.Context
	*emulator.Emulator
}

func (a asked) Err() error { a.CreateEndpoints(1); return nil }

func TestGraph_queryDoesNotDelayOthers(t *testing.T) {
	s := startService(t)
	request := s.request(http.MethodPost, "/graphql", `{"query": "{ ethereum { gasPrices { floor } } }"}`)
	s.do(request.WithContext(asked{t.Context(), s.Emulator})).ok()
	assert.NotEmpty(t, s.list(""))
}
