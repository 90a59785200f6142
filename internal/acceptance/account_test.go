package acceptance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// present is the time at which the emulators of these tests stand still, if the time matters.
var present = time.Date(2026, time.March, 10, 9, 30, 0, 0, time.UTC)

func still() time.Time { return present }

// TestUsage_reportsAgree compares the five reports with each other. Their counts, and the range if none is given, are
// tested in package emulator; the difference between null and zero, in the root.
func TestUsage_reportsAgree(t *testing.T) {
	b, ctx := start(t, emulator.WithClock(still)), t.Context()
	tagged := must(b.AddEndpoint(emulator.EndpointSpec{Chain: "eth", Network: "mainnet", Tags: []string{"backend"}}))(t)
	plain := must(b.AddEndpoint(emulator.EndpointSpec{Chain: "sol", Network: "solana-mainnet", Label: "plain"}))(t)
	require.NoError(t, second(b.AppendLog(tagged, emulator.LoggedCall{Method: "eth_call", Archive: true},
		emulator.LoggedCall{Method: "eth_getLogs", Timestamp: present.AddDate(0, -2, 0)})))
	require.NoError(t, second(b.AppendLog(plain, emulator.LoggedCall{Method: "someday"})))
	for _, within := range []admin.GetUsageParams{{}, {StartTime: present.AddDate(-1, 0, 0), EndTime: present}} {
		total := must(b.Usage.Total(ctx, within))(t).CreditsUsed
		assert.Positive(t, total)
		tags := must(b.Usage.ByTag(ctx, within))(t).Tags
		require.Len(t, tags, 2)
		assert.Equal(t, "backend", tags[0].Label)
		assert.Nil(t, tags[1].TagID, "the endpoints without a tag")
		assert.Equal(t, []int64{1, 20}, []int64{tags[1].Requests, tags[1].CreditsUsed}, "a method that is not listed")
		assert.Equal(t, total, tags[0].CreditsUsed+tags[1].CreditsUsed)
		endpoints := must(b.Usage.ByEndpoint(ctx, within))(t).Endpoints
		require.Len(t, endpoints, 2)
		assert.Equal(t, total, endpoints[0].CreditsUsed+endpoints[1].CreditsUsed)
		listed := must(b.Endpoints.List(ctx, admin.ListEndpointsParams{TagLabels: []string{"backend"}}))(t).Items
		assert.Equal(t, listed[0].Name, endpoints[0].Name)
		chains := must(b.Usage.ByChain(ctx, within))(t).Chains
		require.Len(t, chains, 2)
		assert.Equal(t, "eth", chains[0].Name)
		assert.Equal(t, total, chains[0].CreditsUsed+chains[1].CreditsUsed)
		for _, method := range must(b.Usage.ByMethod(ctx, within))(t).Methods {
			total -= method.CreditsUsed
		}
		assert.Zero(t, total)
	}
}

// total adds up a series.
func total(t *testing.T, series admin.EndpointMetric) (sum float64) {
	t.Helper()
	require.NotEmpty(t, series.Tag)
	for i, point := range series.Data {
		require.False(t, point.Time.IsZero())
		require.NotNil(t, point.Value)
		if i > 0 {
			assert.True(t, point.Time.After(series.Data[i-1].Time))
		}
		sum += *point.Value
	}
	return sum
}

func TestMetrics_ofEndpoint(t *testing.T) {
	b := start(t, emulator.WithClock(still))
	endpoints := b.CreateEndpoints(2)
	for i, endpoint := range endpoints {
		for n := range 4 * (i + 1) {
			entry := emulator.LoggedCall{Method: "eth_call", ResponseTime: 40 * time.Millisecond,
				Timestamp: present.Add(-time.Duration(n) * time.Minute)}
			if n == 0 {
				entry.Status, entry.ErrorCode = 500, new(-32000)
			}
			require.NoError(t, second(b.AppendLog(endpoint, entry)))
		}
	}
	sums := map[admin.EndpointMetricName]map[string]float64{ // The others have some values.
		admin.EndpointMetricNameMethodCallsOverTime:            {"eth_call": 4},
		admin.EndpointMetricNameMeteredEndpointCreditsOverTime: {"network:mainnet": 80},
		admin.EndpointMetricNameResponseStatusOverTime:         {"200": 3, "500": 1},
		admin.EndpointMetricNameResponseStatusBreakdown:        {"200": 3, "500": 1},
		admin.EndpointMetricNameRequestErrorsOverTime:          {"eth_call": 1},
		admin.EndpointMetricNameTotalRequestErrorsOverTime:     {"total": 1},
	}
	for _, period := range admin.MetricsPeriod("").Values() {
		for _, metric := range admin.EndpointMetricName("").Values() {
			got := map[string]float64{}
			for _, series := range must(b.Metrics.Endpoint(t.Context(), endpoints[0],
				admin.GetEndpointMetricsParams{Period: period, Metric: metric}))(t) {
				got[string(series.Tag)] = total(t, series)
			}
			assert.NotEmpty(t, got, "%s %s", metric, period)
			if want, known := sums[metric]; known {
				assert.Equal(t, want, got, "%s %s", metric, period)
			}
		}
		for _, metric := range admin.AccountMetricName("").Values() {
			series := must(b.Metrics.Account(t.Context(),
				admin.GetAccountMetricsParams{Period: period, Metric: metric, Percentile: new("p95")}))(t)
			require.NotEmpty(t, series)
			if metric == admin.AccountMetricNameMethodCallsOverTime {
				assert.InDelta(t, 12, total(t, series[0]), 0, "the calls of both endpoints")
			}
		}
	}
}

func TestMetrics_prometheus(t *testing.T) {
	b := start(t, emulator.WithClock(still), emulator.WithPlan(emulator.PlanEnterprise))
	require.NoError(t, second(b.AppendLog(b.CreateEndpoints(1)[0], emulator.LoggedCall{Method: "eth_call", Timestamp: present})))
	text := string(must(b.Metrics.Prometheus(t.Context()))(t))
	assert.Contains(t, text, "# TYPE method_calls_over_time gauge\nmethod_calls_over_time{tag=\"eth_call\"} 1\n")
	build := start(t, emulator.WithPlan(emulator.PlanBuild))
	require.ErrorIs(t, second(build.Metrics.Prometheus(t.Context())), rpcfleet.ErrForbidden)
}
