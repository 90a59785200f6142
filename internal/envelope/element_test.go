package envelope_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

type cargoList struct {
	Items []envelope.Element[plan] `json:"items"`
	After string                   `json:"after"`
}

func TestElements(t *testing.T) {
	var got cargoList
	_, err := envelope.ReadGraph(t.Context(), jsonType, []byte(`{"data":{"items":[
		{"name":"a"}, null, {"name":[1,{"b":[2]}],"note":"lost"}, 7, "x", [[]], {"inner":{"list":[{"name":{}}],"note":"lost"}}, {"name":7}
	],"after":"end"}}`), shapes, &got)
	require.NoError(t, err)
	assert.Equal(t, "end", got.After)
	require.Len(t, got.Items, 8)
	assert.Equal(t, "a", got.Items[0].Value.Name)
	assert.Equal(t, "7", got.Items[7].Value.Name, "what is forgiven is no fault")
	assert.Equal(t, envelope.Element[plan]{Place: "/data/items/1"}, got.Items[1])
	for i, want := range map[int]string{
		2: `an array at "/data/items/2/name" cannot be read as string`, 3: `a number at "/data/items/3" cannot be read as envelope_test.plan`,
		4: `a string at "/data/items/4" cannot be read as envelope_test.plan`, 5: `an array at "/data/items/5" cannot be read as envelope_test.plan`,
		6: `an object at "/data/items/6/inner/list/0/name" cannot be read as string`,
	} {
		assert.Zero(t, got.Items[i].Value)
		assert.False(t, got.Items[i].Read)
		require.NotNil(t, got.Items[i].Fault)
		assert.Equal(t, want, got.Items[i].Fault.Detail)
	}
	for body, reason := range map[string]envelope.Reason{
		`{"data":{"items":[{"name":"a"},{"name":[`:        envelope.Truncated,
		`{"data":{"items":[{"name":[]},{"name":"a"`:       envelope.Truncated,
		`{"data":{"items":[{"name":[]},{"name"}]}}`:       envelope.Syntax,
		`{"data":{"items":{"name":"a"}}}`:                 envelope.Shape,
		`{"data":{"items":[{"name":[]}],"after":{}}}`:     envelope.Shape,
		`{"data":{"items":[{"name":[]}],"after":"b"}}{} `: envelope.Trailing,
	} {
		_, err := envelope.ReadGraph(t.Context(), jsonType, []byte(body), shapes, &got)
		var malformed *envelope.Malformed
		require.ErrorAs(t, err, &malformed, body)
		assert.Equal(t, reason, malformed.Reason, body)
	}
}

// FuzzElements holds the elements of a list against each of them read alone.
func FuzzElements(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a"},null,{"name":[{}]},{"inner":{"name":7}}`, `7,"x",[[]],{"list":[{},{"list":{}}]}`, `{"name":`, ``, `{"name":"a","name":[]},{}`,
	} {
		f.Add(seed)
	}
	type alone struct {
		Item plan `json:"item"`
	}
	f.Fuzz(func(t *testing.T, list string) {
		var got cargoList
		stated, err := envelope.ReadGraph(t.Context(), "", []byte(`{"data":{"items":[`+list+`]}}`), shapes, &got)
		var items []json.RawMessage
		if err != nil || len(stated) > 0 || json.Unmarshal([]byte(`[`+list+`]`), &items) != nil {
			return
		}
		require.Len(t, got.Items, len(items))
		for i, item := range items {
			if string(item) == "null" {
				require.False(t, got.Items[i].Read)
				continue
			}
			var one alone
			_, err := envelope.ReadGraph(t.Context(), "", []byte(`{"data":{"item":`+string(item)+`}}`), shapes, &one)
			require.Equal(t, err == nil, got.Items[i].Read, "%s: %v", item, err)
			require.Equal(t, err != nil, got.Items[i].Fault != nil)
			if err == nil {
				require.Equal(t, one.Item, got.Items[i].Value)
			}
		}
	})
}
