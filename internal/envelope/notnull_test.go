package envelope_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

type counted struct {
	N *int `json:"n"`
}

// TestNullsInLists refuses a null where an element must be one, and nowhere else.
func TestNullsInLists(t *testing.T) {
	strict := envelope.JoinVariants(shapes, envelope.Variants{}.NotNull(func(element reflect.Type) bool { return element != reflect.TypeFor[string]() }))
	for body, place := range map[string]string{
		`{"items":[{"n":1},null]}`: "/data/items/1", `{"items":[ null]}`: "/data/items/0", `{"items":[{"n":null},` + "\n\t\r" + `null]}`: "/data/items/1",
		`{"note":"null","items":[null]}`: "/data/items/0",
		`{"items":null,"one":null}`:      "", `{"items":[{"n":null}]}`: "", `{"pointers":[null]}`: "", `{"lists":[null]}`: "", `{"maps":[null]}`: "",
		`{"texts":[null]}`: "", `{"apart":[null]}`: "", `{"note":",null"}`: "", `{"items":[]}`: "",
	} {
		var got struct {
			Items    []counted                   `json:"items"`
			One      counted                     `json:"one"`
			Pointers []*counted                  `json:"pointers"`
			Lists    [][]counted                 `json:"lists"`
			Maps     []map[string]counted        `json:"maps"`
			Texts    []string                    `json:"texts"`
			Apart    []envelope.Element[counted] `json:"apart"`
			Note     string                      `json:"note"`
		}
		_, err := envelope.ReadGraph(t.Context(), "", []byte(`{"data":`+body+`}`), strict, &got)
		if place == "" {
			assert.NoError(t, err, body)
			continue
		}
		require.EqualError(t, err, `unexpected shape: a null at "`+place+`" cannot be read as envelope_test.counted`, body)
		_, err = envelope.ReadGraph(t.Context(), "", []byte(`{"data":`+body+`}`), shapes, &got)
		require.NoError(t, err, "without the rule")
	}
}

// TestUnreadElementsKeepNothing asks for what no field is for beside an element that cannot be read.
func TestUnreadElementsKeepNothing(t *testing.T) {
	var got keeper
	_, err := envelope.ReadGraph(t.Context(), "", []byte(`{"data":{"apart":[{"name":[],"later":1},{"name":"a","later":1}]}}`), shapes.KeepingExtra(), &got)
	require.NoError(t, err)
	assert.Equal(t, keeper{}, got.Apart[0].Value)
	assert.Equal(t, []string{"later"}, got.Apart[1].Value.Extra.Names())
}
