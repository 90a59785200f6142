package acceptance

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	seeded "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// sampleAccount is the account of the calls of the mutation test. It has some of everything, so that no response is
// empty if it could contain something.
type sampleAccount struct {
	*graphFixture
	// fleet and entries are the account's beginning, for another emulator.
	fleet   seeded.Fleet
	entries []emulator.LoggedCall
	// id is an endpoint with everything on it, one of five with the tag. spare has a separate tag.
	id, spare       string
	spareTag        int64
	log             []string
	override, limit string
	// The entries of the endpoint's security settings.
	referrer, ip, mask, jwt, token, filter string
	// The member's invitation to the team is pending. Nobody is in the other team.
	team, member, empty       int64
	destination, notification string
	// The block has two gas prices after it.
	transaction string
	block       int
}

// logRange has the endpoint's log in it.
func (f *sampleAccount) logRange() admin.ListLogsParams {
	return admin.ListLogsParams{From: logBegin, To: logBegin.Add(time.Hour),
		IncludeDetails: new(true), Limit: new(2)}
}

// usageRange has the log's calls in it.
func (f *sampleAccount) usageRange() admin.GetUsageParams {
	return admin.GetUsageParams{StartTime: logBegin.Add(-time.Hour), EndTime: logBegin.Add(time.Hour)}
}

// tagged is two at a time of the endpoints with the tag, which no call makes more or fewer.
func (f *sampleAccount) tagged() admin.ListEndpointsParams {
	return admin.ListEndpointsParams{Limit: new(2), TagLabels: []string{"fleet"}}
}

// latest selects a few orders.
func (f *sampleAccount) latest() graph.CollectionOrderHistoryInput {
	return graph.CollectionOrderHistoryInput{
		ConfirmedAtGte: new(time.Date(2025, 2, 15, 0, 0, 0, 0, time.UTC))}
}

// held are a few tokens, of which the wallet holds some.
func (f *sampleAccount) held() []graph.TokenRef {
	tokens := []graph.TokenRef{}
	for id := range int64(20) {
		tokens = append(tokens, graph.TokenRef{ContractAddress: f.notes, TokenID: scalar.BigIntFrom(id)})
	}
	return tokens
}

func startSampleAccount(t *testing.T) *sampleAccount {
	t.Helper()
	f, ctx := &sampleAccount{graphFixture: startGraph(t, graph.ChainEthereum)}, t.Context()
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	tagged := seeded.Endpoint{
		Chain: "ethereum", Network: "ethereum-mainnet", Label: "Backend", Tags: []string{"fleet"}, Multichain: true,
	}
	whole := tagged
	whole.Tokens = []string{"made-up-token-one", "made-up-token-two"}
	whole.RateLimits.RPS = 5
	whole.MethodRateLimits = []seeded.MethodRateLimit{{Interval: "second", Methods: []string{"eth_call"}, Rate: 10}}
	whole.Security = seeded.Security{
		Referrers: []string{"app.example.com"}, IPs: []string{"192.0.2.10"}, DomainMasks: []string{"rpc.example.com"},
		JWTs: []seeded.JWT{{PublicKey: jwt.PublicKey, Kid: jwt.Kid, Name: jwt.Name}}, IPCustomHeader: "X-Client-IP",
		RequestFilters: [][]string{{"eth_call"}},
	}
	spare := seeded.Endpoint{Chain: "ethereum", Network: "ethereum-mainnet", Label: "Spare", Tags: []string{"spare"}}
	f.fleet = seeded.Fleet{
		Account:   seeded.Account{ToolingAccess: true},
		Users:     []seeded.User{{Email: "first@example.com", FullName: "First User", Role: "viewer", Pending: true}},
		Endpoints: []seeded.Endpoint{tagged, tagged, tagged, tagged, whole, spare},
		Teams: []seeded.Team{
			{Name: "Core", Members: []string{"first@example.com"}, Endpoints: []string{"Spare"}}, {Name: "Empty"}},
		Destinations: []seeded.Destination{{Name: "Watch", URL: refusing.URL + "/made-up-webhook-secret"}},
		Notifications: []seeded.Notification{{Name: "Transfers", Network: "ethereum-mainnet",
			Expression: string(everyBlock), Destinations: []string{"Watch"}}},
	}
	made := must(f.Populate(f.fleet))(t)
	f.id, f.spare = made.Endpoints[4], made.Endpoints[5]
	f.member, f.team, f.empty = made.Users[0], made.Teams[0], made.Teams[1]
	f.destination, f.notification = made.Destinations[0], made.Notifications[0]
	require.NoError(t, second(f.Deliver(ctx, f.notification, 14)))
	f.entries = append(logEntries(5, `{"jsonrpc":"2.0"}`), emulator.LoggedCall{
		Timestamp: logBegin.Add(time.Minute), Method: "eth_getLogs", Status: 429, ErrorCode: new(-32005), Archive: true,
	}, emulator.LoggedCall{Method: "eth_call"}) // The last one is for the metrics, which are about the present.
	f.log = must(f.AppendLog(f.id, f.entries...))(t)[:5]
	f.spareTag = must(f.Tags.List(ctx))(t)[1].ID
	entries := must(f.Security.Get(ctx, f.id))(t)
	f.referrer, f.ip, f.mask = entries.Referrers[0].ID, entries.IPs[0].ID, entries.DomainMasks[0].ID
	f.jwt, f.token, f.filter = entries.JWTs[0].ID, entries.Tokens[1].ID, entries.RequestFilters[0].ID
	f.override, _ = must(f.RateLimits.Get(ctx, f.id))(t).OverrideID(admin.RateLimitBucketRPS)
	f.limit = must(f.RateLimits.ListMethodLimits(ctx, f.id))(t)[0].ID
	page := must(f.Graph.Transactions(f.chain, graph.TransactionsParams{}, rpcfleet.WithPageSize(1)).Page(ctx))(t)
	f.transaction = page.Items[0].Hash
	prices := must(f.Graph.GasPrices(ctx, f.chain, graph.GasPricesParams{}))(t)
	f.block = prices[len(prices)-3].BlockNumber
	return f
}
