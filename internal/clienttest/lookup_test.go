package clienttest

import (
	"context"
	"fmt"
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
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

var onEthereum = admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"}

// endpointPage is a page of endpoints on Ethereum's main network.
func endpointPage(total, offset int, ids ...string) responder {
	var records []string
	for _, id := range ids {
		records = append(records, fmt.Sprintf(`{"id":%q,"chain":"ethereum","network":"mainnet"}`, id))
	}
	return respondJSON(200, fmt.Sprintf(`{"data":[%s],"pagination":{"total":%d,"limit":2,"offset":%d},"error":null}`,
		strings.Join(records, ","), total, offset))
}

func TestALookupReadsAListingAgainThatHasChanged(t *testing.T) {
	for name, test := range map[string]struct {
		pages []responder
		want  []string
		asked int
	}{
		"it holds still": {[]responder{endpointPage(3, 0, "a", "b"), endpointPage(3, 2, "c")}, []string{"a", "b", "c"}, 2},
		"one has gone": {
			[]responder{endpointPage(4, 0, "a", "b"), endpointPage(3, 2, "d"), endpointPage(3, 0, "b", "c"),
				endpointPage(3, 2, "d"), endpointPage(3, 0, "b", "c"), endpointPage(3, 2, "d")}, []string{"b", "c", "d"}, 6},
		"one has come": {
			[]responder{endpointPage(2, 0, "a"), endpointPage(3, 1, "a", "b"), endpointPage(3, 0, "z", "a"),
				endpointPage(3, 2, "b")}, []string{"z", "a", "b"}, 4},
		"one in, one out": {
			[]responder{endpointPage(3, 0, "a", "b"), endpointPage(3, 2, "b"), endpointPage(3, 0, "z", "a"),
				endpointPage(3, 2, "b")}, []string{"z", "a", "b"}, 4},
		"no total": {
			[]responder{respondJSON(200, `{"data":[{"id":"a","chain":"Ethereum","network":"mainnet"}]}`),
				respondJSON(200, `{"data":[]}`)},
			[]string{"a"}, 3},
		"nothing": {[]responder{endpointPage(0, 0)}, nil, 1},
		"null in the place of 0": {
			[]responder{respondJSON(200, `{"data":null,"pagination":{"total":0,"limit":2,"offset":0}}`)}, nil,
			1},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, test.pages...)
			found, err := client.Endpoints.FindCreated(t.Context(), onEthereum)
			require.NoError(t, err)
			assert.Equal(t, test.want, found.IDs())
			require.Len(t, server.Requests(), test.asked)
			for _, asked := range server.Requests() {
				assert.Equal(t, http.MethodGet, asked.Method)
				assert.Contains(t, asked.Query, "sort_by=created_at&sort_direction=desc", "what is new comes on the first page")
			}
		})
	}
}

func TestALookupInAListingThatNeverHoldsStill(t *testing.T) {
	client, server := scripted(t,
		endpointPage(3, 0, "a", "b"), endpointPage(4, 2, "b", "c"), endpointPage(4, 0, "a", "b"),
		endpointPage(5, 2, "b", "c"), endpointPage(5, 4, "d"),
		endpointPage(5, 0, "a", "b"), endpointPage(6, 2, "b", "c"), endpointPage(6, 4, "d", "e"),
	)
	found, err := client.Endpoints.FindCreated(t.Context(), onEthereum)
	require.ErrorIs(t, err, rpcfleet.ErrIncompleteListing)
	assert.Empty(t, found.Outcome(), "nothing is said about what is not known")
	assert.Len(t, server.Requests(), 8)
}

func TestALookupKnowsANetworkInEitherSpelling(t *testing.T) {
	for told, found := range map[string]bool{
		`"chain":"ethereum","network":"mainnet"`:          true,
		`"chain":"ethereum","network":"ethereum-mainnet"`: true,
		`"chain":"Ethereum","network":"Mainnet"`:          true,
		`"network":"mainnet"`:                             true,
		`"chain":"ethereum"`:                              true,
		`"chain":"ethereum","network":"sepolia"`:          false,
		`"chain":"polygon","network":"mainnet"`:           false,
	} {
		for _, sent := range []string{"mainnet", "ethereum-mainnet"} {
			client, _ := scripted(t,
				respondJSON(200, `{"data":[{"id":"a",`+told+`}],"pagination":{"total":1,"limit":2,"offset":0}}`))
			l, err := client.Endpoints.FindCreated(t.Context(), admin.CreateEndpointRequest{Chain: "ethereum", Network: sent})
			require.NoError(t, err)
			assert.Equal(t, found, l.Outcome() == rpcfleet.LookupFound, "%s, sent as %s", told, sent)
		}
	}
}

