package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// whole is a file with everything that a file can say.
var whole = strings.Replace(string(bundled), "url_from: ON_CALL_URL", "url: https://hooks.example.com/secret", 1)

func TestTwiceChangesNothing(t *testing.T) {
	s := newService(t)
	require.NoError(t, seed(s.Emulator))
	f := declares(t, strings.Replace(whole, "hooks.example.com/secret", "hooks.example.com/made-up-secret", 1))
	require.NoError(t, s.apply(t, f, false))
	assert.NotEmpty(t, writes(s.Emulator))
	s.ResetCalls()
	require.NoError(t, s.apply(t, f, false))
	assert.Empty(t, writes(s.Emulator))
	steps, problems := s.plan(t, f)
	assert.Equal(t, []string{
		`remove endpoint "checkout" tags legacy > `, `remove endpoint "forgotten" (1006)  polygon-mainnet > `,
	}, steps, "that is for -prune")
	assert.Empty(t, problems)

	require.NoError(t, s.apply(t, f, true))
	assert.Equal(t, []string{"removeEndpointTag", "archiveEndpoint"}, writes(s.Emulator))
	s.settled(t, f)
}

// openWrites are the operations of which it can be open whether they happened.
var openWrites = []string{
	"createEndpoint", "addEndpointTag", "createMethodRateLimit", "createToken", "addIP", "addReferrer", "addDomainMask",
	"addRequestFilter", "addJWT", "createTeam", "inviteTeamMember", "createDestination", "createNotification",
}

// everything declares more of each kind than one, so that what is lost is not all that there is.
const everything = `
endpoints:
  - label: a
    chain: ethereum
    network: ethereum-mainnet
    tags: [x, y]
    security: &all
      tokens: 3
      ips: [198.51.100.1, 198.51.100.2]
      referrers: [a.example.com, b.example.com]
      domain_masks: [c.example.com, d.example.com]
      request_filters: [[eth_call], [eth_getLogs, eth_getCode]]
      jwts: [{name: n, kid: k, public_key: p}, {name: n, kid: k, public_key: q}]
      ip_custom_header: X-Client-IP
      options: {ips: true, ipCustomHeader: false}
    method_rate_limits: &limits
      - {interval: second, methods: [eth_call], rate: 5}
      - {interval: day, methods: [eth_call], rate: 6, enabled: false}
  - {label: b, chain: ethereum, network: ethereum-mainnet, tags: [x], security: *all, method_rate_limits: *limits}
  - {label: c, chain: ethereum, network: ethereum-mainnet, tags: [x], security: *all, status: paused}
teams:
  - {name: Team one, endpoints: [a], members: [{email: one@example.com, full_name: One, role: viewer}]}
  - {name: Team two, endpoints: [b, c], members: [{email: two@example.com, full_name: Two, role: viewer}]}
destinations:
  - {name: one, url: "https://example.com/1", method: POST, payload_type: 1}
  - {name: two, url: "https://example.com/2", method: GET, payload_type: 2}
notifications:
  - {name: one, network: ethereum-mainnet, expression: tx_to =~ '^0x', destinations: [one, two]}
  - {name: two, network: polygon-mainnet, expression: tx_to =~ '^0x', destinations: [two], enabled: false}
`

// Every second create is carried out and its response is lost or cut off, or it is lost before it is carried out.
func TestNothingIsDoubledWhereResponsesAreLost(t *testing.T) {
	for i, effect := range []emulator.Effect{emulator.LoseResponse, emulator.ResetBefore, emulator.Truncate} {
		for j, operation := range openWrites {
			if race.Thin(i, j) {
				continue
			}
			t.Run(fmt.Sprint(effect, " ", operation), func(t *testing.T) {
				t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
				synctest.Test(t, func(t *testing.T) {
					s := newService(t, emulator.WithFaults(emulator.Fault{Operation: operation, Effect: effect, Every: 2}))
					defer s.Close()
					f := declares(t, everything)
					err := s.apply(t, f, false)
					for range 10 { // A create that is lost three times in a row is left to the next run.
						if err == nil {
							break
						}
						require.NotEqual(t, emulator.LoseResponse, effect, err)
						require.ErrorIs(t, err, rpcfleet.ErrConnection)
						err = s.apply(t, f, false)
					}
					require.NoError(t, err)
					s.settled(t, f)
					assert.Positive(t, s.Faults()[0].Fired())
					tokens, err := s.client.Security.Get(t.Context(), s.planned(t, f, "a"))
					require.NoError(t, err)
					assert.Len(t, tokens.Tokens, 3)
				})
			})
		}
	}
}

