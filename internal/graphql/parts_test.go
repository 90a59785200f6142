package graphql_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

type plan struct {
	Name  string `json:"name"`
	Inner *plan  `json:"inner"`
	List  []plan `json:"list"`
}

type cargoList struct {
	Items []graphql.Element[plan] `json:"items"`
	After string                  `json:"after"`
}

func TestElements_holdErrorsOfUnreadable(t *testing.T) {
	var got cargoList
	_, err := graphql.Read(t.Context(), jsonType, []byte(`{"data":{"items":[
		{"name":"a"}, null, {"name":[1,{"b":[2]}],"note":"lost"}, 7, "x", [[]], {"inner":{"list":[{"name":{}}],"note":"lost"}}, {"name":7}
	],"after":"end"}}`), shapes, &got)
	require.NoError(t, err)
	assert.Equal(t, "end", got.After)
	require.Len(t, got.Items, 8)
	assert.Equal(t, "a", got.Items[0].Value.Name)
	assert.Equal(t, "7", got.Items[7].Value.Name, "what is forgiven is no fault")
	assert.Equal(t, graphql.Element[plan]{Place: "/data/items/1"}, got.Items[1])
	for i, want := range map[int]string{
		2: `an array at "/data/items/2/name" cannot be read as string`,
		3: `a number at "/data/items/3" cannot be read as an object`,
		4: `a string at "/data/items/4" cannot be read as an object`,
		5: `an array at "/data/items/5" cannot be read as an object`,
		6: `an object at "/data/items/6/inner/list/0/name" cannot be read as string`,
	} {
		assert.Zero(t, got.Items[i].Value)
		assert.False(t, got.Items[i].Read)
		require.NotNil(t, got.Items[i].Fault)
		assert.Equal(t, want, got.Items[i].Fault.Detail)
	}
	for body, reason := range map[string]string{
		`{"data":{"items":[{"name":"a"},{"name":[`:        reply.Truncated,
		`{"data":{"items":[{"name":[]},{"name":"a"`:       reply.Truncated,
		`{"data":{"items":[{"name":[]},{"name"}]}}`:       reply.Syntax,
		`{"data":{"items":{"name":"a"}}}`:                 reply.Shape,
		`{"data":{"items":[{"name":[]}],"after":{}}}`:     reply.Shape,
		`{"data":{"items":[{"name":[]}],"after":"b"}}{} `: reply.Trailing,
	} {
		_, err := graphql.Read(t.Context(), jsonType, []byte(body), shapes, &got)
		requireMalformed(t, reason, err, body)
	}
}

// FuzzElements holds the elements of a list against each of them read alone.
func FuzzElements(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a"},null,{"name":[{}]},{"inner":{"name":7}}`, `7,"x",[[]],{"list":[{},{"list":{}}]}`, `{"name":`, ``,
		`{"name":"a","name":[]},{}`,
	} {
		f.Add(seed)
	}
	type alone struct {
		Item plan `json:"item"`
	}
	f.Fuzz(func(t *testing.T, list string) {
		var got cargoList
		stated, err := graphql.Read(t.Context(), "", []byte(`{"data":{"items":[`+list+`]}}`), shapes, &got)
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
			_, err := graphql.Read(t.Context(), "", []byte(`{"data":{"item":`+string(item)+`}}`), shapes, &one)
			require.Equal(t, err == nil, got.Items[i].Read, "%s: %v", item, err)
			require.Equal(t, err != nil, got.Items[i].Fault != nil)
			if err == nil {
				require.Equal(t, one.Item, got.Items[i].Value)
			}
		}
	})
}

func TestLocated_findsPath(t *testing.T) {
	for name, test := range map[string]struct {
		body  string
		want  graphql.Located[[]int]
		fault string
	}{
		"there": {`{"data":{"z":{"b":[9]},"a":{"x":{"b":[8]},"b":[1,2]}}}`,
			graphql.Located[[]int]{Value: []int{1, 2}, Found: true}, ""},
		"null":            {`{"data":{"a":{"b":null}}}`, graphql.Located[[]int]{}, ""},
		"null on the way": {`{"data":{"a":null}}`, graphql.Located[[]int]{}, ""},
		"twice, the last one wins": {`{"data":{"a":{"b":[1]},"a":{"b":[2]}}}`,
			graphql.Located[[]int]{Value: []int{2}, Found: true}, ""},
		"not asked for": {`{"data":{"a":{"B":[1]}}}`, graphql.Located[[]int]{},
			`no "b" on the path`},
		"a list on the way": {`{"data":{"a":[{"b":[1]}]}}`, graphql.Located[[]int]{},
			`an array instead of an object with "b"`},
		"another shape": {`{"data":{"a":{"b":["x"]}}}`, graphql.Located[[]int]{},
			`a string at "/data/a/b/0" cannot be read as int`},
	} {
		t.Run(name, func(t *testing.T) {
			into := graphql.Located[[]int]{Path: []string{"a", "b"}}
			_, err := graphql.Read(t.Context(), "application/json", []byte(test.body), graphql.Types{}, &into)
			into.Path = nil
			if test.fault == "" {
				require.NoError(t, err)
				assert.Equal(t, test.want, into)
				return
			}
			assert.Equal(t, test.fault, requireMalformed(t, reply.Shape, err).Detail)
		})
	}
}
