package api

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMetricTag_readsStringOrPair(t *testing.T) {
	for in, want := range map[string]MetricTag{
		`"eth_call"`:                      {"eth_call"},
		`["network", "arbitrum-mainnet"]`: {"network", "arbitrum-mainnet"},
		`""`:                              {""},
		`[ ]`:                             nil,
		`null`:                            nil,
		`200`:                             {"200"},
		`["status", 2e2]`:                 {"status", "2e2"},
		`[null, "b"]`:                     {"", "b"},
		`["a\u0062\"", "\n"]`:             {`ab"`, "\n"},
	} {
		tag := MetricTag{"before"}
		require.NoError(t, json.Unmarshal([]byte(in), &tag), in)
		assert.Equal(t, want, tag, in)
	}
	for _, in := range []string{`{}`, `true`, `["a", {}]`, `[["a"]]`, `[false]`} {
		tag := MetricTag{"before"}
		require.EqualError(t, json.Unmarshal([]byte(in), &tag),
			"the tag of a metric is neither a text nor a list of texts", in)
		assert.Equal(t, MetricTag{"before"}, tag)
	}
}

// FuzzMetricTag reads any JSON: if it can be read, it is written and read back as the same value.
func FuzzMetricTag(f *testing.F) {
	for _, seed := range []string{`["a", 7, null]`, `"a"`, `{}`, `[[], 1]`, `[`, ``, `null`, `[]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var into, back MetricTag
		if json.Unmarshal(data, &into) != nil {
			return
		}
		encoded, err := json.Marshal(into)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(encoded, &back))
		require.Equal(t, into, back)
	})
}
