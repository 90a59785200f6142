package clienttest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

var onEthereum = admin.CreateEndpointRequest{Chain: "ethereum", Network: "mainnet"}

// endpointPage is a page of endpoints, which match any create since they have no network.
func endpointPage(total, offset int, ids ...string) responder {
	return respondJSON(200, page(ids, total, 2, offset))
}

func TestLookup_readsChangedListingAgain(t *testing.T) {
	for name, test := range map[string]struct {
		pages []responder
		want  []string
		asked int
	}{
		"it holds still": {[]responder{endpointPage(3, 0, "a", "b"), endpointPage(3, 1, "b", "c")}, []string{"a", "b", "c"}, 2},
		"one has gone": {
			[]responder{endpointPage(4, 0, "a", "b"), endpointPage(3, 1, "c", "d"), endpointPage(3, 0, "b", "c"),
				endpointPage(3, 1, "c", "d"), endpointPage(3, 0, "b", "c"), endpointPage(3, 1, "c", "d")},
			[]string{"b", "c", "d"}, 6},
		"one has come": {
			[]responder{endpointPage(2, 0, "a"), endpointPage(3, 0, "z", "a"), endpointPage(3, 1, "a", "b"),
				endpointPage(3, 0, "z", "a"), endpointPage(3, 1, "a", "b")}, []string{"z", "a", "b"}, 5},
		"one in, one out": {
			[]responder{endpointPage(3, 0, "a", "b"), endpointPage(3, 1, "a", "b"), endpointPage(3, 0, "z", "a")},
			[]string{"a", "b", "z"}, 3},
		"no total": {
			[]responder{respondJSON(200, `{"data":[{"id":"a","chain":"Ethereum","network":"mainnet"}]}`),
				respondJSON(200, `{"data":[{"id":"a"}]}`), respondJSON(200, `{"data":[]}`)},
			[]string{"a"}, 3},
		"nothing": {[]responder{endpointPage(0, 0)}, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, test.pages...)
			assert.Equal(t, test.want, must(client.Endpoints.FindCreated(t.Context(), onEthereum))(t).IDs())
			require.Len(t, server.Requests(), test.asked)
			for _, asked := range server.Requests() {
				assert.Equal(t, http.MethodGet, asked.Method)
				assert.Contains(t, asked.Query, "sort_by=created_at&sort_direction=desc", "new endpoints come on the first page")
			}
		})
	}
}

func TestLookup_matchesNetworkInBothSpellings(t *testing.T) {
	for fields, found := range map[string]bool{
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
				respondJSON(200, `{"data":[{"id":"a",`+fields+`}],"pagination":{"total":1,"limit":2,"offset":0}}`))
			l, err := client.Endpoints.FindCreated(t.Context(), admin.CreateEndpointRequest{Chain: "ethereum", Network: sent})
			require.NoError(t, err)
			assert.Equal(t, found, len(l.Records) == 1, "%s, sent as %s", fields, sent)
		}
	}
}

// TestLookup_keepsRecordsWithoutAnID, which no other lookup excludes. Numbers are ids in decimal.
func TestLookup_keepsRecordsWithoutAnID(t *testing.T) {
	client, _ := scripted(t, respondJSON(200, `{"data":{"tokens":[{"id":"a"},{},{"token":"made-up"}]}}`),
		respondJSON(200, `{"data":{"tags":[{"tag_id":10,"label":"idle"},{"label":"idle"}]}}`))
	before := must(client.Security.FindCreatedToken(t.Context(), "ep1"))(t)
	assert.Len(t, before.Diff(before).Records, 2)
	assert.Len(t, before.Records, 3, "the earlier lookup stays as it is")
	assert.Equal(t, []string{"a"}, before.IDs())
	assert.Len(t, before.Exclude("", "a", "b").Records, 2)
	tags := must(client.Endpoints.FindAddedTag(t.Context(), "ep1", "idle"))(t)
	assert.Len(t, tags.Records, 2)
	assert.Equal(t, []string{"10"}, tags.IDs())

	const someone = `"email":"a@example.com","full_name":"A","role":"viewer","status":"active"}]`
	client, _ = scripted(t,
		respondJSON(200, `{"data":{"users":[{"id":1,`+someone+`,"pending_invites":[{"id":2,`+someone+`}}`))
	invited := must(client.Teams.FindInvited(t.Context(), 4, "A@example.com"))(t)
	member := admin.TeamMember{
		Email: "a@example.com", FullName: "A", ID: 1, Role: admin.TeamRoleViewer, Status: "active"}
	other := member
	other.ID = 2
	assert.Equal(t, []admin.TeamMember{member, other}, invited.Records)

	byHand := rpcfleet.Lookup[admin.Tag]{Records: []admin.Tag{{Label: "a"}}}
	assert.Len(t, byHand.Exclude("1").Records, 1)
	assert.Empty(t, byHand.IDs())
	made := rpcfleet.NewLookup([]admin.Tag{{Label: "a"}, {Label: "b"}}, func(tag *admin.Tag) string { return tag.Label })
	assert.Equal(t, []string{"a", "b"}, made.IDs())
	assert.Len(t, made.Exclude("a").Records, 1)
}

