package reply_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

// TestNestingIsFolded has values that are not read, at any depth: a body is read as if it were without them.
func TestNestingIsFolded(t *testing.T) {
	deep := func(levels int) string { return hostile.Nested(`[`, `"]"`, `]`, levels) }
	said := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for _, levels := range []int{reply.MaxDepth - 2, reply.MaxDepth - 1, reply.MaxDepth + 20, 2*reply.MaxDepth + 1,
		1_000_000} {
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
		_, err := read[thing](api.ResponseData, jsonType,
			[]byte(`{"data":{"id":"a","x":`+hostile.Nested(`[`, `tru`, `]`, levels)+`}}`))
		var malformed *reply.Malformed
		if levels < 9000 {
			require.ErrorAs(t, err, &malformed)
			assert.Equal(t, reply.Syntax, malformed.Reason)
		}
		_, err = read[thing](api.ResponseData, jsonType, []byte(`{"data":{"id":"a","x":`+strings.Repeat(`{"a":`, levels)))
		require.ErrorAs(t, err, &malformed)
		assert.Equal(t, reply.Truncated, malformed.Reason)
	}
}

// TestNestingThatIsRead hands a value out as it came, up to the depth that encoding/json takes, and reads no more than
// the cap.
func TestNestingThatIsRead(t *testing.T) {
	raw := func(levels int) string {
		return hostile.Nested(`{"`+strings.Repeat("x", 50)+`":[1,[], `, `"\ud800"`, `]}`, levels/2)
	}
	for levels, reason := range map[int]string{98: "", 100: "", 102: "", 302: "", 8998: "", 9000: reply.TooDeep,
		200_000: reply.TooDeep} {
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
	_, err := read[any](api.ResponseData, jsonType,
		[]byte(`{"data":`+hostile.Nested(`[`, `"`+strings.Repeat("x", 50)+`"`, `]`, 101)+`}`))
	require.ErrorContains(t, err, "nested too deeply: more than 100 levels at")
}

func TestWhereTextsEnd(t *testing.T) {
	var malformed *reply.Malformed
	// Brackets in texts do not count, at whatever place the texts before them end.
	for backslashes := range 6 {
		text := `"` + strings.Repeat(`\`, backslashes) + strings.Repeat(`""`, backslashes%2)[:backslashes%2] + `"`
		for after, reason := range map[string]string{
			`"` + strings.Repeat(`[`, 200) + `"`: reply.Truncated, strings.Repeat(`[`, 200) + `tru` +
				strings.Repeat(`]`, 200): reply.Syntax,
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
	for _, test := range []struct {
		kind, body string
		passes     int
	}{
		{api.ResponseData, `{"data":{"id":"a"}}`, 2},
		{api.ResponseData, `{"data":{"id":7}}`, 3},
		{api.ResponseData, `{"data":{"id":[]}}`, 3},
		{api.ResponseData, `{"data":null,"error":"no"}`, 1},
		{api.ResponseData, `{"data":{"id":[]},"success":false}`, 3},
		{api.ResponseRecord, `{"id":"a","error":null}`, 2},
		{api.ResponseMaybe, `{"data":{"id":"a"}}`, 2},
		{api.ResponseMaybe, `{"data":{"id":["a"]}}`, 3},
	} {
		op := &api.Operation{Response: test.kind, Idempotent: true}
		for enough := range test.passes {
			_, err := reply.Read[thing](&countdown{context.Background(), enough}, op, "", []byte(test.body))
			if enough < test.passes-1 {
				require.Equal(t, context.DeadlineExceeded, err, "%s in %d", test.body, enough)
			} else {
				require.NotErrorIs(t, err, context.DeadlineExceeded, "%s in %d", test.body, enough)
			}
		}
	}
}

// FuzzDecode compares the library's reading of any body with encoding/json, and the work of reading it in every way
// with its size.
func FuzzDecode(f *testing.F) {
	for _, build := range hostile.Bodies {
		f.Add([]byte(build(300)))
	}
	f.Add([]byte("\xef\xbb\xbf{\"a\":1,\"a\xff\":2}"))
	f.Add([]byte(`{"a":{"b":1},"a":{"c":[2]},"a":{"c":[null]}}`)) // The last value counts; values are not merged.
	f.Fuzz(func(t *testing.T, raw []byte) {
		for way, read := range readers {
			require.LessOrEqual(t, read(raw), int64(passes*len(raw)+4096), way)
		}
		raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
		got, err := reply.Undocumented[any](raw, true)
		if err != nil || !utf8.Valid(raw) {
			return
		}
		var want any
		require.NoError(t, json.Unmarshal(raw, &want))
		require.Equal(t, want, got.Data)
	})
}
