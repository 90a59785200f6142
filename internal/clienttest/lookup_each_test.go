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
	records int
	ids     []string
	since   func(before lookup) lookup
}

// looked makes a lookup of a typed one. It fails the test if there is no lookup.
func looked[T any](t *testing.T, l rpcfleet.Lookup[T], err error) lookup {
	t.Helper()
	require.NoError(t, err)
	return lookup{len(l.Records), l.IDs(), func(before lookup) lookup { return looked(t, l.Exclude(before.ids...), nil) }}
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
	anEndpoint   = admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"}
	anInvitation = admin.InviteTeamMemberRequest{Email: "new@example.com", FullName: new("New User"),
		Role: new(admin.TeamRoleViewer)}
	someMethods, theSameMethods = []string{"eth_call", "eth_getLogs"}, []string{"eth_getLogs", "eth_call", "eth_call"}
	aJWT                        = admin.AddJWTRequest{PublicKey: "made-up-public-key", Kid: "k1", Name: "Gate"}
)

// creation is a create and the lookup for it, in an account. once is set if the same thing cannot be created twice.
type creation struct {
	create func() error
	find   func(t *testing.T) lookup
	once   bool
}

// created makes the two for any type of record.
func created[T any](once bool, create func() error, find func() (rpcfleet.Lookup[T], error)) creation {
	return creation{create, func(t *testing.T) lookup {
		t.Helper()
		l, err := find()
		return looked(t, l, err)
	}, once}
}

// inAccount makes a creation of methods that take one argument, and find what was created by a similar one.
func inAccount[A, R, T any](create func(context.Context, A, ...rpcfleet.CallOption) (R, error),
	find func(context.Context, A, ...rpcfleet.CallOption) (rpcfleet.Lookup[T], error), argument, similar A) creation {
	return created(false, func() error { return errOf(create(background, argument)) },
		func() (rpcfleet.Lookup[T], error) { return find(background, similar) })
}

// onEndpoint is inAccount for methods that take the id of an endpoint before.
func onEndpoint[A, R, T any](a *account, create func(context.Context, string, A, ...rpcfleet.CallOption) (R, error),
	find func(context.Context, string, A, ...rpcfleet.CallOption) (rpcfleet.Lookup[T], error),
	argument, similar A) creation {
	return created(false, func() error { return errOf(create(background, a.endpoint, argument)) },
		func() (rpcfleet.Lookup[T], error) { return find(background, a.endpoint, similar) })
}

// creations are the creates of an account that a lookup exists for.
func creations(a *account) map[string]creation {
	tag := func() error { return a.Endpoints.AddTag(background, a.endpoint, "idle") }
	return map[string]creation{
		"Endpoints.Create": inAccount(a.Endpoints.Create, a.Endpoints.FindCreated, anEndpoint, anEndpoint),
		"Endpoints.AddTag": created(true, tag, func() (rpcfleet.Lookup[admin.EndpointTag], error) {
			return a.Endpoints.FindAddedTag(background, a.endpoint, "idle")
		}),
		"Endpoints.AddTag, in the account": created(true, tag, func() (rpcfleet.Lookup[admin.Tag], error) {
			return a.Tags.FindCreated(background, "idle")
		}),
		"Teams.Create": inAccount(a.Teams.Create, a.Teams.FindCreated, "Core", "Core"),
		"Teams.Invite": created(true, func() error { return errOf(a.Teams.Invite(background, a.team, anInvitation)) },
			func() (rpcfleet.Lookup[admin.TeamMember], error) {
				return a.Teams.FindInvited(background, a.team, "New@example.com")
			}),
		"RateLimits.CreateMethodLimit": onEndpoint(a, a.RateLimits.CreateMethodLimit, a.RateLimits.FindCreatedMethodLimit,
			aMethodLimit, theSameLimit),
		"Destinations.Create": inAccount(a.Destinations.Create, a.Destinations.FindCreated, aDestination, aDestination),
		"Notifications.Create": inAccount(a.Notifications.Create, a.Notifications.FindCreated, aNotification,
			aNotification),
		"Security.CreateToken": created(false, func() error { return errOf(a.Security.CreateToken(background, a.endpoint)) },
			func() (rpcfleet.Lookup[admin.EndpointToken], error) {
				return a.Security.FindCreatedToken(background, a.endpoint)
			}),
		"Security.AddJWT": onEndpoint(a, a.Security.AddJWT, a.Security.FindAddedJWT, aJWT, aJWT),
		"Security.AddReferrer": onEndpoint(a, a.Security.AddReferrer, a.Security.FindAddedReferrer,
			"example.com", "Example.com"),
		"Security.AddIP": onEndpoint(a, a.Security.AddIP, a.Security.FindAddedIP, "2001:db8::1", "2001:DB8::1"),
		"Security.AddDomainMask": onEndpoint(a, a.Security.AddDomainMask, a.Security.FindAddedDomainMask,
			"rpc.example.com", "RPC.example.com"),
		"Security.AddRequestFilter": onEndpoint(a, a.Security.AddRequestFilter, a.Security.FindAddedRequestFilter,
			someMethods, theSameMethods),
	}
}