func TestLookup_matchesTheMethodsOfALimit(t *testing.T) {
	for methods, found := range map[string]bool{
		`["eth_call","eth_getLogs"]`: true, `["eth_getLogs","eth_call","eth_call"]`: true, `["eth_call"]`: false, `[]`: false,
		`["eth_call","eth_getLogs","net_version"]`: false,
	} {
		client, _ := scripted(t,
			respondJSON(200, `{"data":{"rate_limiters":[{"id":"l1","interval":"day","rate":7,"methods":`+methods+`}]}}`))
		l := must(client.RateLimits.FindCreatedMethodLimit(t.Context(), "ep1", aMethodLimit))(t)
		assert.Equal(t, found, len(l.Records) == 1, methods)
	}
}

// TestLookup_failsWithTheRequest, or if the listing changes during each of three readings: the outcome is unknown.
func TestLookup_failsWithTheRequest(t *testing.T) {
	client, server := scripted(t,
		endpointPage(3, 0, "a", "b"), endpointPage(4, 1, "b", "c", "d"),
		endpointPage(4, 0, "a", "b"), endpointPage(5, 1, "b", "c", "d", "e"),
		endpointPage(5, 0, "a", "b"), endpointPage(6, 1, "b", "c", "d", "e", "f"),
		respondJSON(403, `{"error":"no"}`))
	ctx := t.Context()
	found, err := client.Endpoints.FindCreated(ctx, onEthereum)
	require.ErrorIs(t, err, rpcfleet.ErrIncompleteListing)
	require.ErrorContains(t, err, "during each of 3 readings")
	assert.Empty(t, found.Records)
	tags, err := client.Tags.FindCreated(ctx, "idle")
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	assert.Empty(t, tags.Diff(rpcfleet.Lookup[admin.Tag]{}).Records)
	for i, err := range []error{
		errOf(client.Security.FindCreatedToken(ctx, "ep1")), errOf(client.Endpoints.FindAddedTag(ctx, "ep1", "idle")),
		errOf(client.Endpoints.FindCreated(ctx, onEthereum)), errOf(client.Destinations.FindCreated(ctx, aDestination)),
		errOf(client.Teams.FindInvited(ctx, 4, "user@example.com")),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrForbidden, i)
	}
	assert.Len(t, server.Requests(), 6+6)
}

func TestLookup_refusesEmptyArguments(t *testing.T) {
	client, server := scripted(t, respondJSON(200, `{}`))
	ctx := t.Context()
	limits := client.RateLimits
	for _, test := range []struct {
		field string
		err   error
	}{
		{"chain", errOf(client.Endpoints.FindCreated(ctx, admin.CreateEndpointRequest{Network: "x"}))},
		{"network", errOf(client.Endpoints.FindCreated(ctx, admin.CreateEndpointRequest{Chain: "x"}))},
		{"label", errOf(client.Tags.FindCreated(ctx, ""))},
		{"label", errOf(client.Endpoints.FindAddedTag(ctx, "ep1", ""))},
		{"name", errOf(client.Teams.FindCreated(ctx, ""))},
		{"name", errOf(client.Destinations.FindCreated(ctx, alerts.CreateDestinationRequest{}))},
		{"name", errOf(client.Notifications.FindCreated(ctx, alerts.CreateNotificationRequest{}))},
		{"name", errOf(client.Security.FindAddedJWT(ctx, "ep1", admin.AddJWTRequest{Kid: "k"}))},
		{"kid", errOf(client.Security.FindAddedJWT(ctx, "ep1", admin.AddJWTRequest{Name: "n"}))},
		{"email", errOf(client.Teams.FindInvited(ctx, 4, ""))},
		{"referrer", errOf(client.Security.FindAddedReferrer(ctx, "ep1", ""))},
		{"ip", errOf(client.Security.FindAddedIP(ctx, "ep1", ""))},
		{"domain_mask", errOf(client.Security.FindAddedDomainMask(ctx, "ep1", ""))},
		{"method", errOf(client.Security.FindAddedRequestFilter(ctx, "ep1", nil))},
		{"methods", errOf(limits.FindCreatedMethodLimit(ctx, "ep1", admin.CreateMethodRateLimitRequest{Interval: "day"}))},
		{"interval",
			errOf(limits.FindCreatedMethodLimit(ctx, "ep1", admin.CreateMethodRateLimitRequest{Methods: []string{"x"}}))},
	} {
		assert.Equal(t, test.field, errorAs[*rpcfleet.ValidationError](t, test.err, test.field).Field)
	}
	assert.Empty(t, server.Requests())
}

