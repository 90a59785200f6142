package admin_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestMetricPoint_readsTimeAndValue(t *testing.T) {
	at := time.Unix(1700000000, 0).UTC()
	for in, want := range map[string]admin.MetricPoint{
		`[1700000000, 12.5]`:            {Time: at, Value: new(12.5)},
		`[1700000000, 0]`:               {Time: at, Value: new(0.0)},
		`[1700000000, null]`:            {Time: at},
		`[1700000000, ""]`:              {Time: at},
		`[1700000000, "-0.25"]`:         {Time: at, Value: new(-0.25)},
		`[1700000000, 1, "p95", {}]`:    {Time: at, Value: new(1.0)},
		`[1700000000250, 1]`:            {Time: at.Add(250 * time.Millisecond), Value: new(1.0)},
		`["1700000000", 1]`:             {Time: at, Value: new(1.0)},
		`["2023-11-14T22:13:20.5Z", 1]`: {Time: at.Add(500 * time.Millisecond), Value: new(1.0)},
		`[0, 1]`:                        {Time: time.Unix(0, 0).UTC(), Value: new(1.0)},
		`[null, 1]`:                     {Value: new(1.0)},
		`[null, null]`:                  {},
		`null`:                          {},
	} {
		point := admin.MetricPoint{Value: new(7.0)}
		require.NoError(t, json.Unmarshal([]byte(in), &point), in)
		assert.Equal(t, want, point, in)
	}
	assert.Equal(t, "[MetricPoint{Time: 2023-11-14 22:13:20 +0000 UTC, Value: 1.5} MetricPoint{}]",
		fmt.Sprint([]admin.MetricPoint{{Time: at, Value: new(1.5)}, {}}))
}

func TestMetricPoint_refusesMalformedPoints(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:                  "admin: MetricPoint cannot be read: it is not an array",
		`[]`:                  "admin: MetricPoint needs a time and a value, not 0 elements",
		`[1700000000]`:        "admin: MetricPoint needs a time and a value, not 1 elements",
		`[{}, 1]`:             "admin: MetricPoint: scalar: Decimal cannot be read from a JSON object",
		`["soon", 1]`:         "admin: MetricPoint: its time cannot be read",
		`[1e300, 1]`:          "admin: MetricPoint: its time cannot be read",
		`[1700000000, true]`:  "admin: MetricPoint: scalar: Decimal cannot be read from a JSON boolean",
		`[1700000000, "NaN"]`: `admin: MetricPoint: scalar: Decimal "NaN": not a decimal number`,
		`[1700000000, 1e309]`: `admin: MetricPoint: scalar: Decimal "1e309": out of the range of a float64`,
	} {
		point := admin.MetricPoint{Value: new(7.0)}
		require.EqualError(t, json.Unmarshal([]byte(in), &point), want)
		assert.Equal(t, admin.MetricPoint{Value: new(7.0)}, point, "what was there stays")
	}
	_, err := json.Marshal(admin.MetricPoint{Value: new(math.NaN())})
	require.Error(t, err)
	_, err = json.Marshal(admin.MetricPoint{Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.Error(t, err)
}

// FuzzMetricPoint reads any JSON: if it can be read, it is written and read back as the same value.
func FuzzMetricPoint(f *testing.F) {
	for _, seed := range []string{
		`[1700000000, 12.5]`, `[1700000000, null]`, `["2023-11-14T22:13:20.000000001Z", 1e-320]`, `[1700000000250, -0]`,
		`null`, `[]`, `[1]`, `[null, 1]`, `[null, null]`, `[0, 1]`,
		`["9999-12-31T23:59:59.999999999Z", 1]`, `["a", 7, null]`, `{}`, `[[], 1]`, `[`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var into, back admin.MetricPoint
		if json.Unmarshal(data, &into) != nil {
			return
		}
		encoded, err := json.Marshal(into)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(encoded, &back))
		require.Equal(t, into, back)
	})
}

func TestMetricTag_readsStringOrPair(t *testing.T) {
	for in, want := range map[string]admin.MetricTag{
		`"eth_call"`:                      "eth_call",
		`["network", "arbitrum-mainnet"]`: "network:arbitrum-mainnet",
		`""`:                              "",
		`[ ]`:                             "",
		`null`:                            "",
		`200`:                             "200",
		`["status", 2e2]`:                 "status:2e2",
		`[null, "b"]`:                     ":b",
		`["a\u0062\"", "\n"]`:             "ab\":\n",
	} {
		tag := admin.MetricTag("before")
		require.NoError(t, json.Unmarshal([]byte(in), &tag), in)
		assert.Equal(t, want, tag, in)
	}
	for _, in := range []string{`{}`, `true`, `["a", {}]`, `[["a"]]`, `[false]`} {
		tag := admin.MetricTag("before")
		require.EqualError(t, json.Unmarshal([]byte(in), &tag),
			"admin: MetricTag is neither a text nor a list of texts", in)
		assert.Equal(t, admin.MetricTag("before"), tag)
	}
}
