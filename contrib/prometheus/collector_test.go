package fleetprometheus_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/common/expfmt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	fleetprometheus "github.com/rpcfleet/rpcfleet-go/contrib/prometheus"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// measured returns a client of an emulator, and the collector that measures it.
func measured(t *testing.T, service *emulator.Emulator, more ...rpcfleet.ClientOption) (*rpcfleet.Client,
	*fleetprometheus.Collector) {
	t.Helper()
	t.Cleanup(service.Close)
	collector := fleetprometheus.NewCollector(fleetprometheus.Options{})
	client, err := rpcfleet.New(append(append(collector.ClientOptions(), rpcfleet.WithBaseURL(emulator.ClientURL),
		rpcfleet.WithHTTPClient(service.Client()), rpcfleet.WithAPIKey(service.APIKey),
		rpcfleet.WithRetryPolicy(
			rpcfleet.RetryPolicy{MaxAttempts: 2, BaseDelay: time.Millisecond, MaxDelay: time.Millisecond})), more...)...)
	require.NoError(t, err)
	return client, collector
}

func expect(t *testing.T, collector prometheus.Collector, want string, names ...string) {
	t.Helper()
	assert.NoError(t, testutil.CollectAndCompare(collector, strings.NewReader(want), names...))
}

type slow struct{}

func (slow) Wait(context.Context) error {
	time.Sleep(time.Millisecond)
	return nil
}

func TestCollector_countsCallsAttemptsAndRetries(t *testing.T) {
	service := emulator.New(emulator.WithFaults(
		emulator.Fault{Operation: "listTags", Times: 1, Status: 503},
		emulator.Fault{Operation: "listTags", Times: 1, Effect: emulator.EffectLoseResponse},
	))
	client, collector := measured(t, service, rpcfleet.WithPacer(slow{}))
	_, err := client.Tags.List(t.Context())
	require.Error(t, err)
	for range 2 {
		_, err = client.Endpoints.Get(t.Context(), "ep-secret")
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
	expect(t, collector, `
		# HELP rpcfleet_attempts_total Attempts that have ended.
		# TYPE rpcfleet_attempts_total counter
		rpcfleet_attempts_total{operation="getEndpoint",status="404"} 2
		rpcfleet_attempts_total{operation="listTags",status="503"} 1
		rpcfleet_attempts_total{operation="listTags",status="none"} 1
		# HELP rpcfleet_calls_total Calls that have ended.
		# TYPE rpcfleet_calls_total counter
		rpcfleet_calls_total{operation="getEndpoint",outcome="not_found",status="404"} 2
		rpcfleet_calls_total{operation="listTags",outcome="connection_failed",status="503"} 1
		# HELP rpcfleet_retries_total Attempts that were retried.
		# TYPE rpcfleet_retries_total counter
		rpcfleet_retries_total{operation="listTags"} 1
	`, "rpcfleet_attempts_total", "rpcfleet_calls_total", "rpcfleet_retries_total")
	assert.Equal(t, 2, testutil.CollectAndCount(collector, "rpcfleet_call_duration_seconds"))
	assert.Equal(t, 3, testutil.CollectAndCount(collector, "rpcfleet_attempt_duration_seconds"))
	assert.Equal(t, 2, testutil.CollectAndCount(collector, "rpcfleet_pacer_wait_seconds_total"))
	problems, err := testutil.CollectAndLint(collector)
	require.NoError(t, err)
	assert.Empty(t, problems)
	text, err := testutil.CollectAndFormat(collector, expfmt.TypeTextPlain)
	require.NoError(t, err)
	for _, secret := range []string{"ep-secret", service.APIKey} {
		assert.NotContains(t, string(text), secret)
	}
}

func TestCollector_reportsRateLimit(t *testing.T) {
	client, collector := measured(t, emulator.New(emulator.WithPlan(emulator.Plan{PerSecond: 50}),
		emulator.WithClock(func() time.Time { return time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC) })))
	for range 3 {
		_, err := client.Tags.List(t.Context())
		require.NoError(t, err)
	}
	expect(t, collector, `
		# HELP rpcfleet_rate_limit Request limit, as last reported.
		# TYPE rpcfleet_rate_limit gauge
		rpcfleet_rate_limit{window="second"} 50
		# HELP rpcfleet_rate_limit_remaining Remaining requests of the limit, as last reported.
		# TYPE rpcfleet_rate_limit_remaining gauge
		rpcfleet_rate_limit_remaining{window="second"} 47
	`, "rpcfleet_rate_limit", "rpcfleet_rate_limit_remaining")
}

func TestCollector_boundsOwnOperationNames(t *testing.T) {
	collector := fleetprometheus.NewCollector(fleetprometheus.Options{})
	for i := range 1000 {
		_, ended := collector.ObserveCall(t.Context(), rpcfleet.Operation{ID: fmt.Sprint("Mine", i)})
		ended(rpcfleet.CallResult{})
	}
	assert.Equal(t, 101, testutil.CollectAndCount(collector, "rpcfleet_calls_total"), "with other")
}

func TestCollector_boundsStatuses(t *testing.T) {
	collector := fleetprometheus.NewCollector(fleetprometheus.Options{})
	for status := range 1000 {
		_, ended := collector.ObserveAttempt(t.Context(), rpcfleet.Attempt{})
		ended(rpcfleet.AttemptResult{StatusCode: status})
	}
	assert.Less(t, testutil.CollectAndCount(collector, "rpcfleet_attempts_total"), 80)
}

func TestCollector_twoInOneRegistry(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	for _, account := range []string{"a", "b"} {
		options := fleetprometheus.Options{ConstLabels: prometheus.Labels{"account": account}, Buckets: []float64{1}}
		collector := fleetprometheus.NewCollector(options)
		require.NoError(t, registry.Register(collector))
		_, ended := collector.ObserveCall(t.Context(), rpcfleet.Operation{ID: "listTags"})
		ended(rpcfleet.CallResult{})
	}
	count, err := testutil.GatherAndCount(registry, "rpcfleet_calls_total")
	require.NoError(t, err)
	assert.Equal(t, 2, count)
}