// account is an account with one of each thing that others hang on.
type account struct {
	*rpcfleet.Client
	endpoint string
	team     int64
}

func startAccount(t *testing.T, options ...rpcfleet.ClientOption) (*emulator.Server, *account) {
	t.Helper()
	service := emulator.Start(emulator.WithMaxPageSize(3))
	t.Cleanup(service.Close)
	a := &account{Client: clientOf(t, service.URL, nil, append(options, rpcfleet.WithAPIKey(service.APIKey))...)}
	endpoint := must(a.Endpoints.Create(t.Context(),
		admin.CreateEndpointRequest{Chain: "matic", Network: "matic"}))(t)
	a.endpoint, a.team = endpoint.ID, must(a.Teams.Create(t.Context(), "Others"))(t).ID
	return service, a
}

// TestLookup_findsResultOfLostCreate executes creates and loses their responses, beside similar things of the same
// kind that were there before.
func TestLookup_findsResultOfLostCreate(t *testing.T) {
	for name := range creations(&account{Client: &rpcfleet.Client{}}) {
		t.Run(name, func(t *testing.T) {
			service, a := startAccount(t)
			test := creations(a)[name]
			if !test.once {
				for range 4 { // More than a page of them.
					require.NoError(t, test.create())
				}
			}
			before := test.find(t)
			since := func() lookup { return test.find(t).since(before) }
			lose := func(effect emulator.Effect) {
				must(service.Inject(emulator.Fault{Effect: effect, Times: 1}))(t)
				require.ErrorIs(t, test.create(), rpcfleet.ErrOutcomeUnknown)
			}

			lose(emulator.EffectCloseConnection) // It is not executed.
			assert.Zero(t, since().records)

			service.ResetCalls()
			lose(emulator.EffectLoseResponse)
			first := since()
			assert.Equal(t, 1, first.records)
			require.Len(t, first.ids, 1)
			assert.NotContains(t, before.ids, first.ids[0])
			reads := slices.DeleteFunc(service.Calls(), func(c emulator.Call) bool { return c.Method != http.MethodGet })
			assert.Len(t, service.Calls(), len(reads)+1, "a lookup only reads, and the create was sent once")
			if test.once {
				return
			}
			assert.Greater(t, test.find(t).records, 1, "the earlier ones")
			lose(emulator.EffectLoseResponse)
			both := since()
			assert.Equal(t, 2, both.records)
			assert.Len(t, both.ids, 2)
			second := both.since(first)
			assert.Equal(t, 1, second.records)
			assert.NotEqual(t, first.ids, second.ids)
		})
	}
}

// TestLookup_existsForEveryCreate, except creates of things that no operation lists.
func TestLookup_existsForEveryCreate(t *testing.T) {
	nothing := []string{"createToolingToken", "resendTeamInvite"}
	lookedFor := map[string]bool{}
	_, a := startAccount(t, onResult(func(op rpcfleet.Operation, _ rpcfleet.CallResult) { lookedFor[op.ID] = true }))
	clear(lookedFor)
	lookedFor["bulkAddEndpointTag"] = true // By Tags.FindCreated, and by a listing with the label.
	for name, test := range creations(a) {
		require.NoError(t, test.create(), name)
	}
	for _, op := range rpcfleet.Operations() {
		if !op.Idempotent && !slices.Contains(nothing, op.ID) {
			assert.True(t, lookedFor[op.ID], "%s %s", op.ID, strings.Join(nothing, " "))
		}
	}
}
