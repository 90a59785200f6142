package clienttest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// muted is a service that carries out what it is asked for, and while it is mute loses the responses to all but reads.
type muted struct {
	*emulator.Emulator

	mu         sync.Mutex
	mute, deaf bool // A deaf one does not carry it out.
	wrote      int
}

// become changes what happens to writes, and returns how many there were.
func (m *muted) become(mute, deaf bool) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mute, m.deaf = mute, deaf
	return m.wrote
}

func (m *muted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		m.Emulator.ServeHTTP(w, r)
		return
	}
	m.mu.Lock()
	m.wrote++
	mute, deaf := m.mute, m.deaf
	m.mu.Unlock()
	if deaf {
		panic(http.ErrAbortHandler)
	}
	if mute {
		w = httptest.NewRecorder()
		defer func() { panic(http.ErrAbortHandler) }()
	}
	m.Emulator.ServeHTTP(w, r)
}

// account is an account with one of each thing that others hang on.
type account struct {
	*rpcfleet.Client
	endpoint string
	team     int64
}

func startMuted(t *testing.T) (*muted, *account) {
	t.Helper()
	m := &muted{Emulator: emulator.New(emulator.WithPageCap(3))}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(m.APIKey))
	require.NoError(t, err)
	a := &account{Client: client}
	endpoint, err := client.Endpoints.Create(t.Context(), admin.CreateEndpointRequest{Chain: "polygon", Network: "polygon-mainnet"})
	require.NoError(t, err)
	team, err := client.Teams.Create(t.Context(), "Others")
	require.NoError(t, err)
	a.endpoint, a.team = endpoint.ID, team.ID
	return m, a
}

// TestALookupFindsWhatALostCreateHasMade carries out creates whose responses get lost, beside things of the same kind and
// look that were there before.
func TestALookupFindsWhatALostCreateHasMade(t *testing.T) {
	for name, test := range lookups {
		t.Run(name, func(t *testing.T) {
			m, a := startMuted(t)
			if !test.once {
				for range 4 { // More than a page of them.
					require.NoError(t, test.create(t.Context(), a))
				}
			}
			before := test.find(t.Context(), t, a)
			since := func() lookup { return test.find(t.Context(), t, a).since(before) }

			m.become(false, true)
			require.ErrorIs(t, test.create(t.Context(), a), rpcfleet.ErrMaybeCarriedOut)
			assert.Equal(t, rpcfleet.LookupNotFound, since().outcome)

			wrote := m.become(true, false)
			require.ErrorIs(t, test.create(t.Context(), a), rpcfleet.ErrMaybeCarriedOut)
			first := since()
			assert.Equal(t, rpcfleet.LookupFound, first.outcome)
			require.Len(t, first.ids, 1)
			assert.NotContains(t, before.ids, first.ids[0])
			assert.Equal(t, wrote+1, m.become(true, false), "a lookup only reads, and the create was sent once")
			if test.once {
				return
			}
			assert.Equal(t, rpcfleet.LookupSeveral, test.find(t.Context(), t, a).outcome, "what was there before")
			require.ErrorIs(t, test.create(t.Context(), a), rpcfleet.ErrMaybeCarriedOut)
			both := since()
			assert.Equal(t, rpcfleet.LookupSeveral, both.outcome)
			assert.Len(t, both.ids, 2)
			second := both.since(first)
			assert.Equal(t, rpcfleet.LookupFound, second.outcome)
			assert.NotEqual(t, first.ids, second.ids)
		})
	}
}

// TestEveryCreateCanBeLookedFor: but for those that nothing lists.
func TestEveryCreateCanBeLookedFor(t *testing.T) {
	nothing := []string{"createToolingToken", "resendTeamInvite"}
	lookedFor := map[string]bool{"bulkAddEndpointTag": true} // By Tags.FindCreated, and by a listing with the label.
	for name, test := range lookups {
		m, a := startMuted(t)
		server := httptest.NewServer(m)
		defer server.Close()
		var ids []string
		client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(m.APIKey), rpcfleet.WithObserver(
			func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
				ids = append(ids, op.ID)
				return ctx, nil
			}))
		require.NoError(t, err)
		a.Client = client
		require.NoError(t, test.create(t.Context(), a), name)
		lookedFor[ids[0]] = true
	}
	for _, op := range rpcfleet.Operations() {
		if !op.Idempotent && !slices.Contains(nothing, op.ID) {
			assert.True(t, lookedFor[op.ID], "%s %s", op.ID, strings.Join(nothing, " "))
		}
	}
}