func TestARecordWithoutAnIDIsNotTakenForAnother(t *testing.T) {
	client, _ := scripted(t,
		respondJSON(200, `{"data":{"tokens":[{"id":"a"},{},{"token":"made-up"}]}}`),
		respondJSON(200, `{"data":{"tokens":null}}`),
	)
	before, err := client.Security.FindCreatedToken(t.Context(), "ep1")
	require.NoError(t, err)
	assert.Equal(t, []string{"a"}, before.IDs())
	left := before.Diff(before)
	assert.Len(t, left.Records, 2)
	assert.Len(t, before.Records, 3, "the earlier lookup stays as it is")
	assert.Equal(t, []string{"a"}, before.IDs())
	assert.Equal(t, rpcfleet.LookupAmbiguous, left.Exclude("", "b").Outcome())

	none, err := client.Security.FindCreatedToken(t.Context(), "ep1")
	require.NoError(t, err)
	assert.Equal(t, rpcfleet.LookupNotFound, none.Outcome())
}

// TestALookupKnowsTheMethodsOfALimit in any order and however often, and no others.
func TestALookupKnowsTheMethodsOfALimit(t *testing.T) {
	for methods, found := range map[string]bool{
		`["eth_call","eth_getLogs"]`: true, `["eth_getLogs","eth_call","eth_call"]`: true, `["eth_call"]`: false, `[]`: false,
		`["eth_call","eth_getLogs","net_version"]`: false,
	} {
		client, _ := scripted(t,
			respondJSON(200, `{"data":{"rate_limiters":[{"id":"l1","interval":"day","rate":7,"methods":`+methods+`}]}}`))
		l, err := client.RateLimits.FindCreatedMethodLimit(t.Context(), "ep1", aMethodLimit)
		require.NoError(t, err)
		assert.Equal(t, found, l.Outcome() == rpcfleet.LookupFound, methods)
	}
}

// TestIDsThatAreNumbers are decimal, and may be left out.
func TestIDsThatAreNumbers(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, `{"data":{"tags":[{"tag_id":10,"label":"idle"},{"label":"idle"}]}}`))
	l, err := client.Endpoints.FindAddedTag(t.Context(), "ep1", "idle")
	require.NoError(t, err)
	assert.Len(t, l.Records, 2)
	assert.Equal(t, []string{"10"}, l.IDs())
}

func TestALookupThatFailedSaysNothing(t *testing.T) {
	client, server := scripted(t, respondJSON(403, `{"error":"no"}`))
	failed := map[string]func() (rpcfleet.LookupOutcome, error){
		"tags": func() (rpcfleet.LookupOutcome, error) {
			l, err := client.Tags.FindCreated(t.Context(), "idle")
			return l.Diff(rpcfleet.Lookup[admin.Tag]{}).Outcome(), err
		},
		"tokens": func() (rpcfleet.LookupOutcome, error) {
			l, err := client.Security.FindCreatedToken(t.Context(), "ep1")
			return l.Outcome(), err
		},
		"a tag of an endpoint": func() (rpcfleet.LookupOutcome, error) {
			l, err := client.Endpoints.FindAddedTag(t.Context(), "ep1", "idle")
			return l.Outcome(), err
		},
		"endpoints": func() (rpcfleet.LookupOutcome, error) {
			l, err := client.Endpoints.FindCreated(t.Context(), onEthereum)
			return l.Outcome(), err
		},
		"destinations": func() (rpcfleet.LookupOutcome, error) {
			l, err := client.Destinations.FindCreated(t.Context(), aDestination)
			return l.Outcome(), err
		},
		"members": func() (rpcfleet.LookupOutcome, error) {
			l, err := client.Teams.FindInvited(t.Context(), 4, "user@example.com")
			return l.Outcome(), err
		},
	}
	for name, look := range failed {
		outcome, err := look()
		require.ErrorIs(t, err, rpcfleet.ErrForbidden, name)
		assert.Empty(t, outcome, name)
	}
	assert.Len(t, server.Requests(), len(failed))
}

