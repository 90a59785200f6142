package wire

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// builders are all request builders by the ids of their operations. The generated test files fill it.
var builders = map[string]any{}

var operations = slices.Concat(Admin, Alerts)

// build calls a builder with the text for every text among its path parameters, the number for every number, and no
// query or body.
func build(t *testing.T, op *operation.Operation, text string, number int64) *url.URL {
	t.Helper()
	require.Contains(t, builders, op.ID)
	builder := reflect.ValueOf(builders[op.ID])
	var arguments []reflect.Value
	for i := range builder.Type().NumIn() {
		argument := reflect.New(builder.Type().In(i)).Elem()
		switch argument.Kind() {
		case reflect.String:
			argument.SetString(text)
		case reflect.Int64:
			argument.SetInt(number)
		}
		arguments = append(arguments, argument)
	}
	request := builder.Call(arguments)[0].Interface().(Request)
	assert.Same(t, op, request.Operation)
	made, err := request.Address(&url.URL{Scheme: "https", Host: "api.example.com", Path: "/a b", RawPath: "/a%20b"}, ListRepeated)
	require.NoError(t, err)
	return made
}

// checkPath checks that the path of a request is the operation's template with each parameter one part, whatever is
// in it.
func checkPath(t *testing.T, op *operation.Operation, text string, number int64) {
	t.Helper()
	path, found := strings.CutPrefix(build(t, op, text, number).EscapedPath(), "/a%20b")
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

func TestBuilders(t *testing.T) {
	assert.Len(t, builders, len(operations))
	for _, op := range operations {
		checkPath(t, op, "an id", 7)
	}
}

func FuzzPaths(f *testing.F) {
	for _, text := range []string{
		"ep1", "a/b", "ü?#", "100%", "%2e%2e", "a/../b", "...", " ", "\x00", "\xff", "{id}", "a;b=c", "//", "%s",
	} {
		f.Add(text, int64(len(text)))
	}
	f.Fuzz(func(t *testing.T, text string, number int64) {
		if text == "" || text == "." || text == ".." {
			return // No escaping keeps these in their place; the facade refuses them.
		}
		for _, op := range operations {
			checkPath(t, op, text, number)
		}
	})
}

func TestOperations(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range operations {
		assert.False(t, seen[op.ID], op.ID)
		seen[op.ID] = true
		assert.NotEmpty(t, op.Tag)
		assert.NotEmpty(t, op.Paging)
		assert.NotEmpty(t, op.Response)
		assert.Equal(t, strings.HasPrefix(op.Path, "/v0/teams"), op.Bearer, op.ID)
		assert.Equal(t, op.ID == "replaceRateLimits", op.Deprecated, op.ID)
		if op.Method == http.MethodGet || op.Method == http.MethodPut || op.Method == http.MethodDelete {
			assert.True(t, op.Idempotent, op.ID)
		}
		if strings.HasPrefix(op.ID, "create") || strings.HasPrefix(op.ID, "add") || strings.HasPrefix(op.ID, "invite") {
			assert.False(t, op.Idempotent, op.ID)
		}
	}
}

func TestQueries(t *testing.T) {
	params := &admin.ListEndpointsParams{
		Limit: new(5), Search: new("a b&c=d"), Networks: []string{"x", "y,z"}, Dedicated: new(false), TagIDs: []int64{1, 2},
		Statuses: []admin.EndpointStatus{admin.EndpointStatusActive}, SortBy: new(admin.SortBy("name")),
	}
	for style, want := range map[ListStyle]string{
		ListRepeated: "limit=5&search=a+b%26c%3Dd&sort_by=name&networks=x&networks=y%2Cz&statuses=active&dedicated=false&tag_ids=1&tag_ids=2",
		ListBrackets: strings.ReplaceAll("limit=5&search=a+b%26c%3Dd&sort_by=name&networks[]=x&networks[]=y%2Cz&statuses[]=active&dedicated=false&tag_ids[]=1&tag_ids[]=2", "[]", "%5B%5D"),
		ListCommas:   "limit=5&search=a+b%26c%3Dd&sort_by=name&networks=x,y%2Cz&statuses=active&dedicated=false&tag_ids=1,2",
	} {
		request := ListEndpoints(params)
		made, err := request.Address(&url.URL{Scheme: "https", Host: "api.example.com"}, style)
		require.NoError(t, err)
		assert.Equal(t, want, made.RawQuery)
		assert.Equal(t, "https://api.example.com/v0/endpoints?"+want, made.String())
	}
	for _, nothing := range []*admin.ListEndpointsParams{nil, {}} {
		request := ListEndpoints(nothing)
		made, err := request.Address(&url.URL{Scheme: "https", Host: "api.example.com"}, ListRepeated)
		require.NoError(t, err)
		assert.Empty(t, made.RawQuery)
	}
}
