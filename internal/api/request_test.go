package api

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// builders are all request builders by the ids of their operations. The generated test files fill it.
var builders = map[string]any{}

var operations = slices.Concat(Admin, Alerts, Webhooks, KeyValue, Streams)

// build calls a builder with the text for every text among its path parameters, the number for every number, and no
// query or body.
func build(t *testing.T, op *Operation, text string, number int64) *url.URL {
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
	request := requestIn(builder.Call(arguments)[0])
	assert.Same(t, op, request.Operation)
	made, err := request.Address(&url.URL{Scheme: "https", Host: "api.example.com", Path: "/a b", RawPath: "/a%20b"})
	require.NoError(t, err)
	assert.Empty(t, made.RawQuery)
	return &made
}

// requestIn returns the request in the result of a builder.
func requestIn(result reflect.Value) Request {
	if request, is := result.Interface().(Request); is {
		return request
	}
	return result.FieldByName("Request").Interface().(Request)
}

// requirePath checks that the path of a request is the operation's template with each parameter one part, whatever is
// in it.
func requirePath(t *testing.T, op *Operation, text string, number int64) {
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

// FuzzPaths builds the path of every operation.
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
			requirePath(t, op, text, number)
		}
	})
}

// TestOperations_areCompleteAndUnique: TestOpenAPI_operationsAreMarked compares all marks with the contract.
func TestOperations_areCompleteAndUnique(t *testing.T) {
	seen := map[string]bool{}
	assert.Len(t, builders, len(operations))
	for _, op := range operations {
		assert.False(t, seen[op.ID], op.ID)
		seen[op.ID] = true
		assert.Equal(t, strings.HasPrefix(op.Path, "/v0/teams"), op.Bearer, op.ID)
		if op.Method == http.MethodGet || op.Method == http.MethodPut || op.Method == http.MethodDelete {
			assert.True(t, op.Idempotent, op.ID)
		}
		if strings.HasPrefix(op.ID, "create") || strings.HasPrefix(op.ID, "add") || strings.HasPrefix(op.ID, "invite") {
			assert.False(t, op.Idempotent, op.ID)
		}
	}
}

// TestAddress_joinsAreaAndPath puts paths behind areas of several spellings.
func TestAddress_joinsAreaAndPath(t *testing.T) {
	for name, c := range map[string]struct {
		area   string
		values []string
		want   string
		raw    string // A spelling that net/url would not use by itself.
	}{
		"plain":  {"https://h", []string{"ep1", "t1", "x"}, "/v0/a/ep1/b/t1/c/x", ""},
		"a path": {"https://h/base", []string{"ep1", "t1", "x"}, "/base/v0/a/ep1/b/t1/c/x", ""},
		"an escaped area": {"https://h/a%2Fb", []string{"ep1", "t1", "x"}, "/a%2Fb/v0/a/ep1/b/t1/c/x",
			"/a%2Fb/v0/a/ep1/b/t1/c/x"},
		"an escaped value": {"https://h/base", []string{"a/b", "ü", "100%"},
			"/base/v0/a/a%2Fb/b/%C3%BC/c/100%25", "/base/v0/a/a%2Fb/b/%C3%BC/c/100%25"},
		"two slashes": {"https://h//base", []string{"ep1", "t1", "x"}, "//base/v0/a/ep1/b/t1/c/x", ""},
		"an area with marks": {"https://h/a!b(c)", []string{"ep1", "t1", "x"}, "/a!b(c)/v0/a/ep1/b/t1/c/x",
			"/a!b(c)/v0/a/ep1/b/t1/c/x"},
	} {
		t.Run(name, func(t *testing.T) {
			area, err := url.Parse(c.area)
			require.NoError(t, err)
			before := *area
			request := NewRequest(&Operation{Path: "/v0/a/{id}/b/{tag_id}/c/{name}"}, c.values...)
			made, err := request.Address(area)
			require.NoError(t, err)
			assert.Equal(t, c.want, made.EscapedPath())
			assert.Equal(t, c.raw, made.RawPath)
			assert.Equal(t, before, *area, "the area's address is as it was")
			read, err := url.Parse(made.String())
			require.NoError(t, err)
			assert.Equal(t, made.Path, read.Path)
			if c.area == "https://h" {
				assert.Equal(t, c.want, request.Path)
			}
		})
	}
}

