package envelope_test

import (
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// vessel reads itself the way that genqlient's generated interfaces do: its type's name first, then the whole.
type vessel struct{ of any }

type clipper struct {
	Name  string `json:"name"`
	Masts []struct {
		Sails []int `json:"sails"`
	} `json:"masts"`
	Tender vessel             `json:"tender"`
	Fleet  map[string]*vessel `json:"fleet"`
}

type tug struct {
	Name int `json:"name"`
}

func (v *vessel) UnmarshalJSON(text []byte) error {
	var named struct {
		Typename string `json:"__typename"`
	}
	if err := stdjson.Unmarshal(text, &named); err != nil {
		return err
	}
	switch named.Typename {
	case "Clipper":
		v.of = new(clipper)
	case "Tug":
		v.of = new(tug)
	default:
		return fmt.Errorf("no type %q", named.Typename)
	}
	if err := stdjson.Unmarshal(text, v.of); err != nil {
		return fmt.Errorf("unable to unmarshal: %w", err)
	}
	return nil
}

// TestFaultsInsideWhatReadsItself gives the whole path to a fault, through types that say only a part of it.
func TestFaultsInsideWhatReadsItself(t *testing.T) {
	for name, test := range map[string]struct{ vessels, want string }{
		"a field":               {`[{"__typename":"Tug","name":7},{"__typename":"Tug","name":"b"}]`, `a string at "/data/vessels/1/name" cannot be read as int`},
		"one like it elsewhere": {`[{"__typename":"Clipper","name":"b"}, {"__typename":"Tug","name":"b"}]`, `a string at "/data/vessels/1/name" cannot be read as int`},
		"in lists":              {`[{"__typename":"Clipper","masts":[{"sails":[1]},{"sails":[1, "x"]}]}]`, `a string at "/data/vessels/0/masts/1/sails/1" cannot be read as int`},
		"a number":              {`[{"__typename":"Clipper","masts":[{"sails":[1,2.5]}]}]`, `a number at "/data/vessels/0/masts/0/sails/1" cannot be read as int`},
		"an object":             {`[{"__typename":"Clipper","name":{"a":"b"}}]`, `an object at "/data/vessels/0/name" cannot be read as string`},
		"an array":              {`[{"__typename":"Clipper","name":[ "b" ]}]`, `an array at "/data/vessels/0/name" cannot be read as string`},
		"a boolean":             {`[{"__typename":"Clipper","name":true}]`, `a boolean at "/data/vessels/0/name" cannot be read as string`},
		"one in another":        {`[{"__typename":"Clipper","name":"a", "tender" : {"name":"b","__typename":"Tug"}}]`, `a string at "/data/vessels/0/tender/name" cannot be read as int`},
		"one in a map":          {`[{"__typename":"Clipper","fleet":{"a":null,"b/c":{"__typename":"Tug","name":"b"}}}]`, `a string at "/data/vessels/0/fleet/b~1c/name" cannot be read as int`},
		"repeated names":        {`[{"__typename":"Tug","name":[],"name":"b"}]`, `a string at "/data/vessels/0/name" cannot be read as int`},
		"the whole":             {`[7]`, `a number at "/data/vessels/0" cannot be read as envelope_test.vessel`},
		"no word of it":         {`[{"__typename":"Raft","name":"b"}]`, `an object at "/data/vessels/0" cannot be read as envelope_test.vessel`},
	} {
		t.Run(name, func(t *testing.T) {
			var got struct {
				Vessels []vessel `json:"vessels"`
			}
			_, err := envelope.ReadGraph(t.Context(), jsonType, []byte(`{"data": {"vessels": `+test.vessels+`}}`), shapes, &got)
			var malformed *envelope.Malformed
			require.ErrorAs(t, err, &malformed)
			assert.Equal(t, test.want, malformed.Detail)
		})
	}
}

// quoter says of every value what encoding/json says of one, of this release of Go or of another.
type quoter struct{}

var quoted stdjson.UnmarshalTypeError

func (*quoter) UnmarshalJSON([]byte) error { return fmt.Errorf("unable to unmarshal: %w", &quoted) }

// TestFaultsAsEveryReleaseTellsThem finds the place by what Go 1.26 says, which counts from behind a value that was
// read, or to behind its bracket, and by what Go 1.27 says, which has indices among the names.
func TestFaultsAsEveryReleaseTellsThem(t *testing.T) {
	const text = `{"a":[{"b":1},{"b":"x","c":["x",{"x":"x"}]}], "b":"x"}`
	at := func(value string) int64 { return int64(strings.Index(text, value)) }
	for name, test := range map[string]struct {
		field, value string
		offset       int64
		want         string
	}{
		"names, behind a string":            {"a.b", "string", at(`"x","c"`) + 3, `a string at "/data/of/a/1/b"`},
		"names and indices":                 {"a.1.b", "string", at(`"x","c"`), `a string at "/data/of/a/1/b"`},
		"two indices, one after the other":  {"a.1.c.0", "string", at(`"x",{`), `a string at "/data/of/a/1/c/0"`},
		"the index of another":              {"a.0.b", "string", at(`"x","c"`), `an object at "/data/of"`},
		"an index too much":                 {"a.1.c.0.0", "string", at(`"x",{`), `an object at "/data/of"`},
		"a string, behind a bracket":        {"a.c", "array", at(`["x"`) + 1, `an array at "/data/of/a/1/c"`},
		"an array, at its bracket":          {"a.1.c", "array", at(`["x"`), `an array at "/data/of/a/1/c"`},
		"an object":                         {"a.1.c.1", "object", at(`{"x"`), `an object at "/data/of/a/1/c/1"`},
		"an object, behind its bracket":     {"a.c", "object", at(`{"x"`) + 1, `an object at "/data/of/a/1/c/1"`},
		"a number with its spelling":        {"a.b", "number 1", at(`1},`) + 1, `a number at "/data/of/a/0/b"`},
		"the byte behind a number":          {"a.b", "number", at(`1},`) + 2, `a number at "/data/of/a/0/b"`},
		"two bytes behind a number":         {"a.b", "number", at(`1},`) + 3, `an object at "/data/of"`},
		"another kind":                      {"a.1.b", "number", at(`"x","c"`), `an object at "/data/of"`},
		"one in front of an array":          {"a.1.c", "array", at(`["x"`) - 1, `an object at "/data/of"`},
		"one in front of an object":         {"a.1.c.1", "object", at(`{"x"`) - 1, `an object at "/data/of"`},
		"counted from a value around it":    {"b", "string", at(`"x","c"`) - at(`{"b":"x"`), `a string at "/data/of/a/1/b"`},
		"counted from an item of a list":    {"", "string", 0, `a string at "/data/of/a/1/b"`},
		"no value around it has the offset": {"b", "string", 400, `an object at "/data/of"`},
	} {
		t.Run(name, func(t *testing.T) {
			quoted = stdjson.UnmarshalTypeError{Field: test.field, Value: test.value, Offset: test.offset, Type: reflect.TypeFor[int]()}
			var got struct {
				Of quoter `json:"of"`
			}
			_, err := envelope.ReadGraph(t.Context(), jsonType, []byte(`{"data": {"of": `+text+`}}`), shapes, &got)
			var malformed *envelope.Malformed
			require.ErrorAs(t, err, &malformed)
			found, _, _ := strings.Cut(malformed.Detail, " cannot be read")
			assert.Equal(t, test.want, found)
		})
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
