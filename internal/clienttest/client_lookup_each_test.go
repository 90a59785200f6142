package clienttest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// lookup is what the lookups of all types of record have in common.
type lookup struct {
	outcome rpcfleet.LookupOutcome
	ids     []string
	since   func(before lookup) lookup
}

// looked makes one of a lookup. It fails the test where there is none.
func looked[T any](t *testing.T, l rpcfleet.Lookup[T], err error) lookup {
	t.Helper()
	require.NoError(t, err)
	return lookup{l.Outcome(), l.IDs(), func(before lookup) lookup { return looked(t, l.Without(before.ids...), nil) }}
}

var (
	aDestination = alerts.CreateDestinationRequest{
		Name: "Watch", ToURL: scalar.NewSecretURL("https://hooks.example/1"), WebhookType: alerts.WebhookTypePOST,
		Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout1,
	}
	aNotification = alerts.CreateNotificationRequest{
		Name: "Transfers", Expression: "tx_to == '0x1'", Network: alerts.AlertNetworkEthereumMainnet, DestinationIDs: []string{},
	}
	aMethodLimit = admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_call", "eth_getLogs"}, Rate: 7,
	}
	aJWT = admin.AddJWTRequest{PublicKey: "made-up-public-key", Kid: "k1", Name: "Gate"}
)

// lookups are creates and what looks for what they make. once is set where the same cannot be made twice.
var lookups = map[string]struct {
	create func(ctx context.Context, a *account) error
	find   func(ctx context.Context, t *testing.T, a *account) lookup
	once   bool
}{
	"Endpoints.Create": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Endpoints.Create(ctx, admin.CreateEndpointRequest{Chain: "ethereum", Network: "ethereum-mainnet"})
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Endpoints.FindCreated(ctx, admin.CreateEndpointRequest{Chain: "ethereum", Network: "ethereum-mainnet"})
			return looked(t, l, err)
		},
	},
	"Endpoints.AddTag": {
		create: func(ctx context.Context, a *account) error { return a.Endpoints.AddTag(ctx, a.endpoint, "idle") },
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Endpoints.FindAddedTag(ctx, a.endpoint, "idle")
			return looked(t, l, err)
		},
		once: true,
	},
	"Endpoints.AddTag, in the account": {
		create: func(ctx context.Context, a *account) error { return a.Endpoints.AddTag(ctx, a.endpoint, "idle") },
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Tags.FindCreated(ctx, "idle")
			return looked(t, l, err)
		},
		once: true,
	},
	"Teams.Create": {
		create: func(ctx context.Context, a *account) error { _, err := a.Teams.Create(ctx, "Core"); return err },
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Teams.FindCreated(ctx, "Core")
			return looked(t, l, err)
		},
	},
	"Teams.Invite": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Teams.Invite(ctx, a.team, admin.InviteTeamMemberRequest{
				Email: "new@example.com", FullName: new("New User"), Role: new(admin.TeamRoleViewer),
			})
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Teams.FindInvited(ctx, a.team, "New@example.com")
			return looked(t, l, err)
		},
		once: true,
	},
	"RateLimits.CreateMethodLimit": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.RateLimits.CreateMethodLimit(ctx, a.endpoint, aMethodLimit)
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			limit := aMethodLimit
			limit.Methods = []string{"eth_getLogs", "eth_call"}
			l, err := a.RateLimits.FindCreatedMethodLimit(ctx, a.endpoint, limit)
			return looked(t, l, err)
		},
	},
	"Destinations.Create": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Destinations.Create(ctx, aDestination)
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Destinations.FindCreated(ctx, aDestination)
			return looked(t, l, err)
		},
	},
	"Notifications.Create": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Notifications.Create(ctx, aNotification)
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Notifications.FindCreated(ctx, aNotification)
			return looked(t, l, err)
		},
	},
	"Security.CreateToken": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Security.CreateToken(ctx, a.endpoint)
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Security.FindCreatedToken(ctx, a.endpoint)
			return looked(t, l, err)
		},
	},
	"Security.AddJWT": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Security.AddJWT(ctx, a.endpoint, aJWT)
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Security.FindAddedJWT(ctx, a.endpoint, aJWT)
			return looked(t, l, err)
		},
	},
	"Security.AddReferrer": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Security.AddReferrer(ctx, a.endpoint, "example.com")
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Security.FindAddedReferrer(ctx, a.endpoint, "Example.com")
			return looked(t, l, err)
		},
	},
	"Security.AddIP": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Security.AddIP(ctx, a.endpoint, "2001:db8::1")
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Security.FindAddedIP(ctx, a.endpoint, "2001:DB8::1")
			return looked(t, l, err)
		},
	},
	"Security.AddDomainMask": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Security.AddDomainMask(ctx, a.endpoint, "rpc.example.com")
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Security.FindAddedDomainMask(ctx, a.endpoint, "RPC.example.com")
			return looked(t, l, err)
		},
	},
	"Security.AddRequestFilter": {
		create: func(ctx context.Context, a *account) error {
			_, err := a.Security.AddRequestFilter(ctx, a.endpoint, []string{"eth_call", "eth_getLogs"})
			return err
		},
		find: func(ctx context.Context, t *testing.T, a *account) lookup {
			l, err := a.Security.FindAddedRequestFilter(ctx, a.endpoint, []string{"eth_getLogs", "eth_call", "eth_call"})
			return looked(t, l, err)
		},
	},
}
