package acceptance

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

// sampleAccount is the account of the calls of the mutation test. It has some of everything, so that no response is
// empty if it could contain something.
type sampleAccount struct {
	*graphFixture
	// fleet and entries are the account's beginning, for another emulator.
	fleet   []emulator.SeedRequest
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
	// The template is the id of a webhook with one.
	webhook, template, stream string
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

func startSampleAccount(t *testing.T) *sampleAccount {
	t.Helper()
	f, ctx := &sampleAccount{graphFixture: startGraph(t, graph.ChainEthereum)}, t.Context()
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	post := func(path string, body any, as string) {
		f.fleet = append(f.fleet, emulator.SeedRequest{Do: "POST " + path, Body: body, As: as})
	}
	for _, name := range []string{"one", "two", "three", "four", "whole"} {
		post("/_emulator/endpoints", emulator.EndpointSpec{
			Chain: "eth", Network: "mainnet", Label: "Backend", Tags: []string{"fleet"}}, name)
		post("/v0/endpoints/$"+name+"/enable_multichain", nil, "")
	}
	post("/_emulator/endpoints", emulator.EndpointSpec{
		Chain: "eth", Network: "mainnet", Label: "Spare", Tags: []string{"spare"}}, "spare")
	post("/v0/endpoints/$whole/security/tokens", nil, "")
	post("/v0/endpoints/$whole/security/referrers", map[string]string{"referrer": "app.example.com"}, "")
	post("/v0/endpoints/$whole/security/ips", map[string]string{"ip": "192.0.2.10"}, "")
	post("/v0/endpoints/$whole/security/domain_masks", map[string]string{"domain_mask": "rpc.example.com"}, "")
	post("/v0/endpoints/$whole/security/jwts", jwt, "")
	post("/v0/endpoints/$whole/security/request_filters", map[string]any{"method": []string{"eth_call"}}, "")
	post("/v0/endpoints/$whole/method-rate-limits", admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalSecond, Methods: []string{"eth_call"}, Rate: 10}, "")
	post("/v0/teams", map[string]string{"name": "Core"}, "core")
	post("/v0/teams", map[string]string{"name": "Empty"}, "empty")
	post("/v0/teams/$core/members", admin.InviteTeamMemberRequest{
		Email: "first@example.com", FullName: new("First User"), Role: new(admin.TeamRoleViewer)}, "member")
	post("/alerts/rest/v1/destinations", map[string]any{"name": "Watch", "to_url": refusing.URL + "/made-up-webhook-secret",
		"webhook_type": "POST", "service": "webhook", "payload_type": 1}, "destination")
	post("/alerts/rest/v1/notifications", map[string]any{"name": "Transfers", "network": "ethereum-mainnet",
		"expression": []byte(everyBlock), "destinationIds": []string{"$destination"}}, "notification")
	f.fleet = append(f.fleet,
		emulator.SeedRequest{Do: "PATCH /v0/endpoints/$whole/ip_custom_header", Body: map[string]string{"header_name": "X-Client-IP"}},
		emulator.SeedRequest{Do: "PATCH /v0/endpoints/$whole/rate-limits", Body: map[string]any{"rate_limits": map[string]int{"rps": 5}}},
		emulator.SeedRequest{Do: "PATCH /v0/teams/$core/endpoints", Body: map[string]any{"endpoint_ids": []string{"$spare"}}},
		emulator.SeedRequest{Do: "PATCH /v0/tooling-access", Body: map[string]bool{"enabled": true}})
	made := must(f.Populate(f.fleet...))(t)
	number := func(name string) int64 { return must(strconv.ParseInt(made[name], 10, 64))(t) }
	f.id, f.spare, f.destination, f.notification = made["whole"], made["spare"], made["destination"], made["notification"]
	f.member, f.team, f.empty = number("member"), number("core"), number("empty")
	require.NoError(t, second(f.Deliver(ctx, f.notification, 14)))
	f.fillPlatform(t, f.Client, refusing.URL+"/made-up-webhook-secret")
	f.entries = append(logEntries(5, `{"jsonrpc":"2.0"}`), emulator.LoggedCall{
		Timestamp: logBegin.Add(time.Minute), Method: "eth_getLogs", Status: 429, ErrorCode: new(-32005), Archive: true,
	}, emulator.LoggedCall{Method: "eth_call"}) // The last one is for the metrics, which are about the present.
	f.log = must(f.AppendLog(f.id, f.entries...))(t)[:5]
	f.spareTag = must(f.Tags.List(ctx))(t)[1].ID
	entries := must(f.Security.Get(ctx, f.id))(t)
	f.referrer, f.ip, f.mask = entries.Referrers[0].ID, entries.IPs[0].ID, entries.DomainMasks[0].ID
	f.jwt, f.token, f.filter = entries.JWTs[0].ID, entries.Tokens[1].ID, entries.RequestFilters[0].ID
	limit, _ := must(f.RateLimits.Get(ctx, f.id))(t).Effective(admin.RateLimitBucketRPS)
	f.override = limit.OverrideID
	f.limit = must(f.RateLimits.ListMethodLimits(ctx, f.id))(t)[0].ID
	return f
}
