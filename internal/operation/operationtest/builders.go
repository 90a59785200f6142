// Package operationtest tests generated request builders against the operations that they build for. A builder is a
// function of the address of its area, the path parameters, and the query parameters or the body.
package operationtest

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// request calls a builder with the text for every text of its path, the number for every number, and no parameters.
func request(t *testing.T, build any, text string, number int64) *http.Request {
	t.Helper()
	f := reflect.ValueOf(build)
	arguments := []reflect.Value{reflect.ValueOf("https://api.example.com/base/")}
	for i := 1; i < f.Type().NumIn(); i++ {
		argument := reflect.New(f.Type().In(i)).Elem()
		switch argument.Kind() {
		case reflect.String:
			argument.SetString(text)
		case reflect.Int64:
			argument.SetInt(number)
		}
		arguments = append(arguments, argument)
	}
	results := f.Call(arguments)
	require.Nil(t, results[1].Interface())
	return results[0].Interface().(*http.Request)
}

// checkPath calls a builder and checks that the request's path is the operation's template with each parameter one
// segment, whatever is in it.
func checkPath(t *testing.T, op operation.Operation, build any, text string, number int64) {
	t.Helper()
	r := request(t, build, text, number)
	path, found := strings.CutPrefix(r.URL.EscapedPath(), "/base")
	require.True(t, found, path)
	want, got := strings.Split(op.Path, "/"), strings.Split(path, "/")
	require.Len(t, got, len(want), "%s: %q became %s", op.ID, text, path)
	for i := range want {
		if !strings.HasPrefix(want[i], "{") {
			assert.Equal(t, want[i], got[i], op.ID)
			continue
		}
		value, err := url.PathUnescape(got[i])
		require.NoError(t, err)
		assert.Contains(t, []string{text, fmt.Sprint(number)}, value, op.ID)
	}
}

// Check checks the builders of all of an area's operations, which come in the order of its table.
func Check(t *testing.T, table []operation.Operation, builders []any) {
	t.Helper()
	require.Len(t, builders, len(table))
	for i, op := range table {
		r := request(t, builders[i], "an id", 7)
		assert.Equal(t, op.Method, r.Method, op.ID)
		checkPath(t, op, builders[i], "an id", 7)
		if r.Body != nil {
			assert.Equal(t, "application/json", r.Header.Get("Content-Type"))
			assert.NotNil(t, r.GetBody, "%s: a repeated try needs the body again", op.ID)
		}
	}
}

// Fuzz checks the paths of the builders for any text. The facade refuses those that no escaping keeps a segment.
func Fuzz(f *testing.F, table []operation.Operation, builders []any) {
	for _, text := range []string{
		"ep1", "a/b", "ü?#", "100%", "%2e%2e", "a/../b", "...", " ", "\x00", "\xff", "{id}", "a;b=c", "//", "%s",
	} {
		f.Add(text, int64(len(text)))
	}
	f.Fuzz(func(t *testing.T, text string, number int64) {
		if text == "" || text == "." || text == ".." {
			return
		}
		for i, op := range table {
			checkPath(t, op, builders[i], text, number)
		}
	})
}