func TestQuery_encodesValues(t *testing.T) {
	q := Query{{Name: "a b", Value: "c&d"}, {Name: "number", Value: 123}, {Name: "long", Value: int64(-1234567890123)},
		{Name: "yes", Value: true}, {Name: "share", Value: 0.5}, {Name: "empty", Value: ""},
		{Name: "at", Value: time.Unix(0, 0)}}
	const values = "a+b=c%26d&number=123&long=-1234567890123&yes=true&share=0.5&empty=&at=1970-01-01T00%3A00%3A00Z"
	request := Request{Path: "/a", Query: q}
	made, err := request.Address(&url.URL{Scheme: "https", Host: "api.example.com"})
	require.NoError(t, err)
	assert.Equal(t, "https://api.example.com/a?"+values, made.String())
	listing := ListEndpoints(&admin.ListEndpointsParams{Search: new(""), Labels: []string{"1", "2,3"}})
	made, err = listing.Address(&url.URL{})
	require.NoError(t, err)
	assert.Equal(t, "search=&labels=1&labels=2%2C3", made.RawQuery, "a parameter without a value is left out")
	assert.Equal(t, Query{{Name: "end_time", Value: int64(0)}}, GetUsage(&admin.GetUsageParams{EndTime: time.Unix(0, 1)}).Query)
	request.Query = QueryOf(map[string][]string{"b": {"2", "3"}, "a": {"1"}, "c": {}})
	made, err = request.Address(&url.URL{})
	require.NoError(t, err)
	assert.Equal(t, "a=1&b=2&b=3", made.RawQuery)
}

func TestAddress_refusesTimeOutOfRange(t *testing.T) {
	request := ListLogs("ep1", &admin.ListLogsParams{From: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)})
	made, err := request.Address(&url.URL{})
	require.ErrorContains(t, err, "year outside of range")
	assert.Zero(t, made)
}

// router routes the operations of a table as a real service might.
func router(table []*Operation) *chi.Mux {
	r := chi.NewRouter()
	for _, op := range table {
		r.Method(op.Method, op.Path, http.NotFoundHandler())
	}
	return r
}

// words are the fixed parts of all templates, and some values that look like one.
func words(table []*Operation) []string {
	all := []string{"ep1", "Bulk", "tags ", "tag", "bulk/tags", "{id}", "%62ulk", "7"}
	for _, op := range table {
		for part := range strings.SplitSeq(op.Path, "/") {
			if part != "" && !strings.HasPrefix(part, "{") {
				all = append(all, part)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// combinations are the lists of n words, in all combinations.
func combinations(n int, words []string) [][]string {
	if n == 0 {
		return [][]string{nil}
	}
	var all [][]string
	for _, rest := range combinations(n-1, words) {
		for _, word := range words {
			all = append(all, append([]string{word}, rest...))
		}
	}
	return all
}

// TestBuilders_refuseDivertedIDs makes every path with words of other paths. If a router prefers another operation, the
// request is refused.
func TestBuilders_refuseDivertedIDs(t *testing.T) {
	race.Skip(t)
	for area, table := range Areas {
		router, words, diverted := router(table), words(table), 0
		for _, op := range table {
			builder := reflect.ValueOf(builders[op.ID])
			for _, values := range combinations(strings.Count(op.Path, "{"), words) {
				var arguments []reflect.Value
				for i := range builder.Type().NumIn() {
					argument := reflect.New(builder.Type().In(i)).Elem()
					switch {
					case i >= len(values):
					case argument.Kind() == reflect.Int64:
						number, _ := strconv.ParseInt(values[i], 10, 64)
						argument.SetInt(number)
					default:
						argument.SetString(values[i])
					}
					arguments = append(arguments, argument)
				}
				request := requestIn(builder.Call(arguments)[0])
				match := chi.NewRouteContext()
				require.True(t, router.Match(match, op.Method, request.Path), values)
				if match.RoutePattern() != op.Path {
					diverted++
					require.True(t, request.Violation != nil && request.Violation.Always, "%s: %v reaches %s", op.ID, values,
						match.RoutePattern())
				}
			}
		}
		t.Log(area, diverted, "paths reach another operation")
		assert.Equal(t, area != "alerts" && area != "keyvalue", diverted > 0)
	}
}
