package clienttest

import (
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

// finds makes a lookup of any type of record of one Find method.
func finds[T any](find func(a *account) (rpcfleet.Lookup[T], error)) func(*testing.T, *account) lookup {
	return func(t *testing.T, a *account) lookup {
		t.Helper()
		l, err := find(a)
		return looked(t, l, err)
	}
}

// lookups are creates and the lookups for them. once is set if the same thing cannot be created twice.
var lookups = map[string]struct {
	create func(a *account) error
	find   func(t *testing.T, a *account) lookup
	once   bool
}{
	"Endpoints.Create": {
		func(a *account) error { return errOf(a.Endpoints.Create(background, anEndpoint)) },
		finds(func(a *account) (rpcfleet.Lookup[admin.Endpoint], error) {
			return a.Endpoints.FindCreated(background, anEndpoint)
		}), false,
	},
	"Endpoints.AddTag": {
		func(a *account) error { return a.Endpoints.AddTag(background, a.endpoint, "idle") },
		finds(func(a *account) (rpcfleet.Lookup[admin.EndpointTag], error) {
			return a.Endpoints.FindAddedTag(background, a.endpoint, "idle")
		}), true,
	},
	"Endpoints.AddTag, in the account": {
		func(a *account) error { return a.Endpoints.AddTag(background, a.endpoint, "idle") },
		finds(func(a *account) (rpcfleet.Lookup[admin.Tag], error) {
			return a.Tags.FindCreated(background, "idle")
		}), true,
	},
	"Teams.Create": {
		func(a *account) error { return errOf(a.Teams.Create(background, "Core")) },
		finds(func(a *account) (rpcfleet.Lookup[admin.Team], error) {
			return a.Teams.FindCreated(background, "Core")
		}), false,
	},
	"Teams.Invite": {
		func(a *account) error { return errOf(a.Teams.Invite(background, a.team, anInvitation)) },
		finds(func(a *account) (rpcfleet.Lookup[admin.TeamMember], error) {
			return a.Teams.FindInvited(background, a.team, "New@example.com")
		}), true,
	},
	"RateLimits.CreateMethodLimit": {
		func(a *account) error {
			return errOf(a.RateLimits.CreateMethodLimit(background, a.endpoint, aMethodLimit))
		},
		finds(func(a *account) (rpcfleet.Lookup[admin.MethodRateLimiter], error) {
			return a.RateLimits.FindCreatedMethodLimit(background, a.endpoint, theSameLimit)
		}), false,
	},
	"Destinations.Create": {
		func(a *account) error { return errOf(a.Destinations.Create(background, aDestination)) },
		finds(func(a *account) (rpcfleet.Lookup[alerts.Destination], error) {
			return a.Destinations.FindCreated(background, aDestination)
		}), false,
	},
	"Notifications.Create": {
		func(a *account) error { return errOf(a.Notifications.Create(background, aNotification)) },
		finds(func(a *account) (rpcfleet.Lookup[alerts.Notification], error) {
			return a.Notifications.FindCreated(background, aNotification)
		}), false,
	},
	"Security.CreateToken": {
		func(a *account) error { return errOf(a.Security.CreateToken(background, a.endpoint)) },
		finds(func(a *account) (rpcfleet.Lookup[admin.EndpointToken], error) {
			return a.Security.FindCreatedToken(background, a.endpoint)
		}), false,
	},
	"Security.AddJWT": {
		func(a *account) error { return errOf(a.Security.AddJWT(background, a.endpoint, aJWT)) },
		finds(func(a *account) (rpcfleet.Lookup[admin.EndpointJWT], error) {
			return a.Security.FindAddedJWT(background, a.endpoint, aJWT)
		}), false,
	},
	"Security.AddReferrer": {
		func(a *account) error { return errOf(a.Security.AddReferrer(background, a.endpoint, "example.com")) },
		finds(func(a *account) (rpcfleet.Lookup[admin.EndpointReferrer], error) {
			return a.Security.FindAddedReferrer(background, a.endpoint, "Example.com")
		}), false,
	},
	"Security.AddIP": {
		func(a *account) error { return errOf(a.Security.AddIP(background, a.endpoint, "2001:db8::1")) },
		finds(func(a *account) (rpcfleet.Lookup[admin.EndpointIP], error) {
			return a.Security.FindAddedIP(background, a.endpoint, "2001:DB8::1")
		}), false,
	},
	"Security.AddDomainMask": {
		func(a *account) error {
			return errOf(a.Security.AddDomainMask(background, a.endpoint, "rpc.example.com"))
		},
		finds(func(a *account) (rpcfleet.Lookup[admin.EndpointDomainMask], error) {
			return a.Security.FindAddedDomainMask(background, a.endpoint, "RPC.example.com")
		}), false,
	},
	"Security.AddRequestFilter": {
		func(a *account) error { return errOf(a.Security.AddRequestFilter(background, a.endpoint, someMethods)) },
		finds(func(a *account) (rpcfleet.Lookup[admin.RequestFilter], error) {
			return a.Security.FindAddedRequestFilter(background, a.endpoint, theSameMethods)
		}), false,
	},
}
