package rpcfleet_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// TestPathParametersThatWouldBeAnotherPath goes through the operations whose paths have texts in them. Where such a
// text is empty or made of dots, the request would go to another path: nothing is sent, whatever the options say.
func TestPathParametersThatWouldBeAnotherPath(t *testing.T) {
	type options = []rpcfleet.CallOption
	client, server := scripted(t, says(200, `{"data":{}}`))
	endpoints, security, limits := client.Endpoints, client.Security, client.RateLimits
	for parameter, calls := range map[string]map[string]func(ctx context.Context, id string, opts options) error{
		"id": {
			"getEndpoint":       returns(endpoints.Get),
			"archiveEndpoint":   ends(endpoints.Archive),
			"getEndpointURLs":   returns(endpoints.URLs),
			"enableMultichain":  ends(endpoints.EnableMultichain),
			"disableMultichain": ends(endpoints.DisableMultichain),
			"updateEndpoint": func(ctx context.Context, id string, opts options) error {
				return endpoints.Update(ctx, id, admin.UpdateEndpointRequest{}, opts...)
			},
			"setEndpointStatus": ends(endpoints.Pause),
			"addEndpointTag": func(ctx context.Context, id string, opts options) error {
				return endpoints.AddTag(ctx, id, "a", opts...)
			},
			"removeEndpointTag": func(ctx context.Context, id string, opts options) error {
				return endpoints.RemoveTag(ctx, id, 7, opts...)
			},
			"getEndpointSecurity":  returns(security.Get),
			"getSecurityOptions":   returns(security.Options),
			"createToken":          returns(security.CreateToken),
			"removeIPCustomHeader": ends(security.RemoveIPCustomHeader),
			"getRateLimits":        returns(limits.Get),
			"listMethodRateLimits": returns(limits.ListMethodLimits),
			"getDestination":       returns(client.Destinations.Get),
			"deleteDestination":    ends(client.Destinations.Delete),
			"getNotification":      returns(client.Notifications.Get),
			"deleteNotification":   ends(client.Notifications.Delete),
			"enableNotification":   ends(client.Notifications.Enable),
			"disableNotification":  ends(client.Notifications.Disable),
			"createMethodRateLimit": func(ctx context.Context, id string, opts options) error {
				limit := admin.CreateMethodRateLimitRequest{Interval: "day", Methods: []string{"eth_call"}, Rate: 1}
				return second(limits.CreateMethodLimit(ctx, id, limit, opts...))
			},
			"updateNotification": func(ctx context.Context, id string, opts options) error {
				return second(client.Notifications.Update(ctx, id, alerts.UpdateNotificationRequest{}, opts...))
			},
			"listNotificationEvents": func(ctx context.Context, id string, opts options) error {
				return second(client.Notifications.Events(ctx, id, alerts.ListNotificationEventsParams{}, opts...))
			},
		},
		"token_id":       {"deleteToken": within(security.DeleteToken)},
		"ip_id":          {"removeIP": within(security.RemoveIP)},
		"referrer_id":    {"removeReferrer": within(security.RemoveReferrer)},
		"domain_mask_id": {"removeDomainMask": within(security.RemoveDomainMask)},
		"jwt_id":         {"removeJWT": within(security.RemoveJWT)},
		"request_filter_id": {
			"removeRequestFilter": within(security.RemoveRequestFilter),
			"updateRequestFilter": func(ctx context.Context, id string, opts options) error {
				return security.UpdateRequestFilter(ctx, "ep1", id, []string{"eth_call"}, opts...)
			},
		},
		"override_id": {"deleteRateLimitOverride": within(limits.RemoveOverride)},
		"method_rate_limit_id": {
			"deleteMethodRateLimit": within(limits.DeleteMethodLimit),
			"updateMethodRateLimit": func(ctx context.Context, id string, opts options) error {
				change := admin.UpdateMethodRateLimitRequest{Rate: new(1)}
				return second(limits.UpdateMethodLimit(ctx, "ep1", id, change, opts...))
			},
		},
	} {
		for operation, call := range calls {
			for _, id := range []string{"", ".", ".."} {
				for _, opts := range []options{nil, {rpcfleet.WithoutValidation()}} {
					var invalid *rpcfleet.ValidationError
					require.ErrorAs(t, call(t.Context(), id, opts), &invalid, "%s: %q", operation, id)
					assert.Equal(t, operation, invalid.Operation)
					assert.Equal(t, parameter, invalid.Field, operation)
				}
			}
		}
	}
	assert.Empty(t, server.Requests())
}

// returns is a method of an id that returns a record; ends is one that returns none.
func returns[T any](method func(context.Context, string, ...rpcfleet.CallOption) (T, error)) func(context.Context, string, []rpcfleet.CallOption) error {
	return func(ctx context.Context, id string, opts []rpcfleet.CallOption) error {
		return second(method(ctx, id, opts...))
	}
}

func ends(method func(context.Context, string, ...rpcfleet.CallOption) error) func(context.Context, string, []rpcfleet.CallOption) error {
	return func(ctx context.Context, id string, opts []rpcfleet.CallOption) error {
		return method(ctx, id, opts...)
	}
}

// within is a method of an endpoint and an id within it.
func within(method func(context.Context, string, string, ...rpcfleet.CallOption) error) func(context.Context, string, []rpcfleet.CallOption) error {
	return func(ctx context.Context, id string, opts []rpcfleet.CallOption) error {
		return method(ctx, "ep1", id, opts...)
	}
}
