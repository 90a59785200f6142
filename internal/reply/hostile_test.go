package reply_test

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

// reading returns a way to read a body. It returns the number of bytes that it went through.
func reading[T any](op api.Operation) func(raw []byte) int64 {
	return func(raw []byte) int64 { return reply.WorkOfRead(&op, raw, &reply.Own[T]{}) }
}

// readers are the ways to read a body.
var readers = map[string]func(raw []byte) int64{
	"a record":            reading[*thing](api.Operation{Response: api.ResponseData, Idempotent: true}),
	"a created record":    reading[*thing](api.Operation{Response: api.ResponseData}),
	"a bare record":       reading[*thing](api.Operation{Response: api.ResponseRecord, Idempotent: true}),
	"a page":              reading[[]thing](api.Operation{Response: api.ResponsePage, Idempotent: true}),
	"an array":            reading[[]thing](api.Operation{Response: api.ResponseArray, Idempotent: true}),
	"documented records":  reading[[]admin.Endpoint](api.Operation{Response: api.ResponsePage, Idempotent: true}),
	"a documented record": reading[*admin.SingleEndpoint](api.Operation{Response: api.ResponseRecord, Idempotent: true}),
	"a written record":    reading[thing](api.Operation{Response: api.ResponseMaybe}),
	"a confirmation":      reading[struct{}](api.Operation{Response: api.ResponseConfirm}),
	"nothing":             reading[struct{}](api.Operation{Response: api.ResponseEmpty}),
	"a failed status":     reply.WorkOfExplain,
}

// TestRead_hostileBodiesAreLinear reads every hostile body in every way.
func TestRead_hostileBodiesAreLinear(t *testing.T) { hostile.Linear(t, readers, passes) }

// passes is how often a body is gone through at most: by four decoders, and by the search for the words of a failure
// once a level.
const passes = 12

func BenchmarkHostile(b *testing.B) { hostile.Benchmark(b, readers) }

// TestRead_checksContextBetweenPasses compares the count of the bytes that decoders read, on which the tests of hostile
// bodies rely, with the passes that an undocumented body takes, and ends the context between them. Most of each body is
// in front of the part that decides.
func TestRead_checksContextBetweenPasses(t *testing.T) {
	around := func(rest string) []byte {
		return []byte(`{"front":"` + strings.Repeat("x", 10_000) + `",` + rest + `}`)
	}
	passes := func(work int64, raw []byte) int { return int(math.Round(float64(work) / float64(len(raw)))) }
	for _, test := range []struct {
		kind, rest string
		passes     int
	}{
		{api.ResponseData, `"data":{"id":"a"}`, 1},
		{api.ResponseData, `"data":{"id":7}`, 3},
		{api.ResponseData, `"data":{"id":[]}`, 3},
		{api.ResponseData, `"data":null,"error":"no"`, 2},
		{api.ResponseData, `"data":{}x`, 2},
		{api.ResponseData, `"data":{"id":[]},"success":false`, 3},
		{api.ResponseRecord, `"id":"a","error":""`, 2},
		{api.ResponseMaybe, `"data":{"id":"a"}`, 2},
		{api.ResponseMaybe, `"data":{"id":["a"]}`, 3},
		{api.ResponseMaybe, `"data":null`, 1},
		{api.ResponseEmpty, `"data":null`, 1},
	} {
		op, raw := &api.Operation{Response: test.kind, Idempotent: true}, around(test.rest)
		assert.Equal(t, test.passes, passes(reply.WorkOfRead(op, raw, &reply.Own[thing]{}), raw), test.rest)
	}
	for _, failed := range [][]byte{around(`"error":"no"`), []byte(`["no"]`)} {
		assert.Equal(t, 2, passes(reply.WorkOfExplain(failed), failed))
	}
}

