package acceptance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// unknownRequest is the id of a request that is in no log.
const unknownRequest = "5f1c0a00-1b2c-11f0-8000-010000000001"

// TestOperations_unknownEndpointIsNotFound calls every operation on an endpoint with ids that no endpoint has.
func TestOperations_unknownEndpointIsNotFound(t *testing.T) {
	b := start(t)
	asked := map[string]bool{}
	for _, id := range []string{"no-such-endpoint", "a/b", "ü?#", "...", "100%"} {
		unknown := &sampleAccount{id: id, spare: id, log: []string{unknownRequest}, override: unknownRequest,
			limit: "1", referrer: "1", ip: "1", mask: "1", jwt: "1", token: "1", filter: "1"}
		for _, q := range slices.Concat(adminQueries, securityQueries) {
			b.ResetCalls()
			_, err := q.run(t.Context(), b.Client, unknown)
			if calls := b.Calls(); len(calls) > 0 && calls[0].Params["id"] == id {
				asked[calls[0].Operation] = true
				require.ErrorIs(t, err, rpcfleet.ErrNotFound, "%s of %q", q.method, id)
			}
		}
	}
	operations(func(_ *area, path, _ string, op *openapi3.Operation) {
		assert.Equal(t, strings.HasPrefix(path, "/v0/endpoints/{id}"), asked[op.OperationID], op.OperationID)
	})
}

