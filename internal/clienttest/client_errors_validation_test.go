package clienttest

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestWhatNewSays has the errors of New whole, none of which brings a client.
func TestWhatNewSays(t *testing.T) {
	key := rpcfleet.WithAPIKey(testKey)
	at := func(address string) []rpcfleet.Option { return []rpcfleet.Option{key, rpcfleet.WithBaseURL(address)} }
	for _, test := range []struct {
		options []rpcfleet.Option
		want    string
	}{
		{[]rpcfleet.Option{key}, "base URL is required: see WithBaseURL"},
		{at("https://a b"), "base URL must be an absolute URL"},
		{at("api.example.com"), "base URL must be an absolute http or https URL"},
		{at("https://"), "base URL must be an absolute http or https URL"},
		{at("https://me@api.example.com"), "base URL must not carry a user or a password"},
		{at("https://api.example.com?a=b"), "base URL must not have a query or a fragment"},
		{at("https://api.example.com?"), "base URL must not have a query or a fragment"},
		{at("https://api.example.com#a"), "base URL must not have a query or a fragment"},
		{at("http://api.example.com"), "base URL must use https: plain http would show the key to the network (see WithInsecureHTTP)"},
		{[]rpcfleet.Option{rpcfleet.WithBaseURL("https://api.example.com")}, "API key is required: see WithAPIKey and WithCredentialSource"},
		{[]rpcfleet.Option{rpcfleet.WithAPIKey("")}, "API key must not be empty"},
		{[]rpcfleet.Option{rpcfleet.WithAPIKey("a b")}, "API key must be printable ASCII without spaces or line ends"},
		{[]rpcfleet.Option{rpcfleet.WithBearerToken("")}, "bearer token must not be empty"},
		{[]rpcfleet.Option{rpcfleet.WithCredentialSource(nil)}, "credential source must not be nil"},
		{[]rpcfleet.Option{rpcfleet.WithHTTPClient(nil)}, "HTTP client must not be nil"},
		{[]rpcfleet.Option{rpcfleet.WithAlertsPath("a")}, `alerts path must be a plain absolute path, not "a"`},
		{[]rpcfleet.Option{rpcfleet.WithGraphPath("a")}, `graph path must be a plain absolute path, not "a"`},
		{[]rpcfleet.Option{rpcfleet.WithUserAgent("ü")}, `user agent must be printable ASCII, not "ü"`},
		{[]rpcfleet.Option{nil}, "option must not be nil"},
		{[]rpcfleet.Option{rpcfleet.WithTimeout(-time.Second)}, "timeout must not be negative, not -1s"},
		{[]rpcfleet.Option{rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{})}, "MaxAttempts must be at least 1, not 0"},
		{[]rpcfleet.Option{rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1, BaseDelay: -1})}, "retry policy must not have negative delays"},
		{[]rpcfleet.Option{rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1, MaxDelay: -1})}, "retry policy must not have negative delays"},
		{[]rpcfleet.Option{rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 1, MaxRetryAfter: -1})}, "retry policy must not have negative delays"},
		{[]rpcfleet.Option{rpcfleet.WithMaxBodySize(0)}, "maximum body size must be at least 1, not 0"},
		{[]rpcfleet.Option{rpcfleet.WithPageSize(0)}, "page size must be at least 1, not 0"},
		{[]rpcfleet.Option{rpcfleet.WithPrefetch(-1)}, "pages to prefetch must not be negative, not -1"},
		{[]rpcfleet.Option{rpcfleet.WithObserver(nil)}, "observer must not be nil"},
		{[]rpcfleet.Option{rpcfleet.WithAttemptObserver(nil)}, "attempt observer must not be nil"},
		{[]rpcfleet.Option{rpcfleet.WithDrift(nil)}, "drift function must not be nil"},
		{[]rpcfleet.Option{rpcfleet.WithUnlistedNetworks()}, "unlisted networks must have at least one item"},
	} {
		client, err := rpcfleet.New(test.options...)
		require.EqualError(t, err, "rpcfleet: "+test.want)
		assert.Nil(t, client)
	}
}

