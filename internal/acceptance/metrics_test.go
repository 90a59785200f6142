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

var periods = []admin.MetricsPeriod{
	admin.MetricsPeriodHour, admin.MetricsPeriodDay, admin.MetricsPeriodWeek, admin.MetricsPeriodMonth,
}

// total adds up a series.
func total(t *testing.T, series rpcfleet.MetricSeries) (sum float64) {
	t.Helper()
	require.NotEmpty(t, series.Tag)
	for i, point := range series.Points {
		require.False(t, point.Time.IsZero())
		require.NotNil(t, point.Value)
		if i > 0 {
			assert.True(t, point.Time.After(series.Points[i-1].Time))
		}
		sum += *point.Value
	}
	return sum
}

func TestEndpointMetrics(t *testing.T) {
	now := time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)
	b := start(t, emulator.WithClock(func() time.Time { return now }))
	endpoints := b.CreateEndpoints(2)
	for i, endpoint := range endpoints {
		for n := range 4 * (i + 1) {
			entry := emulator.LoggedCall{
				Timestamp: now.Add(-time.Duration(n) * time.Minute), Method: "eth_call", ResponseTime: 40 * time.Millisecond,
			}
			if n == 0 {
				entry.Status, entry.ErrorCode = 500, new(-32000)
			}
			require.NoError(t, second(b.AppendLog(endpoint, entry)))
		}
	}

	sums := map[admin.EndpointMetricName]map[string]float64{
		admin.EndpointMetricNameMethodCallsOverTime:            {"eth_call": 4},
		admin.EndpointMetricNameMeteredEndpointDataOverTime:    nil,
		admin.EndpointMetricNameMeteredEndpointCreditsOverTime: {"network:ethereum-mainnet": 80},
		admin.EndpointMetricNameCreditsOverTime:                nil,
		admin.EndpointMetricNameResponseStatusOverTime:         {"200": 3, "500": 1},
		admin.EndpointMetricNameResponseStatusBreakdown:        {"200": 3, "500": 1},
		admin.EndpointMetricNameResponseTimeOverTime:           nil,
		admin.EndpointMetricNameMethodResponseTimeMax:          nil,
		admin.EndpointMetricNameRequestErrorsOverTime:          {"eth_call": 1},
		admin.EndpointMetricNameTotalRequestErrorsOverTime:     {"total": 1},
	}
	for metric, want := range sums {
		for _, period := range periods {
			t.Run(string(metric)+" "+string(period), func(t *testing.T) {
				series := must(b.Metrics.Endpoint(t.Context(), endpoints[0],
					admin.GetEndpointMetricsParams{Period: period, Metric: metric}))(t)
				got := map[string]float64{}
				for _, s := range series {
					got[s.Tag] = total(t, s)
				}
				if want == nil {
					assert.NotEmpty(t, got)
					return
				}
				assert.Equal(t, want, got)
			})
		}
	}
	for _, metric := range []admin.AccountMetricName{
		admin.AccountMetricNameMethodCallsOverTime, admin.AccountMetricNameMeteredEndpointDataOverTime,
		admin.AccountMetricNameMeteredEndpointCreditsOverTime, admin.AccountMetricNameCreditsOverTime,
	} {
		for _, period := range periods {
			params := admin.GetAccountMetricsParams{Period: period, Metric: metric, Percentile: new("p95")}
			series := must(b.Metrics.Account(t.Context(), params))(t)
			require.NotEmpty(t, series)
			if metric == admin.AccountMetricNameMethodCallsOverTime {
				assert.InDelta(t, 12, total(t, series[0]), 0, "the calls of both endpoints")
			}
		}
	}
}
