package reply_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

func TestWithoutRepeats(t *testing.T) {
	many := hostile.Padded(``, `"n%03d":1`, ``, 1000)
	for raw, want := range map[string]string{
		`7`: `7`, `{}`: `{}`, `{"a":1}`: `{"a":1}`, ` [ {"a":1} , {"a":2} ] `: ` [ {"a":1} , {"a":2} ] `,
		`{"a":1,"a":2}`:                                `{"a":2}`,
		`{ "a" : 1 , "b" : 2 , "a" : 3 }`:              `{ "b" : 2 , "a" : 3 }`,
		`{"a":1,"b":2,"a":3,"b":4}`:                    `{"a":3,"b":4}`,
		`{"a":1,"a":2,"a":3,"b":4}`:                    `{"a":3,"b":4}`,
		`{"a":{"b":1,"b":2},"a":{"b":3,"b":4}}`:        `{"a":{"b":4}}`,
		`{"a":{"a":1},"b":{"a":2,"c":{"a":3}}}`:        `{"a":{"a":1},"b":{"a":2,"c":{"a":3}}}`,
		`{"x":{"p":1,"p":2},"y":3,"x":4}`:              `{"y":3,"x":4}`,
		`{"y":0,"x":{"p":1,"p":2},"y":3}`:              `{"x":{"p":2},"y":3}`,
		`{"\u0061":1,"a":2}`:                           `{"a":2}`,
		`{"a\"b":",\"x","a\"b":2}`:                     `{"a\"b":2}`,
		`[{"a":1,"a":[]},{"a":2,"a":[{"b":0,"b":1}]}]`: `[{"a":[]},{"a":[{"b":1}]}]`,
		`{` + many + `,` + many + `}`:                  `{` + many + `}`,
	} {
		unique, _, read, err := reply.WithoutRepeatsCounted([]byte(raw))
		require.NoError(t, err, raw)
		assert.Equal(t, want, string(unique))
		assert.LessOrEqual(t, read, int64(len(raw)))
	}
	for _, raw := range []string{``, `{`, `{"a":1,"a":tru,"a":2}`, `{"a":1,"a"}`, `{}{}`, `[1,]`, `{"a":1,}`} {
		_, _, _, err := reply.WithoutRepeatsCounted([]byte(raw))
		assert.Error(t, err, "%s: what is taken out has to be JSON, too", raw)
	}
}

// TestNestingIsFolded has values that nobody reads, at any depth: a body is what it is without them.
func TestNestingIsFolded(t *testing.T) {
	deep := func(levels int) string { return hostile.Nested(`[`, `"]"`, `]`, levels) }
	said := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for _, levels := range []int{reply.MaxDepth - 2, reply.MaxDepth - 1, reply.MaxDepth + 20, 2*reply.MaxDepth + 1, 1_000_000} {
		for _, kind := range []string{
			api.ResponseData, api.ResponseList, api.ResponsePage, api.ResponseCursor, api.ResponseMaybe,
			api.ResponseConfirm, api.ResponseNone, api.ResponseRecord, api.ResponseArray, api.ResponseEmpty,
		} {
			got, err := read[thing](kind, jsonType, []byte(`{"data":{"id":"a","x":`+deep(levels)+`}}`))
			want, wanted := read[thing](kind, jsonType, []byte(`{"data":{"id":"a","x":[]}}`))
			assert.Equal(t, said(wanted), said(err), kind)
			assert.Equal(t, want, got, kind)
		}
		assert.Equal(t, "no", reply.Explain(jsonType, []byte(`{"x":`+deep(levels)+`,"error":"no"}`)))
		_, err := read[thing](api.ResponseData, jsonType, []byte(`{"data":{"id":"a","x":`+hostile.Nested(`[`, `tru`, `]`, levels)+`}}`))
		var malformed *reply.Malformed
		require.ErrorAs(t, err, &malformed)
		assert.Equal(t, reply.Syntax, malformed.Reason)
		_, err = read[thing](api.ResponseData, jsonType, []byte(`{"data":{"id":"a","x":`+strings.Repeat(`{"a":`, levels)))
		require.ErrorAs(t, err, &malformed)
		assert.Equal(t, reply.Truncated, malformed.Reason)
	}
}

// TestNestingThatIsRead hands a value out as it came, up to what encoding/json takes, and reads no more than the cap.
func TestNestingThatIsRead(t *testing.T) {
	raw := func(levels int) string {
		return hostile.Nested(`{"`+strings.Repeat("x", 50)+`":[1,[], `, `"\ud800"`, `]}`, levels/2)
	}
	for levels, reason := range map[int]reply.Reason{98: "", 100: "", 102: "", 302: "", 8998: "", 9000: reply.TooDeep, 200_000: reply.TooDeep} {
		body := []byte(`{"data":[{"x":` + raw(levels-2) + `}]}`)
		got, err := read[[]map[string]json.RawMessage](api.ResponseList, jsonType, body)
		if reason == "" {
			require.NoError(t, err)
			assert.Equal(t, raw(levels-2), string(got.Data[0]["x"]))
			_, err = read[any](api.ResponseData, jsonType, body)
			assert.Equal(t, levels <= reply.MaxDepth, err == nil, levels) // The innermost levels are shorter than a mark.
			continue
		}
		var malformed *reply.Malformed
		require.ErrorAs(t, err, &malformed)
		assert.Equal(t, reply.Malformed{Reason: reason, Detail: `more than 9000 levels at "/data/0/x"`}, *malformed)
	}
	_, err := read[any](api.ResponseData, jsonType, []byte(`{"data":`+hostile.Nested(`[`, `"`+strings.Repeat("x", 50)+`"`, `]`, 101)+`}`))
	require.ErrorContains(t, err, "nested too deeply: more than 100 levels at")
}

