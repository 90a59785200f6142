package envelope_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// keeper is a record that keeps what it has no field for, wherever another one is inside.
type keeper struct {
	Name   string                     `json:"name"`
	One    *keeper                    `json:"one"`
	Many   []keeper                   `json:"many"`
	Any    keeping                    `json:"any"`
	Apart  []envelope.Element[keeper] `json:"apart"`
	Raw    json.RawMessage            `json:"raw"`
	Beside struct {
		Inner keeper2 `json:"inner"`
	} `json:"beside"`
	Extra scalar.Extra `json:"$extra,omitzero"`
}

type keeper2 struct {
	Extra scalar.Extra `json:"$extra,omitzero"`
}

type keeping interface{ keeps() }

func (*keeper) keeps() {}

var keepers = envelope.JoinVariants(envelope.VariantOf(func(string, func() []byte) keeping { return new(keeper) }))

func readKeeper(t require.TestingT, body string) (*keeper, error) {
	var got keeper
	_, err := envelope.ReadGraph(context.Background(), jsonType, []byte(body), keepers.KeepingExtra(), &got)
	return &got, err
}

func TestGraphRecordsKeepWhatTheyHaveNoFieldFor(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		of   func(*keeper) scalar.Extra
	}{
		"a record":                     {`{"data":{"x":1}}`, func(k *keeper) scalar.Extra { return k.Extra }},
		"one inside":                   {`{"data":{"one":{"x":1}}}`, func(k *keeper) scalar.Extra { return k.One.Extra }},
		"one of a list":                {`{"data":{"many":[{},{"x":1}]}}`, func(k *keeper) scalar.Extra { return k.Many[1].Extra }},
		"an interface":                 {`{"data":{"any":{"x":1}}}`, func(k *keeper) scalar.Extra { return k.Any.(*keeper).Extra }},
		"an element":                   {`{"data":{"apart":[null,7,{"x":1}]}}`, func(k *keeper) scalar.Extra { return k.Apart[2].Value.Extra }},
		"one in what is no record":     {`{"data":{"beside":{"y":1,"inner":{"x":1}}}}`, func(k *keeper) scalar.Extra { return k.Beside.Inner.Extra }},
		"beside any JSON":              {`{"data":{"raw":[{"y":1}],"x":1}}`, func(k *keeper) scalar.Extra { return k.Extra }},
		"a longer list that is stale":  {`{"data":{"many":[{},{},{}],"many":[{"x":1}]}}`, func(k *keeper) scalar.Extra { return k.Many[0].Extra }},
		"a null, and the name's other": {`{"data":{"one":null,"many":null,"any":null,"x":1}}`, func(k *keeper) scalar.Extra { return k.Extra }},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readKeeper(t, test.body)
			require.NoError(t, err)
			assert.Equal(t, []string{"x"}, test.of(got).Names())
			var without keeper
			_, err = envelope.ReadGraph(t.Context(), jsonType, []byte(test.body), keepers, &without)
			require.NoError(t, err)
			assert.True(t, test.of(&without).IsZero(), "nothing is kept where it is not asked for")
		})
	}
}

// FuzzGraphExtra reads any body: what is kept beside the fields changes nothing of whether it can be read.
func FuzzGraphExtra(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"one":{"x":1},"many":[{},{"x":[]}],"any":{"y":1},"apart":[null,7,{}],"raw":[1],"beside":{"inner":{"z":1}}}}`,
		`{"data":{"many":[{},{}],"many":{}},"data":{"many":[{"x":1}]}}`, `{"data":{"one":7}}`, `{"data":null}`, `{"data":{"$extra":{"a":1}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		_, err := readKeeper(t, body)
		var without keeper
		_, plain := envelope.ReadGraph(context.Background(), jsonType, []byte(body), keepers, &without)
		require.Equal(t, plain == nil, err == nil, "%v, %v", plain, err)
	})
}
