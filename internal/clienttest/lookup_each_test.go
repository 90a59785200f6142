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

// lookup is the common part of the lookups of all types of record.
type lookup struct {
	outcome rpcfleet.LookupOutcome
	ids     []string
	since   func(before lookup) lookup
}

// looked makes a lookup of a typed one. It fails the test if there is no lookup.
func looked[T any](t *testing.T, l rpcfleet.Lookup[T], err error) lookup {
	t.Helper()
	require.NoError(t, err)
	return lookup{l.Outcome(), l.IDs(), func(before lookup) lookup { return looked(t, l.Exclude(before.ids...), nil) }}
}

var (
	aDestination = alerts.CreateDestinationRequest{
		Name: "Watch", ToURL: scalar.NewSecretURL("https://hooks.example/1"), WebhookType: alerts.WebhookTypePOST,
		Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout1,
	}
	aNotification = alerts.CreateNotificationRequest{
		Name: "Transfers", Expression: "tx_to == '0x1'", Network: alerts.AlertNetworkEthereumMainnet,
		DestinationIDs: []string{},
	}
	aMethodLimit = admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_call", "eth_getLogs"}, Rate: 7,
	}
	theSameLimit = admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalDay, Methods: []string{"eth_getLogs", "eth_call"}, Rate: 7,
	}
	anEndpoint   = admin.CreateEndpointRequest{Chain: "ethereum", Network: "ethereum-mainnet"}
	anInvitation = admin.InviteTeamMemberRequest{Email: "new@example.com", FullName: new("New User"),
		Role: new(admin.TeamRoleViewer)}
	someMethods, theSameMethods = []string{"eth_call", "eth_getLogs"}, []string{"eth_getLogs", "eth_call", "eth_call"}
	aJWT                        = admin.AddJWTRequest{PublicKey: "made-up-public-key", Kid: "k1", Name: "Gate"}
)

// found makes a lookup of the results of a Find method.
func found[T any](t *testing.T) func(rpcfleet.Lookup[T], error) lookup {
	return func(l rpcfleet.Lookup[T], err error) lookup {
		t.Helper()
		return looked(t, l, err)
	}
}

// lookups are creates and the lookups for them. once is set if the same thing cannot be created twice.
var lookups = map[string]struct {
	create func(ctx context.Context, a *account) error
	find   func(ctx context.Context, t *testing.T, a *account) lookup
	once   bool
}{
	"Endpoints.Create": {
		func(ctx context.Context, a *account) error { return errOf(a.Endpoints.Create(ctx, anEndpoint)) },
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.Endpoint](t)(a.Endpoints.FindCreated(ctx, anEndpoint))
		}, false,
	},
	"Endpoints.AddTag": {
		func(ctx context.Context, a *account) error { return a.Endpoints.AddTag(ctx, a.endpoint, "idle") },
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.EndpointTag](t)(a.Endpoints.FindAddedTag(ctx, a.endpoint, "idle"))
		}, true,
	},
	"Endpoints.AddTag, in the account": {
		func(ctx context.Context, a *account) error { return a.Endpoints.AddTag(ctx, a.endpoint, "idle") },
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.Tag](t)(a.Tags.FindCreated(ctx, "idle"))
		}, true,
	},
	"Teams.Create": {
		func(ctx context.Context, a *account) error { return errOf(a.Teams.Create(ctx, "Core")) },
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.Team](t)(a.Teams.FindCreated(ctx, "Core"))
		}, false,
	},
	"Teams.Invite": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Teams.Invite(ctx, a.team, anInvitation))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.TeamMember](t)(a.Teams.FindInvited(ctx, a.team, "New@example.com"))
		}, true,
	},
	"RateLimits.CreateMethodLimit": {
		func(ctx context.Context, a *account) error {
			return errOf(a.RateLimits.CreateMethodLimit(ctx, a.endpoint, aMethodLimit))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.MethodRateLimiter](t)(a.RateLimits.FindCreatedMethodLimit(ctx, a.endpoint, theSameLimit))
		}, false,
	},
	"Destinations.Create": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Destinations.Create(ctx, aDestination))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[alerts.Destination](t)(a.Destinations.FindCreated(ctx, aDestination))
		}, false,
	},
	"Notifications.Create": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Notifications.Create(ctx, aNotification))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[alerts.Notification](t)(a.Notifications.FindCreated(ctx, aNotification))
		}, false,
	},
	"Security.CreateToken": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Security.CreateToken(ctx, a.endpoint))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.EndpointToken](t)(a.Security.FindCreatedToken(ctx, a.endpoint))
		}, false,
	},
	"Security.AddJWT": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Security.AddJWT(ctx, a.endpoint, aJWT))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.EndpointJWT](t)(a.Security.FindAddedJWT(ctx, a.endpoint, aJWT))
		}, false,
	},
	"Security.AddReferrer": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Security.AddReferrer(ctx, a.endpoint, "example.com"))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.EndpointReferrer](t)(a.Security.FindAddedReferrer(ctx, a.endpoint, "Example.com"))
		}, false,
	},
	"Security.AddIP": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Security.AddIP(ctx, a.endpoint, "2001:db8::1"))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.EndpointIP](t)(a.Security.FindAddedIP(ctx, a.endpoint, "2001:DB8::1"))
		}, false,
	},
	"Security.AddDomainMask": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Security.AddDomainMask(ctx, a.endpoint, "rpc.example.com"))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.EndpointDomainMask](t)(a.Security.FindAddedDomainMask(ctx, a.endpoint, "RPC.example.com"))
		}, false,
	},
	"Security.AddRequestFilter": {
		func(ctx context.Context, a *account) error {
			return errOf(a.Security.AddRequestFilter(ctx, a.endpoint, someMethods))
		},
		func(ctx context.Context, t *testing.T, a *account) lookup {
			return found[admin.RequestFilter](t)(a.Security.FindAddedRequestFilter(ctx, a.endpoint, theSameMethods))
		}, false,
	},
}