// planned returns the id of an endpoint.
func (s *service) planned(t *testing.T, f *fleet, label string) string {
	t.Helper()
	p := s.planner(f)
	_, err := p.plan(t.Context())
	require.NoError(t, err)
	return p.id("endpoint", label)
}

func TestWhatStrayedIsSetAgain(t *testing.T) {
	s := newService(t)
	f := declares(t, everything)
	require.NoError(t, s.apply(t, f, false))
	ctx, id := t.Context(), s.planned(t, f, "a")
	limits, err := s.client.RateLimits.ListMethodLimits(ctx, id)
	require.NoError(t, err)
	entries, err := s.client.Security.Get(ctx, id)
	require.NoError(t, err)
	listed, err := collect(s.client.Notifications.All(ctx, alerts.ListNotificationsParams{}))
	require.NoError(t, err)
	notification := func(name string) string {
		return named(listed, name, func(n *alerts.Notification) string { return n.Name })[0].ID
	}
	for _, err := range []error{
		s.client.Endpoints.Pause(ctx, id), // Not declared: it stays.
		s.client.Endpoints.Activate(ctx, s.planned(t, f, "c")),
		s.client.Security.UpdateRequestFilter(ctx, id, entries.RequestFilters[0].ID, []string{"eth_sendRawTransaction"}),
		s.client.Security.RemoveIP(ctx, id, *entries.IPs[0].ID),
		s.client.Notifications.Disable(ctx, notification("one")),
		s.client.Notifications.Enable(ctx, notification("two")),
	} {
		require.NoError(t, err)
	}
	_, err = s.client.RateLimits.UpdateMethodLimit(ctx, id, limits[0].ID, admin.UpdateMethodRateLimitRequest{Rate: new(9)})
	require.NoError(t, err)
	_, err = s.client.Security.SetOptions(ctx, id, admin.SecurityOptionSwitches{IPs: new(admin.SwitchDisabled)})
	require.NoError(t, err)
	_, err = s.client.Security.SetIPCustomHeader(ctx, id, "X-Other")
	require.NoError(t, err)
	_, err = s.client.Notifications.Update(ctx, notification("one"),
		alerts.UpdateNotificationRequest{Network: new(alerts.AlertNetwork("celo-mainnet")), Expression: new(alerts.Expression("tx_to == '0x01'")), DestinationIDs: []string{}})
	require.NoError(t, err)

	steps, _ := s.plan(t, f)
	assert.Equal(t, []string{
		`set endpoint "a" method_rate_limits second eth_call 9 > 5`,
		`add endpoint "a" security.ips  > 198.51.100.1`,
		`set endpoint "a" security.request_filters eth_sendRawTransaction > eth_call`,
		`set endpoint "a" security.ip_custom_header X-Other > X-Client-IP`,
		`set endpoint "a" security.options ips off, ipCustomHeader on > ips on, ipCustomHeader off`,
		`set endpoint "c" status active > paused`,
		`set notification "one" network celo-mainnet > ethereum-mainnet`,
		`set notification "one" expression tx_to == '0x01' > tx_to =~ '^0x'`,
		`set notification "one" destinations  > one, two`,
		`set notification "one" enabled off > on`,
		`set notification "two" enabled on > off`,
	}, steps)
	require.NoError(t, s.apply(t, f, false))
	s.settled(t, f)
}
