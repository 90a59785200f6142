package graphql_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

// shape is an interface as a schema has them, with a type for each of two variants and one for any other.
type shape interface{ corners() int }

type circle struct{ Radius int }

type polygon struct {
	Corners int     `json:"corners"`
	Inside  []shape `json:"inside"`
}

type otherShape struct {
	Typename string
	Raw      []byte
}

func (*circle) corners() int     { return 0 }
func (p *polygon) corners() int  { return p.Corners }
func (*otherShape) corners() int { return -1 }

func (o *otherShape) UnmarshalJSON(text []byte) error {
	o.Typename, o.Raw = scan.Typename(text), bytes.Clone(text)
	return nil
}

var shapes = graphql.Types{Interfaces: scan.Interface(func(typename string) shape {
	switch typename {
	case "Circle":
		return new(circle)
	case "Polygon":
		return new(polygon)
	}
	return new(otherShape)
})}

type drawing struct {
	Title string  `json:"title"`
	Shape shape   `json:"shape"`
	All   []shape `json:"all"`
}

// requireMalformed checks that a body cannot be used, and for which reason.
func requireMalformed(t *testing.T, reason string, err error, body ...any) *reply.Malformed {
	t.Helper()
	var malformed *reply.Malformed
	require.ErrorAs(t, err, &malformed, body...)
	assert.Equal(t, reason, malformed.Reason, body...)
	return malformed
}