// FuzzDecode compares the library's reading of any body with encoding/json, and the work of reading it in every way
// with its size. What was read is there, and nothing of what was not.
func FuzzDecode(f *testing.F) {
	for _, build := range hostile.Bodies {
		f.Add([]byte(build(300)))
	}
	for _, seed := range []string{
		"\xef\xbb\xbf{\"a\":1,\"a\xff\":2}",
		`{"a":{"b":1},"a":{"c":[2]},"a":{"c":[null]}}`, // The last value counts; values are not merged.
		`{"data":{"id":"a"},"error":null}`, `{"data":null,"error":"nope"}`, `{"data":[{"id":"a"}],"next_at":"x"}`,
		`{"data":{"id":"a","id":"b"}}`, `{"data":false}`, `{}`, ``, `[`, `{"data":`, "\xff", `{"error":{"message":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for way, read := range readers {
			require.LessOrEqual(t, read(raw), int64(passes*len(raw)+4096), way)
		}
		for _, kind := range []string{api.ResponseData, api.ResponseRecord} {
			record, err := read[*thing](kind, jsonType, raw)
			require.Equal(t, err == nil, record.Data != nil)
		}
		list, err := read[[]thing](api.ResponseCursor, jsonType, raw)
		require.True(t, err == nil || reflect.ValueOf(list).IsZero())
		raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
		got, err := read[any](api.ResponseRecord, "", raw)
		if err != nil || !utf8.Valid(raw) {
			return
		}
		var want any
		require.NoError(t, json.Unmarshal(raw, &want))
		require.Equal(t, want, got.Data)
	})
}

// TestRead_skipsDeepUnreadValues nests a value that is not kept to any depth: the rest of the body is read.
func TestRead_skipsDeepUnreadValues(t *testing.T) {
	for _, levels := range []int{90, 150, 8998, 8999, 1_000_000} {
		deep := hostile.Nested(`[`, `"]["`, `]`, levels)
		for _, kind := range []string{api.ResponseData, api.ResponseRecord, api.ResponseMaybe} {
			body := `{"data":{"id":"a","x":` + deep + `,"tags":[]},"id":"a","error":""}`
			got, err := read[thing](kind, jsonType, []byte(body))
			require.NoError(t, err, kind)
			assert.Equal(t, "a", got.Data.ID, kind)
		}
		assert.Equal(t, "no", reply.Explain(jsonType, []byte(`{"x":`+deep+`,"error":"no"}`)))
		_, err := read[thing](api.ResponseData, jsonType, []byte(`{"data":{"id":"a","x":`+strings.Repeat(`{"a":`, levels)))
		requireMalformed(t, reply.Truncated, err)
	}
}

// TestRead_keepsShortValuesBesideDeepOnes reads a record with unknown fields, and reports errors beside them.
func TestRead_keepsShortValuesBesideDeepOnes(t *testing.T) {
	deep := `"x":` + hostile.Nested(`[`, `"a long text, or so"`, `]`, 9001)
	for body, names := range map[string][]string{
		`{"":1,"tag_id":1,"y":[-0e9]}`: {"", "y"}, `{"label":"a",` + deep + `,"y":1}`: {"y"},
	} {
		got, err := read[admin.EndpointTag](api.ResponseData, jsonType, []byte(`{"data":`+body+`}`))
		require.NoError(t, err, "%.50s", body)
		assert.Equal(t, names, got.Data.Extra.Names())
	}
	for body, reason := range map[string]string{
		`{"label":tru,` + deep + `}`: reply.Syntax, `{` + deep + `,"label":tru}`: reply.Syntax,
		`{"label":{},` + deep + `}`: reply.Shape, `{` + deep + `,"label":{}}`: reply.Shape,
	} {
		_, err := read[admin.EndpointTag](api.ResponseData, jsonType, []byte(`{"data":`+body+`}`))
		requireMalformed(t, reason, err, "%.50s", body)
	}
}

// TestCut_replacesDeepValues cuts what is in as many levels as are allowed.
func TestCut_replacesDeepValues(t *testing.T) {
	const mark = `[-0e9]`
	for inner, want := range map[string]string{
		`1,"\"[["`: `1,"\"[["`, `[],1,{"a":[{}]},"["`: mark + `,1,` + mark + `,"["`, mark: mark,
		hostile.Nested(`[`, `"a long text"`, `]`, 20_000): mark, strings.Repeat(`[`, 9000): ``,
	} {
		text := reply.Cut([]byte(strings.Repeat(`[`, 9000) + inner))
		assert.Equal(t, want, strings.TrimPrefix(string(text), strings.Repeat(`[`, 9000)), "%.20s", inner)
	}
	many := []byte(hostile.Nested(`[`, strings.Repeat(`[],`, 100_000)+`[]`, `]`, 9000))
	assert.Less(t, len(reply.Cut(many)), 3*len(many))
}
