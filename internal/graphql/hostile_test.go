package graphql_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

// readers are the ways to read a body. They return the number of bytes that they went through.
var readers = map[string]func(raw []byte) int64{
	"a graph":         func(raw []byte) int64 { return graphql.WorkOfRead(shapes, &drawing{}, raw) },
	"a failed status": graphql.WorkOfErrors,
}

// TestRead_hostileBodiesAreLinear reads every hostile body in every way.
func TestRead_hostileBodiesAreLinear(t *testing.T) { hostile.Linear(t, readers, 6) }

func BenchmarkHostile(b *testing.B) { hostile.Benchmark(b, readers) }

// TestRead_countsPasses holds the count of the bytes that decoders go through against the passes that a body takes.
func TestRead_countsPasses(t *testing.T) {
	keeping := func(raw []byte) int64 { return graphql.WorkOfRead(withExtra(shapes), new(keeper), raw) }
	for _, test := range []struct {
		way    func([]byte) int64
		rest   string
		passes int
	}{
		{readers["a graph"], `"data":{"title":"a"}`, 1},
		{readers["a graph"], `"data":{"title":[]}`, 4},
		{readers["a graph"], `"error":"no"`, 2},
		{keeping, `"data":{"name":"a"}`, 1},
	} {
		raw := []byte(`{"front":"` + strings.Repeat("x", 10_000) + `",` + test.rest + `}`)
		assert.Equal(t, test.passes, int(math.Round(float64(test.way(raw))/float64(len(raw)))), test.rest)
	}
}
