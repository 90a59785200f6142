package clienttest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const limiter = `{"id":"l-1","interval":"minute","methods":["eth_call"],"rate":10,"status":"enabled","created":"2026-03-10T09:30:00.123456Z"}`

// checkLimiter holds a record against the one above.
func checkLimiter(t *testing.T, got admin.MethodRateLimiter) {
	t.Helper()
	assert.Equal(t, admin.MethodRateLimiter{
		ID: "l-1", Interval: admin.RateLimitIntervalMinute, Methods: []string{"eth_call"}, Rate: 10,
		Status:  admin.SwitchEnabled,
		Created: scalar.NewTime(time.Date(2026, time.March, 10, 9, 30, 0, 123456000, time.UTC)),
	}, got)
}

func TestMethodLimits(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":`+limiter+`,"error":null}`))
	created, err := client.RateLimits.CreateMethodLimit(t.Context(), "ep1", admin.CreateMethodRateLimitRequest{
		Interval: admin.RateLimitIntervalMinute, Methods: []string{"eth_call"}, Rate: 10,
	})
	require.NoError(t, err)
	checkLimiter(t, *created)
	request := server.Requests()[0]
	assert.Equal(t, "POST", request.Method)
	assert.Equal(t, "/v0/endpoints/ep1/method-rate-limits", request.Path)
	assert.JSONEq(t, `{"interval":"minute","methods":["eth_call"],"rate":10}`, request.Body)

	client, _ = scripted(t, says(200, `{"data":{"rate_limiters":[`+limiter+`]},"error":null}`))
	list, err := client.RateLimits.ListMethodLimits(t.Context(), "ep1")
	require.NoError(t, err)
	require.Len(t, list, 1)
	checkLimiter(t, list[0])
}

func TestMethodLimitsOfNoEndpoint(t *testing.T) {
	client, _ := scripted(t, says(404, `{"data":{"rate_limiters":[]},"error":null}`))
	list, err := client.RateLimits.ListMethodLimits(t.Context(), "ep1")
	require.ErrorIs(t, err, rpcfleet.ErrNotFound, "the empty result is no response")
	assert.Empty(t, list)
}

func TestMethodLimitUpdates(t *testing.T) {
	for body, change := range map[string]admin.UpdateMethodRateLimitRequest{
		`{"rate":5}`:                               {Rate: new(5)},
		`{"status":"disabled"}`:                    {Status: new(admin.SwitchDisabled)},
		`{"methods":["a","b"]}`:                    {Methods: []string{"a", "b"}},
		`{"methods":["a"],"rate":0}`:               {Methods: []string{"a"}, Rate: new(0)},
		`{"status":"enabled","rate":1}`:            {Status: new(admin.SwitchEnabled), Rate: new(1)},
		`{"methods":["a"],"status":"x","rate":-1}`: {Methods: []string{"a"}, Status: new(admin.Switch("x")), Rate: new(-1)},
	} {
		client, server := scripted(t, says(200, `{"data":`+limiter+`,"error":null}`))
		var opts []rpcfleet.CallOption
		if change.Status != nil && !change.Status.Valid() {
			opts = append(opts, rpcfleet.WithoutValidation())
		}
		updated, err := client.RateLimits.UpdateMethodLimit(t.Context(), "ep1", "l-1", change, opts...)
		require.NoError(t, err)
		checkLimiter(t, *updated)
		request := server.Requests()[0]
		assert.Equal(t, "PATCH", request.Method)
		assert.Equal(t, "/v0/endpoints/ep1/method-rate-limits/l-1", request.Path)
		assert.JSONEq(t, body, request.Body)
	}
}

func TestMethodLimitDeletion(t *testing.T) {
	remove := func(ctx context.Context, c *rpcfleet.Client) error {
		return c.RateLimits.DeleteMethodLimit(ctx, "ep1", "l-1")
	}
	testSends(t, says(200, `{"data":"deleted"}`), map[string]sent{
		"DeleteMethodLimit": {remove, "DELETE", "/v0/endpoints/ep1/method-rate-limits/l-1", ""},
	})
	testVerdicts(t, map[string]use{"DeleteMethodLimit": remove})
}
