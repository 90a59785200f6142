package emulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type series struct {
	Tag  any          `json:"tag"` // A text, or an array of texts.
	Data [][2]float64 `json:"data"`
}

// busy has two endpoints with calls on them, of which the last two are long past.
func busy(t *testing.T) (*service, string, string) {
	s := startService(t)
	first, err := s.AddEndpoint(emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Label: "First"})
	require.NoError(t, err)
	second, err := s.AddEndpoint(emulator.EndpointSpec{Chain: "solana", Network: "solana-mainnet"})
	require.NoError(t, err)
	at := func(before time.Duration) time.Time { return start.Add(-before) }
	s.log(first,
		emulator.LoggedCall{Timestamp: at(0), Method: "eth_call", Request: "12345", Response: "67890", ResponseTime: 10 * time.Millisecond},
		emulator.LoggedCall{Timestamp: at(1), Method: "eth_call", Request: "1", ResponseTime: 20 * time.Millisecond, Response: "2"},
		emulator.LoggedCall{Timestamp: at(2), Method: "eth_call", Request: "1", ResponseTime: 45 * time.Millisecond, Response: "2"},
		emulator.LoggedCall{Timestamp: at(10 * time.Minute), Method: "eth_getLogs", Request: "1", Response: "2", ErrorCode: new(-32000),
			ResponseTime: 1500 * time.Microsecond},
		emulator.LoggedCall{Timestamp: at(3 * time.Hour), Method: "eth_getLogs", Request: "1", Response: "2", Status: 429},
		emulator.LoggedCall{Timestamp: at(5 * 24 * time.Hour), Method: "eth_chainId", Network: "base-mainnet", Request: "1", Response: "2"},
		emulator.LoggedCall{Timestamp: at(25 * 24 * time.Hour), Method: "eth_chainId", Request: "1", Response: "2", Archive: true},
	)
	s.log(second,
		emulator.LoggedCall{Timestamp: at(0), Method: "getProgramAccounts", Request: "1", Response: "2"},
		emulator.LoggedCall{Timestamp: at(400 * 24 * time.Hour), Method: "getSlot", Request: "1", Response: "2"},
	)
	return s, first, second
}

// network is the tag of a network, in metrics that name what their tags are of.
func network(slug string) any { return []any{"network", slug} }

// filled returns the points that are not 0.
func filled(all []series) []series {
	var kept []series
	for _, one := range all {
		short := series{Tag: one.Tag}
		for _, point := range one.Data {
			if point[1] != 0 {
				short.Data = append(short.Data, point)
			}
		}
		kept = append(kept, short)
	}
	return kept
}

func TestEndpointMetrics(t *testing.T) {
	s, id, _ := busy(t)
	unix := func(before time.Duration) float64 { return float64(start.Add(-before).Unix()) }
	now, lastMinute, tenAgo := unix(0), unix(time.Minute), unix(10*time.Minute)
	const day = 24 * time.Hour
	thisHour, today := unix(30*time.Minute), float64(start.Truncate(day).Unix())
	for _, metric := range []struct {
		period, metric string
		want           []series
	}{
		{"hour", "method_calls_over_time", []series{
			{"eth_call", [][2]float64{{lastMinute, 2}, {now, 1}}}, {"eth_getLogs", [][2]float64{{tenAgo, 1}}},
		}},
		{"day", "method_calls_over_time", []series{
			{"eth_call", [][2]float64{{thisHour, 3}}},
			{"eth_getLogs", [][2]float64{{thisHour - 3*3600, 1}, {thisHour, 1}}},
		}},
		{"week", "method_calls_over_time", []series{
			{"eth_call", [][2]float64{{today, 3}}},
			{"eth_chainId", [][2]float64{{today - 5*86400, 1}}},
			{"eth_getLogs", [][2]float64{{today, 2}}},
		}},
		{"month", "method_calls_over_time", []series{
			{"eth_call", [][2]float64{{today, 3}}},
			{"eth_chainId", [][2]float64{{today - 25*86400, 1}, {today - 5*86400, 1}}},
			{"eth_getLogs", [][2]float64{{today, 2}}},
		}},
		{"day", "metered_endpoint_data_over_time", []series{
			{network("ethereum-mainnet"), [][2]float64{{thisHour - 3*3600, 2}, {thisHour, 16}}},
		}},
		{"week", "metered_endpoint_credits_over_time", []series{
			{network("base-mainnet"), [][2]float64{{today - 5*86400, 20}}}, {network("ethereum-mainnet"), [][2]float64{{today, 210}}},
		}},
		{"week", "credits_over_time", []series{
			{"base", [][2]float64{{today - 5*86400, 20}}}, {"ethereum", [][2]float64{{today, 210}}},
		}},
		{"day", "response_status_over_time", []series{
			{"200", [][2]float64{{thisHour, 4}}}, {"429", [][2]float64{{thisHour - 3*3600, 1}}},
		}},
		{"day", "response_status_breakdown", []series{
			{"200", [][2]float64{{thisHour - 23*3600, 4}}}, {"429", [][2]float64{{thisHour - 23*3600, 1}}},
		}},
		{"hour", "response_time_over_time", []series{
			{"eth_call", [][2]float64{{lastMinute, 32.5}, {now, 10}}}, {"eth_getLogs", [][2]float64{{tenAgo, 1.5}}},
		}},
		{"hour", "method_response_time_max", []series{
			{"eth_call", [][2]float64{{lastMinute, 45}, {now, 10}}}, {"eth_getLogs", [][2]float64{{tenAgo, 1.5}}},
		}},
		{"day", "request_errors_over_time", []series{
			{"eth_getLogs", [][2]float64{{thisHour - 3*3600, 1}, {thisHour, 1}}},
		}},
		{"week", "total_request_errors_over_time", []series{{"total", [][2]float64{{today, 2}}}}},
	} {
		t.Run(metric.period+" "+metric.metric, func(t *testing.T) {
			path := "/v0/endpoints/" + id + "/metrics?period=" + metric.period + "&metric=" + metric.metric
			assert.Equal(t, metric.want, filled(dataOf[[]series](s.get(path))))
		})
	}
}

