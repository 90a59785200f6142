package reply_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/test/hostile"
)

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
		var malformed *reply.Malformed
		_, err := read[thing](api.ResponseData, jsonType, []byte(`{"data":{"id":"a","x":`+strings.Repeat(`{"a":`, levels)))
		require.ErrorAs(t, err, &malformed)
		assert.Equal(t, reply.Truncated, malformed.Reason)
	}
}

// TestRead_deepKeptValueIsError reads a value as raw JSON, as any value, and as a recursive type: it is whole, or an
// error.
func TestRead_deepKeptValueIsError(t *testing.T) {
	type recursive []recursive
	for levels, kept := range map[int]bool{150: true, 8998: true, 9020: false, 1_000_000: false} {
		deep := hostile.Nested(`[`, ``, `]`, levels)
		body := []byte(`{"data":{"x":` + deep + `,"y":` + deep + `}}`)
		raw, errRaw := read[map[string]json.RawMessage](api.ResponseData, jsonType, body)
		parsed, errParsed := read[map[string]any](api.ResponseData, jsonType, body)
		typed, errTyped := read[map[string]recursive](api.ResponseData, jsonType, body)
		if kept {
			require.NoError(t, errors.Join(errRaw, errParsed, errTyped))
			for _, value := range []any{raw.Data["y"], parsed.Data["y"], typed.Data["y"]} {
				text, err := json.Marshal(map[string]any{"y": value})
				require.NoError(t, err)
				assert.True(t, `{"y":`+deep+`}` == string(text), "%d levels", levels)
			}
			continue
		}
		for _, err := range []error{errRaw, errParsed, errTyped} {
			var malformed *reply.Malformed
			require.ErrorAs(t, err, &malformed)
			assert.Equal(t, reply.TooDeep, malformed.Reason)
			assert.Contains(t, malformed.Detail, `more than 9000 levels at "/data/x`)
		}
	}
}

// TestText_secondPassChangesNothing reads a body that was read before, as after a drift.
func TestText_secondPassChangesNothing(t *testing.T) {
	deep := hostile.Nested(`[`, `"a long text, or so"`, `]`, 20_000)
	text, found := reply.Text([]byte(deep + `,"[",` + deep))
	assert.True(t, found)
	assert.Less(t, len(text), 19_000*2)
	again, found := reply.Text(text)
	assert.True(t, found)
	assert.Equal(t, string(text), string(again))
	short := hostile.Nested(`[`, `{},{},{},{}`, `]`, 9001)
	text, found = reply.Text([]byte(short))
	assert.False(t, found)
	assert.Equal(t, short, string(text), "a value that is shorter stays")
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

func TestRead_checksContextBetweenPasses(t *testing.T) {
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
