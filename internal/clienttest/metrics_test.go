package clienttest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestMetrics(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":[
		{"tag":"eth_call","data":[[1772359200,3],[1772359260,0],[1772359320,null]]},
		{"tag":null,"data":null},{}]}`))
	series, err := client.Metrics.Endpoint(t.Context(), "ep1", admin.GetEndpointMetricsParams{
		Period: admin.MetricsPeriodHour, Metric: admin.EndpointMetricNameMethodCallsOverTime,
	})
	require.NoError(t, err)
	require.Len(t, series, 3)
	assert.Equal(t, "eth_call", series[0].Tag)
	points := series[0].Points
	require.Len(t, points, 3)
	assert.Equal(t, time.Date(2026, time.March, 1, 10, 0, 0, 0, time.UTC), points[0].Time)
	assert.Equal(t, new(3.0), points[0].Value)
	assert.Equal(t, new(0.0), points[1].Value)
	assert.Nil(t, points[2].Value, "not measured is not 0")
	assert.Equal(t, []rpcfleet.MetricSeries{{}, {}}, series[1:])

	_, err = client.Metrics.Account(t.Context(), admin.GetAccountMetricsParams{
		Period: admin.MetricsPeriodMonth, Metric: admin.AccountMetricNameCreditsOverTime, Percentile: new("p95"),
	})
	require.NoError(t, err)

	sent := server.Requests()
	assert.Equal(t, "/v0/endpoints/ep1/metrics?period=hour&metric=method_calls_over_time", sent[0].Path+"?"+sent[0].Query)
	assert.Equal(t, "/v0/metrics?period=month&metric=credits_over_time&percentile=p95", sent[1].Path+"?"+sent[1].Query)
}

// TestMetricsWithArraysForTags is what the service was seen to send: plain texts and arrays in one response.
func TestMetricsWithArraysForTags(t *testing.T) {
	client, _ := scripted(t, says(200, `{"data":[
		{"tag":"total","data":[[1772359200,3]]},
		{"tag":["network","arbitrum-mainnet"],"data":[[1772359200,1]]},
		{"tag":["network","base-mainnet"],"data":[[1772359200,2]]},
		{"tag":["a","b","c"]},{"tag":["alone"]},{"tag":[]},{"tag":200},{"tag":["status",200,null]},{"tag":null},{}]}`))
	series, err := client.Metrics.Endpoint(t.Context(), "ep1", admin.GetEndpointMetricsParams{
		Period: admin.MetricsPeriodHour, Metric: admin.EndpointMetricNameMeteredEndpointCreditsOverTime,
	})
	require.NoError(t, err)
	var got [][]string
	for _, one := range series {
		got = append(got, append([]string{one.Tag}, one.Tags...))
	}
	assert.Equal(t, [][]string{
		{"total", "total"},
		{"network:arbitrum-mainnet", "network", "arbitrum-mainnet"},
		{"network:base-mainnet", "network", "base-mainnet"},
		{"a:b:c", "a", "b", "c"}, {"alone", "alone"}, {""}, {"200", "200"}, {"status:200:", "status", "200", ""}, {""}, {""},
	}, got)
	for i, value := range []float64{3, 1, 2} {
		assert.Equal(t, &value, series[i].Points[0].Value)
	}
}

func TestAMetricTagOfAnotherKindIsATypedError(t *testing.T) {
	client, _ := scripted(t, says(200, `{"data":[{"tag":{"kind":"network"},"data":[]}]}`))
	_, err := client.Metrics.Account(t.Context(), admin.GetAccountMetricsParams{
		Period: admin.MetricsPeriodDay, Metric: admin.AccountMetricNameCreditsOverTime,
	})
	var unreadable *rpcfleet.DecodeError
	require.ErrorAs(t, err, &unreadable)
	assert.Equal(t, "getAccountMetrics", unreadable.Operation)
}

func TestNoMetrics(t *testing.T) {
	client, _ := scripted(t, says(200, `{"data":null}`))
	series, err := client.Metrics.Account(t.Context(), admin.GetAccountMetricsParams{
		Period: admin.MetricsPeriodDay, Metric: admin.AccountMetricNameCreditsOverTime,
	})
	require.NoError(t, err)
	assert.Empty(t, series)
}

func TestMetricsAreCheckedByLevel(t *testing.T) {
	endpoint := func(id string, params admin.GetEndpointMetricsParams) func(context.Context, *rpcfleet.Client) error {
		return func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Metrics.Endpoint(ctx, id, params)
			return err
		}
	}
	account := func(params admin.GetAccountMetricsParams) func(context.Context, *rpcfleet.Client) error {
		return func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Metrics.Account(ctx, params)
			return err
		}
	}
	const day, calls = admin.MetricsPeriodDay, admin.EndpointMetricNameMethodCallsOverTime
	for name, test := range map[string]struct {
		field string
		call  func(context.Context, *rpcfleet.Client) error
	}{
		"no endpoint":                 {"id", endpoint("", admin.GetEndpointMetricsParams{Period: day, Metric: calls})},
		"no period":                   {"period", endpoint("ep1", admin.GetEndpointMetricsParams{Metric: calls})},
		"a period outside the enum":   {"period", endpoint("ep1", admin.GetEndpointMetricsParams{Period: "year", Metric: calls})},
		"no metric":                   {"metric", endpoint("ep1", admin.GetEndpointMetricsParams{Period: day})},
		"a metric outside the enum":   {"metric", endpoint("ep1", admin.GetEndpointMetricsParams{Period: day, Metric: "beauty"})},
		"no period of the account":    {"period", account(admin.GetAccountMetricsParams{Metric: "credits_over_time"})},
		"no metric of the account":    {"metric", account(admin.GetAccountMetricsParams{Period: day})},
		"a metric of endpoints alone": {"metric", account(admin.GetAccountMetricsParams{Period: day, Metric: "response_time_over_time"})},
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, says(200, `{"data":[]}`))
			var broken *rpcfleet.ValidationError
			require.ErrorAs(t, test.call(t.Context(), client), &broken)
			assert.Equal(t, test.field, broken.Field)
			assert.Empty(t, server.Requests())
		})
	}
}
