package leaf_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/leaf"
)

const text = `{"data":{"id":"a","n":12345678901234567890.10,"a/b":1,"m~n":2,"tags":[{"id":1},{"id":2}]}}`

func TestEdits(t *testing.T) {
	set := func(pointer string, value any) func() ([]byte, bool) {
		return func() ([]byte, bool) { return leaf.Set([]byte(text), pointer, value) }
	}
	drop := func(pointer string) func() ([]byte, bool) {
		return func() ([]byte, bool) { return leaf.Drop([]byte(text), pointer) }
	}
	for name, c := range map[string]struct {
		edit func() ([]byte, bool)
		want string // Empty where nothing changes.
	}{
		"another type":        {set("/data/id", 7), `{"data":{"id":7,"n":12345678901234567890.10,"a/b":1,"m~n":2,"tags":[{"id":1},{"id":2}]}}`},
		"null":                {set("/data/tags", nil), `{"data":{"id":"a","n":12345678901234567890.10,"a/b":1,"m~n":2,"tags":null}}`},
		"an unknown member":   {set("/data/tags/1/x", true), `{"data":{"id":"a","n":12345678901234567890.10,"a/b":1,"m~n":2,"tags":[{"id":1},{"id":2,"x":true}]}}`},
		"an element":          {set("/data/tags/0", "x"), `{"data":{"id":"a","n":12345678901234567890.10,"a/b":1,"m~n":2,"tags":["x",{"id":2}]}}`},
		"an escaped slash":    {drop("/data/a~1b"), `{"data":{"id":"a","n":12345678901234567890.10,"m~n":2,"tags":[{"id":1},{"id":2}]}}`},
		"an escaped tilde":    {drop("/data/m~0n"), `{"data":{"id":"a","n":12345678901234567890.10,"a/b":1,"tags":[{"id":1},{"id":2}]}}`},
		"a member gone":       {drop("/data"), `{}`},
		"an element gone":     {drop("/data/tags/0"), `{"data":{"id":"a","n":12345678901234567890.10,"a/b":1,"m~n":2,"tags":[{"id":2}]}}`},
		"no such holder":      {set("/nothing/id", 7), ""},
		"no object":           {set("/data/id/x", 7), ""},
		"beyond the end":      {set("/data/tags/2", 7), ""},
		"inside what is not":  {set("/data/tags/2/id", 7), ""},
		"a padded index":      {set("/data/tags/00", 7), ""},
		"a sign":              {drop("/data/tags/+1"), ""},
		"no such member":      {drop("/data/name"), ""},
		"no such element":     {drop("/data/tags/-1"), ""},
		"nothing to drop":     {drop("/data/id/x"), ""},
		"no pointer":          {drop("data"), ""},
		"no value for a text": {set("/data/id", make(chan int)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			edited, changed := c.edit()
			if c.want == "" {
				assert.False(t, changed)
				assert.Equal(t, text, string(edited))
				return
			}
			assert.True(t, changed)
			assert.JSONEq(t, c.want, string(edited))
		})
	}
	edited, changed := leaf.Set([]byte("<html>"), "/data", 1)
	assert.False(t, changed)
	assert.Equal(t, "<html>", string(edited))
	edited, _ = leaf.Set([]byte(`{"n":12345678901234567890.10}`), "/x", 1)
	assert.Equal(t, `{"n":12345678901234567890.10,"x":1}`, string(edited), "numbers stay as they are spelled")
}

func TestCheck(t *testing.T) {
	for pointer, good := range map[string]bool{
		"/data": true, "/": true, "/a~0b~1c": true, "": false, "data": false, "/a~": false, "/a~2": false,
	} {
		assert.Equal(t, good, leaf.Check(pointer) == nil, pointer)
	}
}

func FuzzEdit(f *testing.F) {
	for _, pointer := range []string{"/data/id", "/data/tags/0/id", "/", "", "/~", "/data/tags/-", "/data/a~1b"} {
		f.Add(text, pointer)
	}
	f.Fuzz(func(t *testing.T, text, pointer string) {
		for _, edit := range []func() ([]byte, bool){
			func() ([]byte, bool) { return leaf.Set([]byte(text), pointer, 7) },
			func() ([]byte, bool) { return leaf.Drop([]byte(text), pointer) },
		} {
			if edited, changed := edit(); changed && !json.Valid(edited) {
				t.Errorf("%q at %q: %q", text, pointer, edited)
			} else if !changed && string(edited) != text {
				t.Errorf("%q at %q: changed all the same: %q", text, pointer, edited)
			}
		}
	})
}
