package emulator_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestAuthentication(t *testing.T) {
	s := startService(t, emulator.WithAPIKey("made-up-admin"), emulator.WithViewerKey("made-up-viewer"))
	for key, want := range map[string]int{
		"":               http.StatusUnauthorized,
		"wrong":          http.StatusUnauthorized,
		"made-up-admi":   http.StatusUnauthorized,
		"made-up-viewer": http.StatusOK,
		"made-up-admin":  http.StatusOK,
	} {
		got := s.withKey(key).get("/v0/account/info")
		assert.Equal(t, want, got.status, "key %q", key)
		if want == http.StatusUnauthorized {
			assert.True(t, strings.HasPrefix(got.header.Get("Content-Type"), "text/plain"))
		}
	}
	assert.Equal(t, http.StatusUnauthorized, s.withKey("wrong").delete("/v0/endpoints/1").status)
}

func TestBodyTooLarge(t *testing.T) {
	s := startService(t)
	label := strings.Repeat("x", 9<<20)
	s.patch("/v0/endpoints/"+s.create().ID, object{"label": label}).refused(http.StatusBadRequest, "body")
	call := s.Calls("updateEndpoint")[0]
	assert.Equal(t, http.StatusBadRequest, call.Status)
	assert.Nil(t, call.Body)
}

// TestRequestsWithoutABody hands requests to the emulator itself. A server never gives it a nil body. Every response
// has the id of its request.
func TestRequestsWithoutABody(t *testing.T) {
	e := emulator.New()
	for request, status := range map[string]int{
		"GET /v0/account/info": http.StatusOK, "POST /v0/endpoints": http.StatusBadRequest,
		"PATCH /v0/tooling-access": http.StatusBadRequest, "DELETE /v0/endpoints/1": http.StatusNotFound,
		"POST /graphql": http.StatusBadRequest, "GET /alerts/rest/v1/no-such": http.StatusNotFound,
		"POST /tooling/1": http.StatusUnauthorized, "POST /v0/tooling-access/token": http.StatusBadRequest,
	} {
		method, path, _ := strings.Cut(request, " ")
		for _, body := range []io.ReadCloser{nil, io.NopCloser(iotest.ErrReader(errors.New("broken")))} {
			r, err := http.NewRequestWithContext(t.Context(), method, "http://emulator.example"+path, nil)
			require.NoError(t, err)
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
		}
	}
}

// TestDeterministic asks two emulators the same and compares every byte.
func TestDeterministic(t *testing.T) {
	play := func(seed uint64) string {
		s := startService(t, emulator.WithSeed(seed))
		var played strings.Builder
		note := func(a response) { fmt.Fprintf(&played, "%d %s\n", a.status, a.body) }
		note(s.post("/v0/endpoints", object{"chain": "solana", "network": "solana-mainnet"}))
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

// TestConcurrentCallers has many callers change the account at once. Each must find its own changes, and no other's
// may be lost.
func TestConcurrentCallers(t *testing.T) {
	const callers, each = 8, 12
	s := startService(t)
	var group sync.WaitGroup
	for caller := range callers {
		group.Go(func() {
			label := fmt.Sprintf("caller-%d", caller)
			for range each {
				created := s.post("/v0/endpoints", object{"chain": "base", "network": "base-mainnet"})
				if !assert.Equal(t, http.StatusOK, created.status) {
					return
				}
				id := bodyOf[struct{ Data singleEndpoint }](created).Data.ID
				for _, changed := range []response{
					s.patch("/v0/endpoints/"+id, object{"label": label}),
					s.post("/v0/endpoints/"+id+"/tags", object{"label": label}),
					s.post("/v0/endpoints/bulk/status", object{"ids": []string{id}, "status": "paused"}),
				} {
					assert.Equal(t, http.StatusOK, changed.status)
				}
			}
			s.CreateEndpoints(each)
			assert.Equal(t, each, s.list("tag_labels="+label).Pagination.Total)
		})
	}
	group.Wait()

	assert.Equal(t, callers*each, s.list("statuses=paused").Pagination.Total)
	assert.Equal(t, 2*callers*each, s.list("").Pagination.Total)
	tags := s.tags()
	require.Len(t, tags, callers)
	for _, tag := range tags {
		assert.EqualValues(t, each, tag.UsageCount)
	}
}
