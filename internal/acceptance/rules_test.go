package acceptance

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestTheServiceJudgesWhatNoRuleForbids sends arguments that the contract does not forbid. Some of them the service
// takes, and some it does not.
func TestTheServiceJudgesWhatNoRuleForbids(t *testing.T) {
	b, ctx := start(t), t.Context()
	id := b.CreateEndpoints(1)[0]
	now := time.Now()

	core, infra := team(t, b, "Core"), team(t, b, "Infra")
	require.NoError(t, second(b.Teams.Invite(ctx, core, admin.InviteTeamMemberRequest{
		Email: "a@example.com", FullName: new("A"), Role: new(admin.TeamRoleViewer),
	})))
	_, err := b.Teams.Invite(ctx, infra,
		admin.InviteTeamMemberRequest{Email: "a@example.com", Role: new(admin.TeamRoleViewer)})
	require.NoError(t, err, "the service knows the user's name")
	_, err = b.Teams.Invite(ctx, infra,
		admin.InviteTeamMemberRequest{Email: "b@example.com", Role: new(admin.TeamRoleViewer)})
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "and does not know this one's")

	limit := must(b.RateLimits.CreateMethodLimit(ctx, id, admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_call"}, Rate: 5,
	}))(t)
	unchanged := must(b.RateLimits.UpdateMethodLimit(ctx, id, limit.ID, admin.UpdateMethodRateLimitRequest{}))(t)
	assert.Equal(t, limit, unchanged)
	for _, change := range []admin.UpdateMethodRateLimitRequest{{Rate: new(0)}, {Methods: []string{}}} {
		require.ErrorIs(t, second(b.RateLimits.UpdateMethodLimit(ctx, id, limit.ID, change)), rpcfleet.ErrInvalidRequest)
	}

	options := must(b.Security.SetOptions(ctx, id, admin.SecurityOptionSwitches{}))(t)
	assert.NotEmpty(t, options, "all of them, as they were")
	require.ErrorIs(t, b.Endpoints.AddTag(ctx, id, strings.Repeat("x", 26)), rpcfleet.ErrInvalidRequest)
	_, err = b.Endpoints.BulkSetStatus(ctx, []string{}, admin.EndpointStatusPaused)
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)

	_, err = b.Usage.Total(ctx, admin.GetUsageParams{StartTime: now, EndTime: now})
	require.NoError(t, err)
	page := must(b.Logs.List(ctx, id, admin.ListLogsParams{From: scalar.NewTime(now), To: scalar.NewTime(now)}))(t)
	assert.Empty(t, page.Items)
}