func TestWhereTextsEnd(t *testing.T) {
	var malformed *reply.Malformed
	// Brackets in texts are none, wherever the texts before them end.
	for backslashes := range 6 {
		text := `"` + strings.Repeat(`\`, backslashes) + strings.Repeat(`""`, backslashes%2)[:backslashes%2] + `"`
		for after, reason := range map[string]reply.Reason{
			`"` + strings.Repeat(`[`, 200) + `"`: reply.Truncated, strings.Repeat(`[`, 200) + `tru` + strings.Repeat(`]`, 200): reply.Syntax,
		} {
			_, err := read[thing](api.ResponseData, jsonType, []byte(`{"data":[`+text+`,`+after))
			require.ErrorAs(t, err, &malformed)
			assert.Equal(t, reason, malformed.Reason, "%d backslashes", backslashes)
		}
	}
	_, err := read[thing](api.ResponseData, jsonType, []byte(`{"data":{"id":"`+strings.Repeat(`[{\"\\`, 200)+`"}}`))
	require.NoError(t, err)
}

// countdown is a context that ends when it has been asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestTheContextIsAskedBetweenPasses(t *testing.T) {
	op := &api.Operation{Response: api.ResponseData, Idempotent: true}
	for body, passes := range map[string]int{
		`{"data":{"id":"a"}}`:                       1,
		`{"data":{"id":"a","id":"b"}}`:              3,
		`{"data":{"id":7}}`:                         3,
		`{"data":{"id":[]}}`:                        4,
		`{"data":null,"error":"no"}`:                2,
		`{"data":{"id":[]},"error":"no"}`:           4,
		`{"data":{"id":"a"},"error":{"message":1}}`: 2,
	} {
		for enough := range passes {
			_, err := reply.Read[thing](&countdown{context.Background(), enough}, op, "", []byte(body))
			if enough < passes-1 {
				require.Equal(t, context.DeadlineExceeded, err, "%s in %d", body, enough)
			} else {
				require.NotErrorIs(t, err, context.DeadlineExceeded, "%s in %d", body, enough)
			}
		}
	}
	maybe := &api.Operation{Response: api.ResponseMaybe}
	for body, passes := range map[string]int{`{"data":{"id":"a"}}`: 2, `{"data":{"id":7}}`: 4, `{"data":{"id":["a"]}}`: 4} {
		for enough := range passes {
			_, err := reply.Read[thing](&countdown{context.Background(), enough}, maybe, "", []byte(body))
			require.Equal(t, enough < passes-1, err != nil, "%s in %d", body, enough)
			require.True(t, err == nil || errors.Is(err, context.DeadlineExceeded))
		}
	}
	page := &api.Operation{Response: api.ResponsePage, Idempotent: true}
	_, err := reply.Read[[]admin.Endpoint](&countdown{context.Background(), 2}, page, "", []byte(`{"data":[{"id":7,"x":1}]}`))
	require.Equal(t, context.DeadlineExceeded, err, "so is what no field is for")
	record := &api.Operation{Response: api.ResponseRecord, Idempotent: true}
	_, err = reply.Read[thing](&countdown{context.Background(), 0}, record, "", []byte(`{"id":"a","error":null}`))
	require.Equal(t, context.DeadlineExceeded, err, "the error is looked for in a pass of its own")
}

// FuzzDecode takes repeated names out of a body, and holds what is left against what encoding/json reads, where the
// last of several values wins as well.
func FuzzDecode(f *testing.F) {
	for _, build := range hostile.Bodies {
		f.Add([]byte(build(300)))
	}
	f.Add([]byte("\xef\xbb\xbf{\"a\":1,\"a\xff\":2}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for way, read := range readers {
			require.LessOrEqual(t, read(raw), int64(6*len(raw)+4096), way)
		}
		raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
		unique, whole, read, err := reply.WithoutRepeatsCounted(raw)
		require.LessOrEqual(t, read, int64(len(raw)))
		if err != nil || !utf8.Valid(raw) {
			return
		}
		require.True(t, json.Valid(raw), "only JSON is taken")
		require.LessOrEqual(t, len(unique), len(raw))
		require.Equal(t, decoded(t, raw), decoded(t, whole))
		require.True(t, jsontext.Value(unique).IsValid(), "no name is left twice")
	})
}

func decoded(t *testing.T, raw []byte) (value any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	require.NoError(t, dec.Decode(&value))
	return value
}