// TestWhatAValidationErrorSays has the errors of calls whole: operation, field, rule and value.
func TestWhatAValidationErrorSays(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":{}}`))
	ctx := t.Context()
	var none context.Context
	for want, err := range map[string]error{
		"getEndpoint: context must not be nil":                          second(client.Endpoints.Get(none, "ep1")),
		"addIP: ip is required":                                         second(client.Security.AddIP(ctx, "ep1", "")),
		"getEndpoint: id must not be empty":                             second(client.Endpoints.Get(ctx, "")),
		`getEndpoint: id must not be a dot segment, not ".."`:           second(client.Endpoints.Get(ctx, "..")),
		`createTeam: name must have at least 4 characters, not "abc"`:   second(client.Teams.Create(ctx, "abc")),
		`deleteRateLimitOverride: override_id must be a UUID, not "u1"`: client.RateLimits.RemoveOverride(ctx, "ep1", "u1"),
		"updateRateLimits: rate_limits.rps must be at least 1, not 0": second(
			client.RateLimits.Update(ctx, "ep1", admin.RateLimitOverrides{RPS: new(0)})),
		"updateRateLimits: rate_limits needs at least one of rps, rpm, rpd": second(
			client.RateLimits.Update(ctx, "ep1", admin.RateLimitOverrides{})),
		`listLogs: from must not be after to, not "2026-11-01T12:00:00.5Z"`: second(client.Logs.List(ctx, "ep1", admin.ListLogsParams{
			From: scalar.Time{Time: time.Date(2026, 11, 1, 13, 0, 0, 5e8, time.FixedZone("", 3600))},
			To:   scalar.NewTime(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)),
		})),
		"backtestExpression: backtest_count must be at most 20, not 21": second(client.Expressions.Backtest(ctx, alerts.BacktestExpressionRequest{
			Expression: "dHJ1ZQ==", Network: "ethereum-mainnet", BacktestCount: 21,
		})),
		"createDestination: payload_type must be from 1 to 7, not 8": second(client.Destinations.Create(ctx, alerts.CreateDestinationRequest{
			Name: "n", ToURL: scalar.NewSecretURL("https://hooks.example/1"), WebhookType: alerts.WebhookTypePOST,
			Service: alerts.DestinationServiceWebhook, PayloadType: 8,
		})),
		`GetNFT: tokenId must not be negative, not "-1"`: second(client.Graph.NFT(ctx, graph.Ethereum, "0x1", scalar.NewBigInt(big.NewInt(-1)))),
	} {
		require.EqualError(t, err, "rpcfleet: "+want)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		require.NotErrorIs(t, err, rpcfleet.ErrConnection)
		require.Equal(t, "invalid_request", rpcfleet.Outcome{Err: err}.Class())
	}
	_, err := rpcfleet.Do[string](ctx, client, rpcfleet.Request{Operation: "op", Method: "POST", Path: "/v0/notes", Body: unsayable{}})
	// What the JSON library says in between differs from process to process.
	assert.Regexp(t, `^rpcfleet: op: request cannot be built: json: .* clienttest\.unsayable: no https://a\.example\.com/\[redacted\]$`, err.Error())
	assert.Empty(t, server.Requests())
	_, err = client.Graph.NFT(ctx, graph.Ethereum, "0x1", scalar.NewBigInt(big.NewInt(0)))
	assert.NotContains(t, err.Error(), "negative")
	_, err = rpcfleet.New(rpcfleet.WithAlertsPath(strings.Repeat("long ", 900)))
	var invalid *rpcfleet.ValidationError
	require.ErrorAs(t, err, &invalid)
	assert.Equal(t, strings.Repeat("long ", 900)[:4<<10]+"…", invalid.Value)
}

// unsayable is a body whose error quotes a secret.
type unsayable struct{}

func (unsayable) MarshalJSON() ([]byte, error) {
	return nil, errors.New("no https://a.example.com/" + leakedToken)
}