func TestALookupNeedsSomethingToLookFor(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{}`))
	ctx := t.Context()
	for field, look := range map[string]func() error{
		"chain": func() error {
			return errOf(client.Endpoints.FindCreated(ctx, admin.CreateEndpointRequest{Network: "x"}))
		},
		"network": func() error {
			return errOf(client.Endpoints.FindCreated(ctx, admin.CreateEndpointRequest{Chain: "x"}))
		},
		"label":   func() error { return errOf(client.Tags.FindCreated(ctx, "")) },
		"label ":  func() error { return errOf(client.Endpoints.FindAddedTag(ctx, "ep1", "")) },
		"name":    func() error { return errOf(client.Teams.FindCreated(ctx, "")) },
		"name ":   func() error { return errOf(client.Destinations.FindCreated(ctx, alerts.CreateDestinationRequest{})) },
		"name  ":  func() error { return errOf(client.Notifications.FindCreated(ctx, alerts.CreateNotificationRequest{})) },
		"name   ": func() error { return errOf(client.Security.FindAddedJWT(ctx, "ep1", admin.AddJWTRequest{Kid: "k"})) },
		"kid": func() error {
			return errOf(client.Security.FindAddedJWT(ctx, "ep1", admin.AddJWTRequest{Name: "n"}))
		},
		"email":       func() error { return errOf(client.Teams.FindInvited(ctx, 4, "")) },
		"referrer":    func() error { return errOf(client.Security.FindAddedReferrer(ctx, "ep1", "")) },
		"ip":          func() error { return errOf(client.Security.FindAddedIP(ctx, "ep1", "")) },
		"domain_mask": func() error { return errOf(client.Security.FindAddedDomainMask(ctx, "ep1", "")) },
		"method":      func() error { return errOf(client.Security.FindAddedRequestFilter(ctx, "ep1", nil)) },
		"methods": func() error {
			return errOf(
				client.RateLimits.FindCreatedMethodLimit(ctx, "ep1", admin.CreateMethodRateLimitRequest{Interval: "day"}))
		},
		"interval": func() error {
			return errOf(
				client.RateLimits.FindCreatedMethodLimit(ctx, "ep1", admin.CreateMethodRateLimitRequest{Methods: []string{"x"}}))
		},
	} {
		invalid := errorAs[*rpcfleet.ValidationError](t, look(), field)
		assert.Equal(t, strings.TrimSpace(field), invalid.Field)
	}
	assert.Empty(t, server.Requests())
}

// muted is a service that executes every request, and while it is mute loses the responses to all but reads.
type muted struct {
	*emulator.Emulator

	mu         sync.Mutex
	mute, deaf bool // A deaf one does not execute it.
	wrote      int
}

// become changes the treatment of writes, and returns how many writes there were.
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
	m := &muted{Emulator: emulator.New(emulator.WithMaxPageSize(3))}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(m.APIKey))
	require.NoError(t, err)
	a := &account{Client: client}
	endpoint, err := client.Endpoints.Create(t.Context(),
		admin.CreateEndpointRequest{Chain: "polygon", Network: "polygon-mainnet"})
	require.NoError(t, err)
	team, err := client.Teams.Create(t.Context(), "Others")
	require.NoError(t, err)
	a.endpoint, a.team = endpoint.ID, team.ID
	return m, a
}

// TestALookupFindsWhatALostCreateHasMade executes creates and loses their responses, beside similar things of the same
// kind that were there before.
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
			require.ErrorIs(t, test.create(t.Context(), a), rpcfleet.ErrOutcomeUnknown)
			assert.Equal(t, rpcfleet.LookupNotFound, since().outcome)

			wrote := m.become(true, false)
			require.ErrorIs(t, test.create(t.Context(), a), rpcfleet.ErrOutcomeUnknown)
			first := since()
			assert.Equal(t, rpcfleet.LookupFound, first.outcome)
			require.Len(t, first.ids, 1)
			assert.NotContains(t, before.ids, first.ids[0])
			assert.Equal(t, wrote+1, m.become(true, false), "a lookup only reads, and the create was sent once")
			if test.once {
				return
			}
			assert.Equal(t, rpcfleet.LookupAmbiguous, test.find(t.Context(), t, a).outcome, "what was there before")
			require.ErrorIs(t, test.create(t.Context(), a), rpcfleet.ErrOutcomeUnknown)
			both := since()
			assert.Equal(t, rpcfleet.LookupAmbiguous, both.outcome)
			assert.Len(t, both.ids, 2)
			second := both.since(first)
			assert.Equal(t, rpcfleet.LookupFound, second.outcome)
			assert.NotEqual(t, first.ids, second.ids)
		})
	}
}

// TestEveryCreateCanBeLookedFor, except creates of things that no operation lists.
func TestEveryCreateCanBeLookedFor(t *testing.T) {
	nothing := []string{"createToolingToken", "resendTeamInvite"}
	lookedFor := map[string]bool{"bulkAddEndpointTag": true} // By Tags.FindCreated, and by a listing with the label.
	for name, test := range lookups {
		m, a := startMuted(t)
		server := httptest.NewServer(m)
		defer server.Close()
		var ids []string
		client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(m.APIKey), rpcfleet.WithCallHook(
			func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
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

// TestLookups_canBeMade by a test, with ids or without.
func TestLookups_canBeMade(t *testing.T) {
	byHand := rpcfleet.Lookup[admin.Tag]{Records: []admin.Tag{{Label: "a"}}}
	assert.Equal(t, rpcfleet.LookupFound, byHand.Outcome())
	assert.Empty(t, byHand.IDs())
	assert.Len(t, byHand.Exclude("1").Records, 1)
	made := rpcfleet.NewLookup([]admin.Tag{{Label: "a"}, {Label: "b"}}, func(tag *admin.Tag) string { return tag.Label })
	assert.Equal(t, []string{"a", "b"}, made.IDs())
	assert.Equal(t, rpcfleet.LookupFound, made.Exclude("a").Outcome())
}
