package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

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

// TestDiverted_agreesWithRouter holds the verdict on every operation and every path of it against a router.
func TestDiverted_agreesWithRouter(t *testing.T) {
	race.Skip(t)
	for area, table := range Areas {
		router, words, diverted := router(table), words(table), 0
		for _, op := range table {
			for _, values := range combinations(strings.Count(op.Path, "{"), words) {
				request := NewRequest(op, values...)
				match := chi.NewRouteContext()
				require.True(t, router.Match(match, op.Method, request.Path), values)
				require.Equal(t, match.RoutePattern() != op.Path, request.Violation != nil, "%s: %v reaches %s", op.ID, values,
					match.RoutePattern())
				if broken := request.Violation; broken != nil {
					diverted++
					require.Contains(t, op.Path, "{"+broken.Field+"}")
					require.Contains(t, match.RoutePattern()+"/", "/"+broken.Value.(string)+"/")
					require.True(t, slices.ContainsFunc(table, func(to *Operation) bool {
						return to.Method == op.Method && to.Path == match.RoutePattern() && strings.HasSuffix(broken.Rule, " of "+to.ID)
					}), broken.Rule)
				}
			}
		}
		t.Log(area, diverted, "paths reach another operation")
		assert.Equal(t, area == "admin", diverted > 0)
	}
}

func TestTaken_findsRivalPath(t *testing.T) {
	const things, part, best = "/things/{id}", "/things/{id}/parts/{part_id}", "/things/all/parts/best"
	for _, test := range []struct {
		path   string
		values []string
		rival  string
		want   int
	}{
		{things, []string{"all"}, "/things/all", 0},
		{things, []string{"alll"}, "/things/all", -1},
		{things, []string{"a%6Cl"}, "/things/all", -1}, // It is escaped once more.
		{part, []string{"all", "best"}, best, 0},
		{part, []string{"all", "7"}, best, -1},
		{part, []string{"7", "best"}, best, -1},
		{part, []string{"7", "best"}, "/things/{id}/parts/best", 1},
		{part, []string{"7", "last"}, "/things/{id}/{kind}/last", -1}, // The fixed part that comes first wins.
		{"/things/{id}/{kind}/last", []string{"7", "parts"}, part, 1},
		{part, []string{"all", "7"}, "/things/all", -1},
		{"/things/{id}/", []string{"all"}, "/things/all", 0},
		{things, []string{"all"}, "/things/all/", 0},
		{"/things/all", nil, things, -1},
		{things, []string{"7"}, things, -1},
	} {
		op := &Operation{Method: "GET", Path: test.path}
		assert.Equal(t, test.want, taken(op, test.values, &Operation{Method: "GET", Path: test.rival}), test)
		assert.Equal(t, -1, taken(op, test.values, &Operation{Method: "POST", Path: test.rival}), test)
	}
}