// TestOperations_serviceRefusalsAreTyped sends values that the service refuses, as if the client did not check them,
// one for each operation, and asks for things that do not exist, and for what a viewer must not do. The emulator's own
// tests have every rule.
func TestOperations_serviceRefusalsAreTyped(t *testing.T) {
	b, ctx := start(t), t.Context()
	ids := b.CreateEndpoints(2)
	id, anyway := ids[0], rpcfleet.WithoutValidation()
	tag := must(b.Endpoints.BulkAddTag(ctx, ids, "staging"))(t).Tag.TagID
	from, to := logBegin, logBegin.Add(time.Hour)
	backwards := admin.GetUsageParams{StartTime: time.Unix(2000, 0), EndTime: time.Unix(1000, 0)}
	limit := must(b.RateLimits.CreateMethodLimit(ctx, id,
		admin.CreateMethodRateLimitRequest{Interval: "day", Methods: []string{"eth_call"}, Rate: 1}))(t)
	const random = "5f1c0a00-1b2c-41f0-8000-010000000001" // It is not of a time.
	viewer, nobody := b.client(t, rpcfleet.WithAPIKey(b.ViewerKey)), b.client(t, rpcfleet.WithAPIKey("made-up-wrong-key"))
	gated := start(t, emulator.WithoutTagList(), emulator.WithoutAlerts())
	refusals := map[error][]error{
		rpcfleet.ErrNotFound: {
			second(b.Chains.APICredits(ctx, "no-such/chain")),
			second(b.Logs.Details(ctx, id, unknownRequest)),
			second(b.Endpoints.BulkRemoveTag(ctx, ids, 404)), b.Endpoints.RemoveTag(ctx, id, 404),
			second(b.Teams.AccessibleEndpoints(ctx, noTeam)),
			b.Teams.SetEndpoints(ctx, noTeam, ids),
		},
		rpcfleet.ErrForbidden: {
			second(gated.Tags.List(ctx)), // The plan does not include the list.
			second(gated.Notifications.List(ctx, alerts.ListNotificationsParams{})),
			second(viewer.Tags.Rename(ctx, tag, "production")), viewer.Tags.Delete(ctx, tag),
			second(viewer.Endpoints.BulkAddTag(ctx, ids, "fleet")),
			second(viewer.Endpoints.BulkRemoveTag(ctx, ids, tag)),
			viewer.Webhooks.DeleteAll(ctx), viewer.KeyValue.Put(ctx, "a", "b"), viewer.Streams.DeleteAll(ctx),
		},
		rpcfleet.ErrUnauthorized: {
			second(nobody.Account.Info(ctx)), second(nobody.Teams.List(ctx)), second(nobody.Webhooks.CountEnabled(ctx)),
			second(nobody.KeyValue.Get(ctx, "a")), nobody.Streams.DeleteAll(ctx),
			second(nobody.Destinations.List(ctx, alerts.ListDestinationsParams{})),
		},
		rpcfleet.ErrInvalidRequest: {
			second(b.Endpoints.List(ctx, admin.ListEndpointsParams{Limit: new(0)})), // The contract states no rule.
			second(b.Endpoints.Create(ctx, admin.CreateEndpointRequest{}, anyway)),
			b.Endpoints.SetStatus(ctx, id, "asleep", anyway),
			b.Endpoints.AddTag(ctx, id, "a label of 26 characters !", anyway),
			second(b.Endpoints.BulkSetStatus(ctx, ids, "asleep", anyway)),
			second(b.Endpoints.BulkAddTag(ctx, ids, "", anyway)),
			second(b.Tags.Rename(ctx, tag, "", anyway)),
			second(b.Teams.Create(ctx, "Ops", anyway)),
			second(b.Logs.List(ctx, id, admin.ListLogsParams{From: from, To: to, NextAt: new("of another listing")})),
			second(b.Logs.Details(ctx, id, random, anyway)),
			second(b.Metrics.Endpoint(ctx, id,
				admin.GetEndpointMetricsParams{Period: "year", Metric: "credits_over_time"}, anyway)),
			second(b.Metrics.Account(ctx,
				admin.GetAccountMetricsParams{Period: "day", Metric: "response_time_over_time"}, anyway)),
			second(b.Usage.Total(ctx, backwards, anyway)), second(b.Usage.ByTag(ctx, backwards, anyway)),
			second(b.Usage.ByEndpoint(ctx, backwards, anyway)), second(b.Usage.ByMethod(ctx, backwards, anyway)),
			second(b.Usage.ByChain(ctx, backwards, anyway)),

			second(b.Security.AddReferrer(ctx, id, "", anyway)), second(b.Security.AddIP(ctx, id, "app.example.com")),
			second(b.Security.AddDomainMask(ctx, id, "", anyway)),
			second(b.Security.AddJWT(ctx, id, admin.AddJWTRequest{PublicKey: jwt.PublicKey, Kid: jwt.Kid}, anyway)),
			second(b.Security.AddRequestFilter(ctx, id, nil, anyway)),
			b.Security.UpdateRequestFilter(ctx, id, "7", nil, anyway),
			second(b.Security.SetIPCustomHeader(ctx, id, "", anyway)),
			second(rpcfleet.Do[struct{}](ctx, b.Client, rpcfleet.Request{ // SetOptions has no way to say it.
				Method: "PATCH", Path: "/v0/endpoints/{id}/security_options", PathParams: map[string]string{"id": id},
				Body: map[string]any{"options": map[string]string{"cors": "on"}},
			})),
			second(b.RateLimits.Update(ctx, id, map[admin.RateLimitBucket]int{"rps": 1, "rpd": 0}, anyway)),
			second(b.RateLimits.CreateMethodLimit(ctx, id, admin.CreateMethodRateLimitRequest{}, anyway)),
			second(b.RateLimits.UpdateMethodLimit(ctx, id, limit.ID, admin.UpdateMethodRateLimitRequest{Rate: new(-1)})),
		},
	}
	for want, errs := range refusals {
		for i, err := range errs {
			assert.ErrorIs(t, err, want, i)
		}
	}
	limits := must(b.RateLimits.Get(ctx, id))(t)
	assert.Len(t, limits, 3, "no limit was overridden: all or nothing")
	outcome, err := viewer.Endpoints.BulkSetStatus(ctx, ids, admin.EndpointStatusPaused)
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	assert.Equal(t, ids, outcome.Rejected)
}
