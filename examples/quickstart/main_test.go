package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// asProgram makes the test binary the program itself; see TestSignals.
const asProgram = "QUICKSTART_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// account is a service with an account, which remembers what was asked of it.
type account struct {
	*httptest.Server
	emulator *emulator.Emulator

	mu     sync.Mutex
	seen   map[string]int // By method and path, ids left out.
	before interception
}

// interception is called before a request is carried out, with the number of those like it so far, itself included. It
// may respond in the service's place, and says so.
type interception func(w http.ResponseWriter, request string, n int) bool

func startAccount(t *testing.T) *account {
	t.Helper()
	a := &account{emulator: emulator.New(), seen: map[string]int{}}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	t.Setenv("RPCFLEET_BASE_URL", a.URL)
	t.Setenv("RPCFLEET_API_KEY", a.emulator.APIKey)
	return a
}

func (a *account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if id, found := strings.CutPrefix(path, "/v0/endpoints/"); found && !strings.HasPrefix(id, "bulk/") {
		path = "/v0/endpoints/{id}"
	}
	request := r.Method + " " + path
	a.mu.Lock()
	a.seen[request]++
	n, before := a.seen[request], a.before
	a.mu.Unlock()
	if before == nil || !before(w, request, n) {
		a.emulator.ServeHTTP(w, r)
	}
}

func (a *account) intercept(before interception) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.before = before
}

// count returns how many requests of a kind there were.
func (a *account) count(request string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.seen[request]
}

// client returns a client for the account that does not repeat anything.
func (a *account) client(t *testing.T) *rpcfleet.Client {
	t.Helper()
	client, err := rpcfleet.NewFromEnv(rpcfleet.WithoutRetries())
	require.NoError(t, err)
	return client
}

// left returns the ids of the endpoints that the account has.
func (a *account) left(t *testing.T) (ids []string) {
	t.Helper()
	for endpoint, err := range a.client(t).Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
		require.NoError(t, err)
		ids = append(ids, endpoint.ID)
	}
	return ids
}

const (
	creates  = "POST /v0/endpoints"
	archives = "DELETE /v0/endpoints/{id}"
)

func TestARealAccountIsOnlyReadUnlessAskedFor(t *testing.T) {
	a := startAccount(t)
	require.NoError(t, run(t.Context(), false))
	a.mu.Lock()
	defer a.mu.Unlock()
	assert.NotEmpty(t, a.seen)
	for request := range a.seen {
		assert.True(t, strings.HasPrefix(request, "GET "), request)
	}
}

func TestWriteWorksOnEndpointsOfItsOwn(t *testing.T) {
	a := startAccount(t)
	own, err := a.client(t).Endpoints.Create(t.Context(), mustChoose(t, a))
	require.NoError(t, err)
	require.NoError(t, a.client(t).Endpoints.AddTag(t.Context(), own.ID, "quickstart"))
	before, err := a.client(t).Endpoints.Get(t.Context(), own.ID)
	require.NoError(t, err)
	a.intercept(func(_ http.ResponseWriter, request string, n int) bool {
		if request == "POST /v0/endpoints/bulk/status" && n == 2 { // Paused, and not active again.
			now, err := a.client(t).Endpoints.Get(context.WithoutCancel(t.Context()), own.ID)
			assert.NoError(t, err)
			assert.Equal(t, before, now)
		}
		return false
	})
	require.NoError(t, run(t.Context(), true))
	assert.Equal(t, []string{own.ID}, a.left(t))
	assert.Equal(t, 2, a.count("POST /v0/endpoints/bulk/status"))
	assert.Equal(t, 1+3*each, a.count(creates))
	assert.Equal(t, 3*each, a.count(archives))
}

func mustChoose(t *testing.T, a *account) admin.CreateEndpointRequest {
	t.Helper()
	kinds, err := choose(t.Context(), a.client(t), 3)
	require.NoError(t, err)
	require.Len(t, kinds, 3)
	return kinds[0]
}

func TestAnInterruptionLeavesNothingBehind(t *testing.T) {
	for _, moment := range []struct {
		request string
		n       int
		created int
	}{
		{"GET /v0/chains", 2, 0}, // The first is that of look.
		{creates, 1, 1},
		{creates, 17, 17}, // A create that is under way is carried out.
		{creates, 3 * each, 3 * each},
		{"POST /v0/endpoints/bulk/tags", 1, 3 * each},
		{"POST /v0/endpoints/bulk/status", 2, 3 * each},
		{archives, 1, 3 * each},
	} {
		t.Run(fmt.Sprint(moment.request, moment.n), func(t *testing.T) {
			a := startAccount(t)
			ctx, cancel := context.WithCancel(t.Context())
			a.intercept(func(_ http.ResponseWriter, request string, n int) bool {
				if request == moment.request && n == moment.n {
					cancel()
				}
				return false
			})
			require.ErrorIs(t, run(ctx, true), context.Canceled)
			assert.Empty(t, a.left(t))
			assert.Equal(t, moment.created, a.count(creates))
			assert.Equal(t, moment.created, a.count(archives), "once each")
		})
	}
}

func TestAFailureLeavesNothingBehind(t *testing.T) {
	for _, moment := range []struct {
		request string
		n       int
	}{
		{creates, 5}, {"POST /v0/endpoints/bulk/tags", 1}, {"POST /v0/endpoints/bulk/status", 1},
	} {
		t.Run(moment.request, func(t *testing.T) {
			a := startAccount(t)
			a.intercept(func(w http.ResponseWriter, request string, n int) bool {
				if request != moment.request || n < moment.n {
					return false
				}
				http.Error(w, `{"error":"made-up failure"}`, http.StatusForbidden)
				return true
			})
			err := run(t.Context(), true)
			require.ErrorIs(t, err, rpcfleet.ErrForbidden)
			assert.ErrorContains(t, err, "made-up failure")
			assert.Empty(t, a.left(t))
		})
	}
}

func TestWhatIsLeftIsNamed(t *testing.T) {
	a := startAccount(t)
	a.intercept(func(w http.ResponseWriter, request string, n int) bool {
		switch {
		case request == archives && n == 1: // It is gone already.
			http.Error(w, `{"error":"no such endpoint"}`, http.StatusNotFound)
			return true
		case request == archives && n%10 == 0:
			http.Error(w, `{"error":"made-up failure"}`, http.StatusForbidden)
			return true
		}
		return false
	})
	err := run(t.Context(), true)
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	left := a.left(t)
	require.Len(t, left, 4)
	for _, id := range left[1:] {
		assert.ErrorContains(t, err, "endpoint "+id+" is not archived")
	}
	assert.NotContains(t, err.Error(), "endpoint "+left[0]+" ", "that one was said to be gone")
}