// TestMetricSteps: a sum has a point for every step of its window, a response time for those with calls alone.
func TestMetricSteps(t *testing.T) {
	s, id, _ := busy(t)
	for period, steps := range map[string]struct {
		count int
		width time.Duration
	}{
		"hour": {60, time.Minute}, "day": {24, time.Hour}, "week": {7, 24 * time.Hour}, "month": {30, 24 * time.Hour},
	} {
		for _, one := range dataOf[[]series](s.get("/v0/endpoints/" + id + "/metrics?metric=credits_over_time&period=" + period)) {
			require.Len(t, one.Data, steps.count, period)
			last := start.Truncate(steps.width)
			for i, point := range one.Data {
				want := last.Add(time.Duration(i+1-steps.count) * steps.width).Unix()
				assert.EqualValues(t, want, point[0], "%s %d", period, i)
			}
		}
	}
	times := dataOf[[]series](s.get("/v0/endpoints/" + id + "/metrics?metric=response_time_over_time&period=hour"))
	require.Len(t, times, 2)
	assert.Len(t, times[0].Data, 2)

	quiet := s.create().ID
	response := s.get("/v0/endpoints/" + quiet + "/metrics?metric=credits_over_time&period=day").ok()
	assert.JSONEq(t, `{"data": [], "error": null}`, string(response.body))
}

func TestAccountMetrics(t *testing.T) {
	s, first, _ := busy(t)
	now := float64(start.Unix())
	get := func(metric string) []series {
		return filled(dataOf[[]series](s.get("/v0/metrics?period=hour&percentile=95&metric=" + metric)))
	}
	calls := []series{
		{"eth_call", [][2]float64{{now - 60, 2}, {now, 1}}},
		{"eth_getLogs", [][2]float64{{now - 600, 1}}},
		{"getProgramAccounts", [][2]float64{{now, 1}}},
	}
	assert.Equal(t, calls, get("method_calls_over_time"))
	assert.Equal(t, []series{
		{"ethereum", [][2]float64{{now - 600, 75}, {now - 60, 40}, {now, 20}}}, {"solana", [][2]float64{{now, 300}}},
	}, get("credits_over_time"))
	assert.Equal(t, []series{
		{network("ethereum-mainnet"), [][2]float64{{now - 600, 75}, {now - 60, 40}, {now, 20}}},
		{network("solana-mainnet"), [][2]float64{{now, 300}}},
	}, get("metered_endpoint_credits_over_time"))
	assert.Equal(t, []series{
		{network("ethereum-mainnet"), [][2]float64{{now - 600, 2}, {now - 60, 4}, {now, 10}}},
		{network("solana-mainnet"), [][2]float64{{now, 2}}},
	}, get("metered_endpoint_data_over_time"))

	s.delete("/v0/endpoints/" + first).ok()
	assert.Equal(t, calls, get("method_calls_over_time"), "archiving does not undo calls")
}

func TestMetricRefusals(t *testing.T) {
	s, id, _ := busy(t)
	for _, path := range []string{"/v0/metrics", "/v0/endpoints/" + id + "/metrics"} {
		for query, reason := range map[string]string{
			"":                                      "period",
			"?period=day":                           "metric",
			"?metric=credits_over_time":             "period",
			"?period=year&metric=credits_over_time": "period",
			"?period=day&metric=credits":            "metric",
		} {
			s.get(path+query).refused(http.StatusBadRequest, reason)
		}
	}
	s.get("/v0/metrics?period=day&metric=response_time_over_time").refused(http.StatusBadRequest, "metric")
}
