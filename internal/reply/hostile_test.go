package reply_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

// readers are the ways to read a body. They return the number of bytes that they went through.
var readers = map[string]func(raw []byte) int64{
	"a record": func(raw []byte) int64 {
		return reply.WorkOfRead[*thing](&api.Operation{Response: api.ResponseData, Idempotent: true}, raw)
	},
	"a created record": func(raw []byte) int64 {
		return reply.WorkOfRead[*thing](&api.Operation{Response: api.ResponseData}, raw)
	},
	"a bare record": func(raw []byte) int64 {
		return reply.WorkOfRead[*thing](&api.Operation{Response: api.ResponseRecord, Idempotent: true}, raw)
	},
	"a page": func(raw []byte) int64 {
		return reply.WorkOfRead[[]thing](&api.Operation{Response: api.ResponsePage, Idempotent: true}, raw)
	},
	"an array": func(raw []byte) int64 {
		return reply.WorkOfRead[[]thing](&api.Operation{Response: api.ResponseArray, Idempotent: true}, raw)
	},
	"documented records": func(raw []byte) int64 {
		return reply.WorkOfRead[[]admin.Endpoint](&api.Operation{Response: api.ResponsePage, Idempotent: true}, raw)
	},
	"a documented record": func(raw []byte) int64 {
		return reply.WorkOfRead[*admin.SingleEndpoint](&api.Operation{Response: api.ResponseRecord, Idempotent: true}, raw)
	},
	"a written record": func(raw []byte) int64 {
		return reply.WorkOfRead[thing](&api.Operation{Response: api.ResponseMaybe}, raw)
	},
	"a confirmation": func(raw []byte) int64 {
		return reply.WorkOfRead[struct{}](&api.Operation{Response: api.ResponseConfirm}, raw)
	},
	"nothing": func(raw []byte) int64 {
		return reply.WorkOfRead[struct{}](&api.Operation{Response: api.ResponseEmpty}, raw)
	},
	"a failed status": reply.WorkOfExplain,
}

// TestRead_hostileBodiesAreLinear reads every hostile body in every way.
func TestRead_hostileBodiesAreLinear(t *testing.T) { hostile.Linear(t, readers, passes) }

// passes is how often a body is gone through at most: by four decoders, and by the search for the words of a failure
// once a level.
const passes = 12

func BenchmarkHostile(b *testing.B) { hostile.Benchmark(b, readers) }

// TestRead_countsPasses compares the count of the bytes that decoders read, on which the tests of hostile bodies rely,
// with the passes that an undocumented body takes. Most of each body is in front of the part that decides.
func TestRead_countsPasses(t *testing.T) {
	for _, test := range []struct {
		way    func([]byte) int64
		rest   string
		passes int
	}{
		{readers["a record"], `"data":{"id":"a"}`, 2},
		{readers["a record"], `"data":{"id":7}`, 3},
		{readers["a record"], `"data":{"id":[]}`, 3},
		{readers["a record"], `"data":null,"error":"no"`, 1},
		{readers["a record"], `"data":{}x`, 1},
		{readers["a bare record"], `"id":"a","error":""`, 2},
		{readers["a written record"], `"data":{"id":"a"}`, 2},
		{readers["a written record"], `"data":null`, 1},
		{readers["nothing"], `"data":null`, 1},
		{readers["a failed status"], `"error":"no"`, 1},
	} {
		raw := []byte(`{"front":"` + strings.Repeat("x", 10_000) + `",` + test.rest + `}`)
		assert.Equal(t, test.passes, int(math.Round(float64(test.way(raw))/float64(len(raw)))), test.rest)
	}
}
