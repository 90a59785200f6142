package envelope_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// shape is an interface as a schema has them, with a type for each of two variants and one for any other.
type shape interface{ corners() int }

type circle struct{ Radius int }

type polygon struct {
	Corners int     `json:"corners"`
	Inside  []shape `json:"inside"`
}

type otherShape struct {
	Typename string `json:"__typename"`
	Raw      []byte `json:"-"`
}

func (*circle) corners() int     { return 0 }
func (p *polygon) corners() int  { return p.Corners }
func (*otherShape) corners() int { return -1 }

var shapes = envelope.JoinVariants(envelope.VariantOf(func(typename string, raw func() []byte) shape {
	switch typename {
	case "Circle":
		return new(circle)
	case "Polygon":
		return new(polygon)
	}
	return &otherShape{Raw: bytes.Clone(raw())}
}))

type drawing struct {
	Title string  `json:"title"`
	Shape shape   `json:"shape"`
	All   []shape `json:"all"`
}

func TestReadGraph(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want drawing
	}{
		"a record":                  {`{"data":{"title":"a"}}`, drawing{Title: "a"}},
		"no errors":                 {`{"data":{"title":"a"},"errors":[],"extensions":{}}`, drawing{Title: "a"}},
		"null errors":               {`{"errors":null,"data":{"title":"a"},"error":null}`, drawing{Title: "a"}},
		"a variant":                 {`{"data":{"shape":{"__typename":"Circle"}}}`, drawing{Shape: &circle{}}},
		"the type's name last":      {`{"data":{"shape":{"inside":[],"__typename":"Polygon"}}}`, drawing{Shape: &polygon{Inside: []shape{}}}},
		"null for a variant":        {`{"data":{"shape":null}}`, drawing{}},
		"an unknown variant":        {`{"data":{"shape":{"__typename":"Star","rays":5}}}`, drawing{Shape: &otherShape{"Star", []byte(`{"__typename":"Star","rays":5}`)}}},
		"a variant without a name":  {`{"data":{"shape":{"rays":5}}}`, drawing{Shape: &otherShape{"", []byte(`{"rays":5}`)}}},
		"a name that is no text":    {`{"data":{"shape":{"rays":5,"__typename":"Circle","__typename":"Star"}}}`, drawing{Shape: &otherShape{"Star", []byte(`{"rays":5,"__typename":"Star"}`)}}},
		"a list of variants":        {`{"data":{"all":[{"__typename":"Circle"},null]}}`, drawing{All: []shape{&circle{}, nil}}},
		"variants inside a variant": {`{"data":{"shape":{"__typename":"Polygon","corners":3,"inside":[{"__typename":"Circle"}]}}}`, drawing{Shape: &polygon{3, []shape{&circle{}}}}},
		"a repeated name":           {`{"data":{"title":"a","shape":{"__typename":"Circle"},"title":"b","shape":null}}`, drawing{Title: "b"}},
		"invalid UTF-8":             {"{\"data\":{\"title\":\"a\xff\"}}", drawing{Title: "a\uFFFD"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := drawing{Title: "stale", All: []shape{&circle{}}}
			stated, err := envelope.ReadGraph(context.Background(), jsonType, []byte(test.body), shapes, &got)
			require.NoError(t, err)
			assert.Empty(t, stated)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestReadGraphErrors(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want []envelope.GraphError
		data drawing
	}{
		"without data": {
			`{"errors":[{"message":"no","path":["shape","all",3],"extensions":{"code":"NOT_ALLOWED"}}]}`,
			[]envelope.GraphError{{"no", "shape.all.3", "NOT_ALLOWED"}}, drawing{},
		},
		"null data":       {`{"data":null,"errors":[{"message":"no"}]}`, []envelope.GraphError{{Message: "no"}}, drawing{}},
		"partial data":    {`{"errors":[{"message":"no"}],"data":{"title":"a","shape":null}}`, []envelope.GraphError{{Message: "no"}}, drawing{Title: "a"}},
		"several":         {`{"errors":[{"message":"a"},{"message":"b"}]}`, []envelope.GraphError{{Message: "a"}, {Message: "b"}}, drawing{}},
		"texts":           {`{"errors":["a","b"]}`, []envelope.GraphError{{Message: "a"}, {Message: "b"}}, drawing{}},
		"one text":        {`{"errors":"a"}`, []envelope.GraphError{{Message: "a"}}, drawing{}},
		"one object":      {`{"errors":{"message":"a","extensions":{"code":7}}}`, []envelope.GraphError{{Message: "a", Code: "7"}}, drawing{}},
		"no object":       {`{"errors":[null,true]}`, []envelope.GraphError{{}, {}}, drawing{}},
		"another shape":   {`{"errors":[{"message":"a","path":"shape"}]}`, []envelope.GraphError{{Message: "a"}}, drawing{}},
		"another message": {`{"errors":[{"message":["a",["b"],{"message":"c"}]},{"message":{"message":"d"}}]}`, []envelope.GraphError{{Message: "a"}, {}}, drawing{}},
		"repeated":        {`{"errors":["a"],"errors":["b"]}`, []envelope.GraphError{{Message: "b"}}, drawing{}},
		"repeated beside": {`{"data":{"title":[]},"errors":["a"],"errors":["b"]}`, []envelope.GraphError{{Message: "b"}}, drawing{}},
		"odd members":     {`{"errors":[{"path":[[1]],"extensions":7,"code":"x"}]}`, []envelope.GraphError{{}}, drawing{}},
		"data of a shape": {`{"data":{"title":[]},"errors":[{"message":"a"}]}`, []envelope.GraphError{{Message: "a"}}, drawing{}},
	} {
		t.Run(name, func(t *testing.T) {
			var got drawing
			stated, err := envelope.ReadGraph(context.Background(), jsonType, []byte(test.body), shapes, &got)
			require.NoError(t, err)
			assert.Equal(t, test.want, stated)
			assert.Equal(t, test.data, got)
		})
	}
}

func TestReadGraphFailures(t *testing.T) {
	for name, test := range map[string]struct {
		contentType, body string
		want              envelope.Reason
	}{
		"HTML":                    {"text/html", `<html>`, envelope.HTML},
		"empty":                   {jsonType, ``, envelope.Empty},
		"no data":                 {jsonType, `{}`, envelope.NoData},
		"null data":               {jsonType, `{"data":null}`, envelope.NoData},
		"cut short":               {jsonType, `{"data":{"title":"a"`, envelope.Truncated},
		"cut short in a variant":  {jsonType, `{"data":{"shape":{"__typename":"Cir`, envelope.Truncated},
		"text after it":           {jsonType, `{"data":{}}x`, envelope.Trailing},
		"text after errors":       {jsonType, `{"errors":["a"],"data":{}}x`, envelope.Trailing},
		"another shape":           {jsonType, `{"data":{"title":[7]}}`, envelope.Shape},
		"another shape inside":    {jsonType, `{"data":{"shape":{"__typename":"Polygon","corners":"many"}}}`, envelope.Shape},
		"a variant of no object":  {jsonType, `{"data":{"shape":7}}`, envelope.Shape},
		"a list for the envelope": {jsonType, `[]`, envelope.Shape},
	} {
		t.Run(name, func(t *testing.T) {
			var got drawing
			_, err := envelope.ReadGraph(context.Background(), test.contentType, []byte(test.body), shapes, &got)
			var malformed *envelope.Malformed
			require.ErrorAs(t, err, &malformed)
			assert.Equal(t, test.want, malformed.Reason, malformed.Detail)
			assert.NotContains(t, malformed.Detail, "struct", "no field of the library's own")
		})
	}
	for _, body := range []string{`{"error":"no such plan"}`, `{"data":false,"error":"no such plan"}`} {
		_, err := envelope.ReadGraph(context.Background(), jsonType, []byte(body), shapes, &drawing{})
		var statedFailure *envelope.Failure
		require.ErrorAs(t, err, &statedFailure)
		assert.Equal(t, "no such plan", statedFailure.Error())
	}
}

func TestGraphErrorsOfAFailedResponse(t *testing.T) {
	assert.Equal(t, []envelope.GraphError{{"a", "", "INVALID_FIELD"}},
		envelope.GraphErrors(jsonType, []byte(`{"errors":[{"message":"a","extensions":{"code":"INVALID_FIELD"}}]}`)))
	for _, body := range []string{``, `<html>`, `{}`, `{"errors":null}`, `{"errors":[]}`, `[`, `{"errors":["a"],`, `Unauthorized`} {
		assert.Empty(t, envelope.GraphErrors("", []byte(body)), body)
	}
}

// TestErrorsAreBounded keeps the first of many errors, and the beginning of a long path.
func TestErrorsAreBounded(t *testing.T) {
	list := strings.TrimSuffix(strings.Repeat(`"a",`, 1001), ",")
	assert.Len(t, envelope.GraphErrors("", []byte(`{"errors":[`+list+`]}`)), 1000)
	path := strings.Split(envelope.GraphErrors("", []byte(`{"errors":[{"path":[`+list+`]}]}`))[0].Path, ".")
	assert.Len(t, path, 100)
}

// refusing is a record that reads itself, and refuses every value.
type refusing struct{}

func (*refusing) UnmarshalJSON([]byte) error { return errors.New("refused") }

func TestNullDataIsNotDecoded(t *testing.T) {
	_, err := envelope.ReadGraph(t.Context(), jsonType, []byte(`{"data":null}`), shapes, new(refusing))
	require.EqualError(t, err, "no data in the response")
}

func TestTypenames(t *testing.T) {
	for raw, want := range map[string]string{
		`{"__typename":"X"}`: "X", `{"a":{"__typename":"Y"},"__typename":"X"}`: "X", ` {"__typename" : "X"}`: "X", `{"a":1,"__typename" : "X"}`: "X",
		`{}`: "", `7`: "", `"__typename"`: "", ``: "", `{"a":1}`: "", `{"__typename":7}`: "", `{"a":1,"__typename":7}`: "", `{"a":{"__typename":"Y"}}`: "",
		`{"typename":"X"}`: "", `{"a":1,"__typename":"X"`: "X",
	} {
		assert.Equal(t, want, envelope.Typenames([]byte(raw))(0), raw)
	}
}

// TestFaultsInsideInterfaces is about the interfaces that the library decodes.
func TestFaultsInsideInterfaces(t *testing.T) {
	for body, want := range map[string]string{
		`{"shape":{"__typename":"Polygon","inside":[{"__typename":"Circle"},{"__typename":"Polygon","corners":"x"}]}}`: `a string at "/data/shape/inside/1/corners" cannot be read as int`,
		`{"all":[{"__typename":"Circle"},{"inside":[{"corners":[],"__typename":"Polygon"}],"__typename":"Polygon"}]}`:  `an array at "/data/all/1/inside/0/corners" cannot be read as int`,
		`{"all":[{"__typename":"Circle"},[]]}`:                          `an array at "/data/all/1" cannot be read as envelope_test.shape`,
		`{"shape":{"__typename":"Polygon","inside":[{},{},"Polygon"]}}`: `a string at "/data/shape/inside/2" cannot be read as envelope_test.shape`,
	} {
		var got drawing
		_, err := envelope.ReadGraph(t.Context(), jsonType, []byte(`{"data":`+body+`}`), shapes, &got)
		var malformed *envelope.Malformed
		require.ErrorAs(t, err, &malformed)
		assert.Equal(t, want, malformed.Detail)
	}
}

func FuzzReadGraph(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"title":"a","shape":{"__typename":"Polygon","inside":[{"__typename":"Star"}]}}}`,
		`{"data":{"shape":{"__typename":"Circle"},"shape":null}}`, `{"data":null,"errors":[{"message":"a","path":["b",1]}]}`,
		`{"errors":"a"}`, `{"data":{"shape":7}}`, `{"data":{"all":[null,{}]}}`, `{"error":"x"}`, `{"data":`, `[]`, ``,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var got drawing
		stated, err := envelope.ReadGraph(context.Background(), "", []byte(body), shapes, &got)
		if err == nil && len(stated) == 0 {
			require.True(t, strings.Contains(body, `data`) || strings.Contains(body, `\u`), "data came from somewhere")
		}
		for _, one := range got.All {
			if other, ok := one.(*otherShape); ok {
				require.NotEmpty(t, other.Raw)
			}
		}
	})
}
