package graphql_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// plan has members of every kind, and holds others of its kind.
type plan struct {
	Name   string           `json:"name"`
	Inner  *plan            `json:"inner"`
	List   []plan           `json:"list"`
	Table  map[string]*plan `json:"table"`
	Any    any              `json:"any"`
	Raw    json.RawMessage  `json:"raw"`
	Hidden string           `json:"-"`
	Pair   [2]*footnotes    `json:"pair"`
	Self   selfish          `json:"self"`
	Self2  *selfish         `json:"self2"`
	From   fromItself       `json:"from"`
	Text   *textual         `json:"text"`
	Untagged,
	unexported int
	footnotes
	*plan
	*sidenotes
}

type sidenotes struct {
	Side string `json:"side"`
}

var _ = plan{unexported: 0, plan: nil} // Nobody sets them, the decoder included.

// These read themselves, each in another way.
type (
	selfish    struct{ Name string }
	fromItself struct{ Name string }
	textual    struct{ Name string }
)

func (*selfish) UnmarshalJSON([]byte) error                     { return nil }
func (*fromItself) UnmarshalJSONFrom(d *jsontext.Decoder) error { return d.SkipValue() }
func (*textual) UnmarshalText([]byte) error                     { return nil }

type footnotes struct {
	Note string `json:"note"`
}

func TestUnmatched(t *testing.T) {
	for data, place := range map[string]string{
		`{"name":"a"}`:                                  "",
		`{"note":"a"}`:                                  "",
		`{"name":"a","Hidden":"b"}`:                     "/data/Hidden",
		`{"name":"a","unexported":1}`:                   "/data/unexported",
		`{"Untagged":1}`:                                "",
		`{"untagged":1}`:                                "/data/untagged",
		`{"name":"a","footnotes":{}}`:                   "/data/footnotes",
		`{"inner":{"inner":{"NOTE":"a"}}}`:              "/data/inner/inner/NOTE",
		`{"list":[{},{"table":{"a/b":{"nAme":"a"}}}]}`:  "/data/list/1/table/a~1b/nAme",
		`{"any":{"NAME":"a"},"raw":{"NAME":"a"}}`:       "",
		`{"inner":{"later":1},"list":[7],"table":null}`: "",
		`[{"NAME":1}]`:                                  "",
		`{"table":{"a":{"later":1}}}`:                   "",
		`{"side":"a"}`:                                  "",
		`{"pair":[{},{"NOTE":"a"}]}`:                    "/data/pair/1/NOTE",
		`{"pair":[{"later":"a"}]}`:                      "",
		`{"self":{"name":1},"self2":{"name":1}}`:        "",
		`{"from":{"name":1},"text":{"name":1}}`:         "",
		`{"name":"a","__typename":"Plan"}`:              "",
		`{"NAME":"a"},"data":{"name":"a"}`:              "",
		`{"Side":"a","inner":{"side":"a"}}`:             "/data/Side",
		`{"inner":{"NAME":"a"},"list":[{"NOTE":1}]}`:    "/data/inner/NAME",
		`7`: "",
	} {
		err := graphql.Unmatched([]byte("\xef\xbb\xbf"+`{"errors":[{}],"data":`+data+`,"extensions":{"NAME":1}}`), nil, new(plan))
		if place == "" {
			assert.NoError(t, err, data)
			continue
		}
		var malformed *reply.Malformed
		require.ErrorAs(t, err, &malformed, data)
		assert.Equal(t, reply.NoMember, malformed.Reason)
		assert.Contains(t, malformed.Detail, `"`+place+`"`)
	}
	require.NoError(t, graphql.Unmatched([]byte(`{"data":{"name":1,"b":1}}`), map[string]bool{"name": true}, new(plan)), "nobody asked for it")
	require.Error(t, graphql.Unmatched([]byte(`{"data":{"name":1,"b":1}}`), map[string]bool{"b": true}, new(plan)))
	require.NoError(t, graphql.Unmatched([]byte(`{"data":{"name":1,"b":1}}`), nil, new(any)))
	require.NoError(t, graphql.Unmatched([]byte(`{"data":{"b":1}}`), map[string]bool{}, new(struct{})), "there is nothing to match")
	for _, open := range []any{
		new(struct {
			Name string `json:"'name'"`
		}),
		new(struct {
			Name string `json:"name,case:ignore"`
		}),
		new(struct {
			Rest map[string]any `json:",inline"`
		}),
		new(struct {
			Rest jsontext.Value `json:",embed"`
		}),
	} {
		require.NoError(t, graphql.Unmatched([]byte(`{"data":{"NAME":1}}`), nil, open), "%T takes any name", open)
	}
}

func TestWordsForWhatIsUnmatched(t *testing.T) {
	const fault = "a field without a member: "
	require.EqualError(t, graphql.Unmatched([]byte(`{"data":{"later":1}}`), map[string]bool{}, new(plan)),
		fault+"there is no field for any member of graphql_test.plan")
	require.EqualError(t, graphql.Unmatched([]byte(`{"data":{"NAME":1}}`), nil, new(struct {
		Name string `json:"name"`
	})), fault+`the field at "/data/NAME" has no member in the struct: names match exactly, and a member is named "name"`)
	require.EqualError(t, graphql.Unmatched([]byte(`{"data":{"later":1}}`), nil, new(box[admin.Endpoint])),
		fault+`the field at "/data/later" has no member in graphql_test.box[admin.Endpoint]: names match exactly, capitals included`)
}

// FuzzUnmatched holds it against the rule of the JSON library for members that are unknown, at the top.
func FuzzUnmatched(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"name":"a","inner":{"NAME":"b"}}}`, `{"data":{"b":1},"data":{"list":[{},[]]}}`, `{"data":{}}`, `{"data":[`, `{"data":{"a":{}}}x`, `[]`, ``,
	} {
		f.Add(seed)
	}
	type top struct {
		Name, Inner, List any
	}
	f.Fuzz(func(t *testing.T, body string) {
		if strings.Count(body, "[")+strings.Count(body, "{") > reply.MaxDepth {
			return // It would not have been decoded.
		}
		_ = graphql.Unmatched([]byte(body), nil, new(plan))
		var whole struct {
			Data map[string]json.RawMessage `json:"data"`
		}
		err := graphql.Unmatched([]byte(body), nil, new(top))
		if json.Unmarshal([]byte(body), &whole) != nil || strings.Count(body, "ata") != 1 || strings.Contains(body, `\`) {
			return // Names that are repeated, or spelled in another way, are other tests' business.
		}
		unknown, known := 0, 0
		for name := range whole.Data {
			switch name {
			case "Name", "Inner", "List":
				known++
			case "__typename":
			default:
				unknown++
			}
		}
		var malformed *reply.Malformed
		require.Equal(t, whole.Data != nil && (unknown > 0 || known == 0), errors.As(err, &malformed), "%v", err)
	})
}