func TestRead_decodesData(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want drawing
	}{
		"a record":    {`{"data":{"title":"a"}}`, drawing{Title: "a"}},
		"no errors":   {`{"data":{"title":"a"},"errors":[],"extensions":{}}`, drawing{Title: "a"}},
		"null errors": {`{"errors":null,"data":{"title":"a"},"error":null}`, drawing{Title: "a"}},
		"a variant":   {`{"data":{"shape":{"__typename":"Circle"}}}`, drawing{Shape: &circle{}}},
		"the type's name last": {`{"data":{"shape":{"inside":[],"__typename":"Polygon"}}}`,
			drawing{Shape: &polygon{Inside: []shape{}}}},
		"null for a variant": {`{"data":{"shape":null}}`, drawing{}},
		"an unknown variant": {`{"data":{"shape":{"__typename":"Star","rays":5}}}`,
			drawing{Shape: &otherShape{"Star", []byte(`{"__typename":"Star","rays":5}`)}}},
		"invalid UTF-8 in raw JSON": {"{\"data\":{\"shape\":{\"rays\":\"\xff\"}}}",
			drawing{Shape: &otherShape{"", []byte("{\"rays\":\"\uFFFD\"}")}}},
		"a variant without a name": {`{"data":{"shape":{"rays":5}}}`, drawing{Shape: &otherShape{"", []byte(`{"rays":5}`)}}},
		"a name that is no text": {`{"data":{"shape":{"rays":5,"__typename":"Circle","__typename":"Star"}}}`,
			drawing{Shape: &otherShape{"Star", []byte(`{"rays":5,"__typename":"Circle","__typename":"Star"}`)}}},
		"a list of variants": {`{"data":{"all":[{"__typename":"Circle"},null]}}`,
			drawing{All: []shape{&circle{}, nil}}},
		"variants inside a variant": {
			`{"data":{"shape":{"__typename":"Polygon","corners":3,"inside":[{"__typename":"Circle"}]}}}`,
			drawing{Shape: &polygon{3, []shape{&circle{}}}}},
		"a repeated name": {`{"data":{"title":"a","title":"b"}}`, drawing{Title: "b"}},
		"invalid UTF-8":   {"{\"data\":{\"title\":\"a\xff\xfe\"}}", drawing{Title: "a\uFFFD\uFFFD"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := drawing{Title: "stale", All: []shape{&circle{}}}
			stated, err := graphql.Read(context.Background(), jsonType, []byte(test.body), shapes, &got)
			require.NoError(t, err)
			assert.Empty(t, stated)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestRead_returnsErrors(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want []graphql.Error
		data drawing
	}{
		"without data": {
			`{"errors":[{"message":"no","path":["shape","all",3],"extensions":{"code":"NOT_ALLOWED"}}]}`,
			[]graphql.Error{{"no", "shape.all.3", "NOT_ALLOWED"}}, drawing{},
		},
		"null data": {`{"data":null,"errors":[{"message":"no"}]}`, []graphql.Error{{Message: "no"}}, drawing{}},
		"partial data": {`{"errors":[{"message":"no"}],"data":{"title":"a","shape":null}}`,
			[]graphql.Error{{Message: "no"}}, drawing{Title: "a"}},
		"several": {`{"errors":[{"message":"a"},{"message":"b"}]}`, []graphql.Error{{Message: "a"}, {Message: "b"}},
			drawing{}},
		"texts":    {`{"errors":["a","b"]}`, []graphql.Error{{Message: "a"}, {Message: "b"}}, drawing{}},
		"one text": {`{"errors":"a"}`, []graphql.Error{{Message: "a"}}, drawing{}},
		"one object": {`{"errors":{"message":"a","extensions":{"code":7}}}`, []graphql.Error{{Message: "a", Code: "7"}},
			drawing{}},
		"no object":     {`{"errors":[null,true]}`, []graphql.Error{{}, {}}, drawing{}},
		"another shape": {`{"errors":[{"message":"a","path":"shape"}]}`, []graphql.Error{{Message: "a"}}, drawing{}},
		"another message": {`{"errors":[{"message":["a",["b"],{"message":"c"}]},{"message":{"message":"d"}}]}`,
			[]graphql.Error{{Message: "a"}, {}}, drawing{}},
		"repeated": {`{"errors":["a"],"errors":["b"]}`, []graphql.Error{{Message: "b"}}, drawing{}},
		"repeated beside": {`{"data":{"title":[]},"errors":["a"],"errors":["b"]}`, []graphql.Error{{Message: "b"}},
			drawing{}},
		"odd members":     {`{"errors":[{"path":[[1]],"extensions":7,"code":"x"}]}`, []graphql.Error{{}}, drawing{}},
		"data of a shape": {`{"data":{"title":[]},"errors":[{"message":"a"}]}`, []graphql.Error{{Message: "a"}}, drawing{}},
	} {
		t.Run(name, func(t *testing.T) {
			var got drawing
			stated, err := graphql.Read(context.Background(), jsonType, []byte(test.body), shapes, &got)
			require.NoError(t, err)
			assert.Equal(t, test.want, stated)
			assert.Equal(t, test.data, got)
		})
	}
}

func TestRead_malformedBodyGivesReason(t *testing.T) {
	for body, want := range map[string]string{
		`<html>`: reply.HTML, ``: reply.Empty, `{}`: reply.NoData, `{"data":null}`: reply.NoData,
		`{"data":{"title":"a"`:                reply.Truncated,
		`{"data":{"shape":{"__typename":"Cir`: reply.Truncated,
		`{"data":{}}x`:                        reply.Trailing,
		`{"errors":["a"],"data":{}}x`:         reply.Trailing,
		`{"data":{"title":[7]}}`:              reply.Shape,
		`{"data":{"shape":{"__typename":"Polygon","corners":"many"}}}`: reply.Shape,
		`{"data":{"shape":7}}`: reply.Shape,
		`[]`:                   reply.Shape,
	} {
		_, err := graphql.Read(t.Context(), jsonType, []byte(body), shapes, &drawing{})
		assert.NotContains(t, requireMalformed(t, want, err, body).Detail, "struct", "no field of the library's own")
	}
	for _, body := range []string{`{"error":"no such plan"}`, `{"data":false,"error":"no such plan"}`} {
		_, err := graphql.Read(t.Context(), jsonType, []byte(body), shapes, &drawing{})
		var statedFailure *reply.Failure
		require.ErrorAs(t, err, &statedFailure)
		assert.Equal(t, "no such plan", statedFailure.Error())
	}
}

func TestErrors_readsFailedResponse(t *testing.T) {
	assert.Equal(t, []graphql.Error{{"a", "", "INVALID_FIELD"}},
		graphql.Errors(jsonType, []byte(`{"errors":[{"message":"a","extensions":{"code":"INVALID_FIELD"}}]}`)))
	for _, body := range []string{``, `<html>`, `{}`, `{"errors":null}`, `{"errors":[]}`, `[`, `{"errors":["a"],`,
		`Unauthorized`} {
		assert.Empty(t, graphql.Errors("", []byte(body)), body)
	}
}

// TestErrors_boundsNumberAndPath keeps the first of many errors, and the beginning of a long path.
func TestErrors_boundsNumberAndPath(t *testing.T) {
	deep := hostile.Nested(`[`, `"`+strings.Repeat("x", 50)+`"`, `]`, 201)
	assert.Len(t, graphql.Errors(jsonType, []byte(`{"x":`+deep+`,"errors":["no"]}`)), 1)
	list := strings.TrimSuffix(strings.Repeat(`"a",`, 1001), ",")
	assert.Len(t, graphql.Errors("", []byte(`{"errors":[`+list+`]}`)), 1000)
	path := strings.Split(graphql.Errors("", []byte(`{"errors":[{"path":[`+list+`]}]}`))[0].Path, ".")
	assert.Len(t, path, 100)
}

// refusing is a record that reads itself, and refuses every value.
type refusing struct{}

func (*refusing) UnmarshalJSON([]byte) error { return errors.New("refused") }

func TestRead_nullDataIsNotDecoded(t *testing.T) {
	_, err := graphql.Read(t.Context(), jsonType, []byte(`{"data":null}`), shapes, new(refusing))
	require.EqualError(t, err, "no data in the response")
}

// TestRead_locatesErrorsInInterfaces is about the interfaces that the library decodes.
func TestRead_locatesErrorsInInterfaces(t *testing.T) {
	for body, want := range map[string]string{
		`{"shape":{"__typename":"Polygon","inside":[{"__typename":"Circle"},{"__typename":"Polygon","corners":"x"}]}}`: `a string at "/data/shape/inside/1/corners" cannot be read as int`,
		`{"all":[{"__typename":"Circle"},{"inside":[{"corners":[],"__typename":"Polygon"}],"__typename":"Polygon"}]}`:  `an array at "/data/all/1/inside/0/corners" cannot be read as int`,
		`{"all":[{"__typename":"Circle"},[]]}`:                          `an array at "/data/all/1" cannot be read as an object`,
		`{"shape":{"__typename":"Polygon","inside":[{},{},"Polygon"]}}`: `a string at "/data/shape/inside/2" cannot be read as an object`,
	} {
		var got drawing
		_, err := graphql.Read(t.Context(), jsonType, []byte(`{"data":`+body+`}`), shapes, &got)
		assert.Equal(t, want, requireMalformed(t, reply.Shape, err).Detail)
	}
}

func TestRead_convertsScalarsOfOtherKind(t *testing.T) {
	var got drawing
	_, err := graphql.Read(context.Background(), jsonType,
		[]byte("\xef\xbb\xbf"+
			`{"data":{"title":7,"shape":{"__typename":"Polygon","corners":"3"},"all":[{"__typename":"Star","x":1}]}}`), shapes,
		&got)
	require.NoError(t, err)
	assert.Equal(t,
		drawing{"7", &polygon{Corners: 3}, []shape{&otherShape{"Star", []byte(`{"__typename":"Star","x":1}`)}}}, got)
}

// TestRead_checksContextBetweenPasses ends the context between the passes that a body takes, and holds the count of the
// bytes that decoders go through against the passes with and without the generated decoders.
func TestRead_checksContextBetweenPasses(t *testing.T) {
	for _, test := range []struct {
		rest         string
		passes, work int
	}{
		{`"data":{"title":"a"}`, 1, 1}, {`"data":{"title":[]}`, 2, 4}, {`"data":{"title":7}`, 2, 2}, {`"error":"no"`, 1, 2},
	} {
		raw := []byte(`{"front":"` + strings.Repeat("x", 10_000) + `",` + test.rest + `}`)
		work := graphql.WorkOfRead(shapes, &drawing{}, raw)
		assert.Equal(t, test.work, int(math.Round(float64(work)/float64(len(raw)))), test.rest)
		for enough := range test.passes {
			_, err := graphql.Read(hostile.Countdown(enough), "", raw, shapes, &drawing{})
			assert.Equal(t, enough < test.passes-1, errors.Is(err, context.DeadlineExceeded), "%s in %d", test.rest, enough)
		}
	}
}

// TestRead_numbersKeepSpelling reads into encoding/json's type of a number.
func TestRead_numbersKeepSpelling(t *testing.T) {
	for value, want := range map[string]json.Number{
		`7`: "7", `1.50e+400`: "1.50e+400", `"7"`: "7", `"-1.50"`: "-1.50", `null`: "", `7,"value":null`: "7",
	} {
		got := box[json.Number]{Value: "stale"}
		_, err := graphql.Read(t.Context(), "", []byte(`{"data":{"value":`+value+`}}`), shapes, &got)
		require.NoError(t, err, value)
		assert.Equal(t, want, got.Value, value)
	}
	for value, kind := range map[string]string{`" 7"`: "a string", `"x"`: "a string", `""`: "a string",
		`true`: "a boolean", `[7]`: "an array", `{"a":[]}`: "an object"} {
		_, err := graphql.Read(t.Context(), "", []byte(`{"data":{"value":`+value+`}}`), shapes, new(box[json.Number]))
		require.EqualError(t, err, "unexpected type: "+kind+` at "/data/value" cannot be read as json.Number`, value)
	}
}

const jsonType = "application/json"

type box[T any] struct {
	Value T `json:"value"`
}

// FuzzReadGraph reads any body.
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
		stated, err := graphql.Read(context.Background(), "", []byte(body), shapes, &got)
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

// readers are the ways to read a body. They return the number of bytes that they went through.
var readers = map[string]func(raw []byte) int64{
	"a graph":         func(raw []byte) int64 { return graphql.WorkOfRead(shapes, &drawing{}, raw) },
	"a failed status": graphql.WorkOfErrors,
}

// TestRead_hostileBodiesAreLinear reads every hostile body in every way.
func TestRead_hostileBodiesAreLinear(t *testing.T) { hostile.Linear(t, readers, 6) }

func BenchmarkHostile(b *testing.B) { hostile.Benchmark(b, readers) }
