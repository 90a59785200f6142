package acceptance

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// sampleAccount is the account of the calls of the mutation test. It has some of everything, so that no response is
// empty if it could contain something.
type sampleAccount struct {
	*graphFixture
	// id is an endpoint with everything on it, one of five with the tag. spare has a separate tag.
	id, spare       string
	tag, spareTag   int64
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
	return admin.ListLogsParams{From: scalar.NewTime(logBegin), To: scalar.NewTime(logBegin.Add(time.Hour)),
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
		ConfirmedAtGte: new(scalar.NewTime(time.Date(2025, 2, 15, 0, 0, 0, 0, time.UTC)))}
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
	for range 5 {
		id := must(f.AddEndpoint(emulator.EndpointSpec{
			Chain: "ethereum", Network: "ethereum-mainnet", Label: "Backend", Tags: []string{"fleet"}, Multichain: true,
		}))(t)
		f.id = id
	}
	var err error
	f.spare, err = f.AddEndpoint(
		emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Tags: []string{"spare"}})
	require.NoError(t, err)
	f.log = logged(t, f.Emulator, f.id, 5, `{"jsonrpc":"2.0"}`)
	_, err = f.AppendLog(f.id, emulator.LoggedCall{
		Timestamp: logBegin.Add(time.Minute), Method: "eth_getLogs", Status: 429, ErrorCode: new(-32005), Archive: true,
	}, emulator.LoggedCall{Method: "eth_call"}) // The last one is for the metrics, which are about the present.
	require.NoError(t, err)
	tags := must(f.Tags.List(ctx))(t)
	require.Len(t, tags, 2)
	f.tag, f.spareTag = tags[0].ID, tags[1].ID
	f.secure(ctx, t)
	f.limitRates(ctx, t)
	f.formTeam(ctx, t)
	f.watch(t)
	require.NoError(t, second(f.Tooling.Enable(ctx)))
	page := must(f.Graph.Transactions(f.chain, graph.TransactionsParams{}, rpcfleet.WithPageSize(1)).Page(ctx))(t)
	f.transaction = page.Items[0].Hash
	prices := must(f.Graph.GasPrices(ctx, f.chain, graph.GasPricesParams{}))(t)
	f.block = prices[len(prices)-3].BlockNumber
	return f
}

// secure puts entries of each kind on the endpoint.
func (f *sampleAccount) secure(ctx context.Context, t *testing.T) {
	t.Helper()
	referrer := must(f.Security.AddReferrer(ctx, f.id, "app.example.com"))(t)
	ip := must(f.Security.AddIP(ctx, f.id, "192.0.2.10"))(t)
	mask := must(f.Security.AddDomainMask(ctx, f.id, "rpc.example.com"))(t)
	key := must(f.Security.AddJWT(ctx, f.id, jwt))(t)
	token := must(f.Security.CreateToken(ctx, f.id))(t)
	filter := must(f.Security.AddRequestFilter(ctx, f.id, []string{"eth_call"}))(t)
	require.NoError(t, second(f.Security.SetIPCustomHeader(ctx, f.id, "X-Client-IP")))
	f.referrer, f.ip, f.mask, f.jwt, f.token, f.filter = *referrer.ID, *ip.ID, *mask.ID, *key.ID, *token.ID, filter.ID
}

// limitRates limits the endpoint as a whole and by method.
func (f *sampleAccount) limitRates(ctx context.Context, t *testing.T) {
	t.Helper()
	require.NoError(t, second(f.RateLimits.Update(ctx, f.id, admin.RateLimitOverrides{RPS: new(5)})))
	override, set := must(f.RateLimits.Get(ctx, f.id))(t).OverrideID(admin.RateLimitBucketRPS)
	require.True(t, set)
	limit := must(f.RateLimits.CreateMethodLimit(ctx, f.id, admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalSecond, Methods: []string{"eth_call"}, Rate: 10,
	}))(t)
	f.override, f.limit = override, limit.ID
}

// formTeam makes a team that has an endpoint.
func (f *sampleAccount) formTeam(ctx context.Context, t *testing.T) {
	t.Helper()
	f.team, f.empty = team(t, f.fixture, "Core"), team(t, f.fixture, "Empty")
	member := must(f.Teams.Invite(ctx, f.team, admin.InviteTeamMemberRequest{
		Email: "first@example.com", FullName: new("First User"), Role: new(admin.TeamRoleViewer),
	}))(t)
	f.member = member.ID
	require.NoError(t, f.Teams.SetEndpoints(ctx, f.team, []string{f.spare}))
}

// watch makes a notification that has an event.
func (f *sampleAccount) watch(t *testing.T) {
	t.Helper()
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	to := f.fixture.destination(t, refusing.URL+"/made-up-webhook-secret", alerts.WebhookTypePOST)
	notification := f.fixture.notification(t, everyBlock, to)
	require.NoError(t, second(f.Deliver(t.Context(), notification.ID, 14)))
	f.destination, f.notification = to.ID, notification.ID
}
