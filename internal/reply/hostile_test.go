package reply_test

import (
	"bytes"
	"encoding/json"
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

// reading returns a way to read a body.
func reading[T any](op api.Operation) func(raw []byte) {
	return func(raw []byte) { _, _ = reply.Read(&op, "", raw, nil, reply.Own(new(T))) }
}

// readers are the ways to read a body.
var readers = map[string]func(raw []byte){
	"a created record":    reading[*thing](api.Operation{Response: api.ResponseData}),
	"a bare record":       reading[*thing](api.Operation{Response: api.ResponseRecord, Idempotent: true}),
	"an array":            reading[[]thing](api.Operation{Response: api.ResponseArray, Idempotent: true}),
	"documented records":  reading[[]admin.Endpoint](api.Operation{Response: api.ResponsePage, Idempotent: true}),
	"a documented record": reading[*admin.Endpoint](api.Operation{Response: api.ResponseData, Idempotent: true}),
	"a written record":    reading[admin.Endpoint](api.Operation{Response: api.ResponseMaybe}),
	"a confirmation":      reading[struct{}](api.Operation{Response: api.ResponseConfirm}),
	"a failed status":     func(raw []byte) { reply.Explain("", raw) },
}

// TestRead_hostileBodiesAreLinear reads every hostile body in every way.
func TestRead_hostileBodiesAreLinear(t *testing.T) { hostile.Linear(t, readers) }

// FuzzDecode compares the library's reading of any body with encoding/json. What was read is there, and nothing of what
// was not.
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
		for _, read := range readers {
			read(raw)
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

// TestRead_skipsDeepUnreadValues nests an unknown value of a record to any depth: the rest of the body is read, and the
// value is kept up to the limit.
func TestRead_skipsDeepUnreadValues(t *testing.T) {
	for levels, names := range map[int][]string{90: {"x", "y"}, 8998: {"x", "y"}, 9001: {"y"}, 1_000_000: {"y"}} {
		deep := hostile.Nested(`[`, `"]["`, `]`, levels)
		for _, kind := range []string{api.ResponseData, api.ResponseRecord, api.ResponseMaybe} {
			record := `{"label":"a","x":` + deep + `,"y":1}`
			if kind != api.ResponseRecord {
				record = `{"data":` + record + `,"error":""}`
			}
			got, err := read[admin.EndpointTag](kind, jsonType, []byte(record))
			require.NoError(t, err, kind)
			assert.Equal(t, names, got.Data.Extra.Names(), kind)
		}
		assert.Equal(t, "no", reply.Explain(jsonType, []byte(`{"x":`+deep+`,"error":"no"}`)))
		_, err := read[thing](api.ResponseData, jsonType, []byte(`{"data":{"id":"a","x":`+strings.Repeat(`{"a":`, levels)))
		requireMalformed(t, reply.Truncated, err)
		for body, reason := range map[string]string{
			`{"label":tru,"x":` + deep + `}`: reply.Syntax, `{"x":` + deep + `,"label":tru}`: reply.Syntax,
			`{"label":{},"x":` + deep + `}`: reply.Shape, `{"x":` + deep + `,"label":{}}`: reply.Shape,
		} {
			_, err := read[admin.EndpointTag](api.ResponseData, jsonType, []byte(`{"data":`+body+`}`))
			requireMalformed(t, reason, err, "%.50s", body)
		}
	}
	_, err := read[map[string]any](api.ResponseData, jsonType, []byte(`{"data":{"x":`+hostile.Nested(`[`, ``, `]`, 9001)+`}}`))
	require.EqualError(t, err, `nested too deeply: more than 9000 levels at "/data"`)
}
