package clienttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// TestAnUntoldListingThatShrinks is an error where a deletion has hidden others, since no total tells of it. Nothing is
// lost where the listing is read anew.
func TestAnUntoldListingThatShrinks(t *testing.T) {
	for name, test := range map[string]struct {
		n      int
		change func(s *shrinking, ids []string)
		errors int
	}{
		"each goes":                  {45, func(s *shrinking, ids []string) { s.remove(ids...) }, 1},
		"each goes, twice the limit": {40, func(s *shrinking, ids []string) { s.remove(ids...) }, 1},
		"each goes, many":            {130, func(s *shrinking, ids []string) { s.remove(ids...) }, 2},
		"some go at the beginning":   {45, func(s *shrinking, _ []string) { s.remove("t3", "t7") }, 1},
		"each goes, a single page":   {20, func(s *shrinking, ids []string) { s.remove(ids...) }, 0},
		"some go at the end":         {45, func(s *shrinking, _ []string) { s.remove("t43", "t44") }, 0},
		"the only one goes":          {1, func(s *shrinking, ids []string) { s.remove(ids...) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			service := &shrinking{ids: named(0, test.n), untold: true}
			client, _ := scripted(t, service.ServeHTTP)
			seen := map[string]bool{}
			failures := 0
			for resume := new(int); resume != nil; {
				pages := client.Destinations.Pages(t.Context(), alerts.ListDestinationsParams{Offset: resume}, rpcfleet.WithPageSize(20))
				resume = nil
				for page, err := range pages {
					if err != nil {
						var failure *rpcfleet.PageError
						require.ErrorAs(t, err, &failure)
						require.ErrorIs(t, err, rpcfleet.ErrIncompleteListing)
						assert.Zero(t, failure.Offset)
						resume = &failure.Offset
						failures++
						break
					}
					var ids []string
					for _, destination := range page.Items {
						ids = append(ids, destination.ID)
						seen[destination.ID] = true
					}
					test.change(service, ids)
				}
			}
			assert.Equal(t, test.errors, failures)
			for _, id := range service.left() {
				assert.Contains(t, seen, id)
			}
			if strings.HasPrefix(name, "each") {
				assert.Len(t, seen, test.n)
			}
		})
	}
}

// TestAnUntoldListingThatMoves has not shrunk: of the events, which come newest first, the oldest goes when one is new.
func TestAnUntoldListingThatMoves(t *testing.T) {
	service := &shrinking{ids: named(0, 45), untold: true}
	service.before = func(offset int) {
		if offset == 45 {
			service.remove(service.left()...)
			service.add(append([]string{"new"}, named(0, 44)...)...)
		}
	}
	client, _ := scripted(t, service.ServeHTTP)
	ids, err := gather(t, listings["events"](t.Context(), client, -1, rpcfleet.WithPageSize(20)))
	require.NoError(t, err)
	assert.Equal(t, named(0, 45), ids)
}
