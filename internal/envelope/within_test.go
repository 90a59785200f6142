package envelope_test

import (
	stdjson "encoding/json"
	"fmt"
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
