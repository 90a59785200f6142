package acceptance

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"
)

// same holds what a call has brought against the model.
func (w *soaker) same(what string, want, got any) {
	w.tally.same(w.name+": "+what, want, got)
}

func (y *soakTally) same(what string, want, got any) {
	y.note("results held against the model")
	if !assert.ObjectsAreEqual(want, got) {
		y.mismatch("%s:\n\twant %+v\n\tgot  %+v", what, want, got)
	}
}

// sameList holds a list against the model, and names the first place at which they differ.
func (w *soaker) sameList(what string, want, got []string) {
	place := 0
	for place < min(len(want), len(got)) && want[place] == got[place] {
		place++
	}
	text := func(list []string) string {
		return strings.Join(list[min(place, len(list)):min(place+1, len(list))], "")
	}
	w.same(what, fmt.Sprint(len(want), " long"), fmt.Sprint(len(got), " long"))
	w.same(fmt.Sprintf("%s, item %d", what, place), text(want), text(got))
}

// pick draws a key of a map, the same one for the same draw. It reports whether there is any.
func pick[K cmp.Ordered, V any](from *rand.Rand, among map[K]V) (key K, some bool) {
	keys := slices.Sorted(maps.Keys(among))
	if len(keys) == 0 {
		return key, false
	}
	return keys[from.IntN(len(keys))], true
}

// belongs reports whether a name is one that a player gives.
func belongs(player, name string) bool { return strings.HasPrefix(name, player+"-") }

// sameKeys holds how often things came against how often they should, and names a few that differ.
func (y *soakTally) sameKeys(what string, want, got map[string]int) {
	y.note("results held against the model")
	var differ []string
	for key := range want {
		if got[key] != want[key] {
			differ = append(differ, fmt.Sprintf("%s: %d times", key, got[key]))
		}
	}
	for key := range got {
		if want[key] == 0 {
			differ = append(differ, fmt.Sprintf("%s: %d times, where nothing should be", key, got[key]))
		}
	}
	if len(differ) > 0 {
		slices.Sort(differ)
		y.mismatch("%s: %d of %d differ: %s", what, len(differ), len(want), strings.Join(differ[:min(3, len(differ))], "; "))
	}
}
