package operation_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/race"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

var tables = wire.Areas

// router routes the operations of a table as a real service might.
func router(table []*operation.Operation) *chi.Mux {
	r := chi.NewRouter()
	for _, op := range table {
		r.Method(op.Method, op.Path, http.NotFoundHandler())
	}
	return r
}

// words are the fixed parts of all templates, and some values that look like one.
func words(table []*operation.Operation) []string {
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

// fill puts each word into each parameter of a template, in all combinations.
func fill(template string, words []string) []string {
	before, rest, found := strings.Cut(template, "{")
	if !found {
		return []string{template}
	}
	_, rest, _ = strings.Cut(rest, "}")
	var paths []string
	for _, end := range fill(rest, words) {
		for _, word := range words {
			paths = append(paths, before+url.PathEscape(word)+end)
		}
	}
	return paths
}

// TestDivertedAgreesWithARouter holds the verdict on every operation and every path of it against a router.
func TestDivertedAgreesWithARouter(t *testing.T) {
	race.Skip(t)
	fixed := operation.FixedParts(tables)
	for area, table := range tables {
		router, words, diverted := router(table), words(table), 0
		for _, op := range table {
			for _, path := range fill(op.Path, words) {
				match := chi.NewRouteContext()
				require.True(t, router.Match(match, op.Method, path), path)
				reached := match.RoutePattern()

				verdict := operation.Diverted(op, "/some/base"+path, table)
				require.Equal(t, reached != op.Path, verdict != nil, "%s: %s %s reaches %s", op.ID, op.Method, path, reached)
				if verdict != nil {
					diverted++
					require.True(t, fixed[verdict.Value], "nobody asks about other values")
					require.Equal(t, reached, verdict.To.Path, path)
					require.Equal(t, op.Method, verdict.To.Method)
					require.Contains(t, op.Path, "{"+verdict.Parameter+"}")
					require.Contains(t, verdict.To.Path+"/", "/"+verdict.Value+"/")
				}
			}
		}
		t.Log(area, diverted, "paths reach another operation")
		assert.Equal(t, area == "admin", diverted > 0)
	}
}

func TestDiverted(t *testing.T) {
	table := []*operation.Operation{
		{ID: "get", Method: "GET", Path: "/things/{id}"},
		{ID: "all", Method: "GET", Path: "/things/all"},
		{ID: "make", Method: "POST", Path: "/things/new"},
		{ID: "part", Method: "GET", Path: "/things/{id}/parts/{part_id}"},
		{ID: "best", Method: "GET", Path: "/things/all/parts/best"},
		{ID: "last", Method: "GET", Path: "/things/{id}/{kind}/last"},
		{ID: "slash", Method: "GET", Path: "/things/{id}/"},
	}
	for _, test := range []struct{ op, path, to, parameter string }{
		{"get", "/things/all", "all", "id"},
		{"get", "/things/a%6Cl", "all", "id"},
		{"get", "/things/new", "", ""},
		{"get", "/things/alll", "", ""},
		{"part", "/things/all/parts/best", "best", "id"},
		{"part", "/things/all/parts/7", "", ""},
		{"part", "/things/7/parts/best", "", ""},
		{"part", "/things/7/parts/last", "", ""}, // The fixed part that comes first wins.
		{"last", "/things/7/parts/last", "part", "kind"},
		{"all", "/things/all", "", ""},
		{"part", "/all", "", ""},
		{"slash", "/things/all/", "all", "id"},
		{"slash", "/things/alll/", "", ""},
	} {
		at := slices.IndexFunc(table, func(op *operation.Operation) bool { return op.ID == test.op })
		verdict := operation.Diverted(table[at], test.path, table)
		if test.to == "" {
			assert.Nil(t, verdict, test)
			continue
		}
		require.NotNil(t, verdict, test)
		assert.Equal(t, test.to, verdict.To.ID, test)
		assert.Equal(t, test.parameter, verdict.Parameter, test)
	}
}

func FuzzDiverted(f *testing.F) {
	for _, word := range []string{"ep1", "tags", "bulk", "", "/", "%", "a%2Fb"} {
		f.Add(word, uint8(20))
	}
	f.Fuzz(func(t *testing.T, path string, at uint8) {
		for _, table := range tables {
			op := table[int(at)%len(table)]
			if verdict := operation.Diverted(op, path, table); verdict != nil && (verdict.To.ID == op.ID || verdict.To.Method != op.Method) {
				t.Errorf("%s %q: %v", op.ID, path, verdict)
			}
		}
	})
}
