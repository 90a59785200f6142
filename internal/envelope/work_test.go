package envelope_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// TestEveryPassIsCounted holds the count of what decoders go through, on which the tests of hostile bodies rely, against
// the passes that a body takes: a documented one takes one. Most of each body is in front of what decides.
func TestEveryPassIsCounted(t *testing.T) {
	const endpoint = `{"id":"a","tags":[]}`
	keeping := func(raw []byte) int64 { return envelope.WorkOfReadGraph(shapes.KeepingExtra(), new(keeper), raw) }
	for _, test := range []struct {
		way    func([]byte) int64
		rest   string
		passes int
	}{
		{readers["documented records"], `"data":[` + endpoint + `]`, 1},
		{readers["documented records"], `"data":[` + endpoint + `],"pagination":null,"pageInfo":null,"next_at":null`, 1},
		{readers["documented records"], `"data":[` + endpoint + `],"error":""`, 3},
		{readers["documented records"], `"data":[` + endpoint + `],"data":[]`, 5},
		{readers["documented records"], `"data":[7]`, 5},
		{readers["a documented record"], endpoint[1 : len(endpoint)-1], 1},
		{readers["a documented record"], `"id":"a","error":null`, 4},
		{readers["a documented record"], `"error":"no"`, 4},
		{readers["a record"], `"data":{"id":"a"}`, 2},
		{readers["a record"], `"data":{"id":7}`, 4},
		{readers["a record"], `"data":{"id":[]}`, 5},
		{readers["a record"], `"data":null,"error":"no"`, 3},
		{readers["a record"], `"data":{}x`, 2},
		{readers["a bare record"], `"id":"a"`, 1},
		{readers["a bare record"], `"id":"a","error":""`, 2},
		{readers["a written record"], `"data":{"id":"a"}`, 3},
		{readers["a written record"], `"data":null`, 1},
		{readers["a confirmation"], `"data":null`, 1},
		{readers["nothing"], `"data":null`, 1},
		{readers["a failed status"], `"error":"no"`, 2},
		{readers["a graph"], `"data":{"title":"a"}`, 1},
		{readers["a graph"], `"data":{"title":[]}`, 5},
		{readers["a graph"], `"error":"no"`, 2},
		{keeping, `"data":{"name":"a"}`, 2},
	} {
		raw := []byte(`{"front":"` + strings.Repeat("x", 10_000) + `",` + test.rest + `}`)
		assert.Equal(t, test.passes, int(math.Round(float64(test.way(raw))/float64(len(raw)))), test.rest)
	}
	inside := func(value string) int64 {
		front := `{"front":"` + strings.Repeat("x", 10_000) + `",`
		return readers["a graph"]([]byte(`{"data":{"shape":`+front+value+`}}}`)) / 10_000
	}
	assert.Equal(t, 2, int(inside(`"__typename":"Polygon"`)), "the type's name is looked for")
	assert.Equal(t, 3, int(inside(`"__typename":"Star"`)), "and what has an unknown one is read on its own")
}
