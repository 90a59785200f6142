package acceptance

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"
)

// soakResources are what a run must leave as it was.
type soakResources struct {
	goroutines, connections int
	heap                    uint64
}

// settledResources measures when what is ending has ended.
func settledResources() soakResources {
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	last := runtime.NumGoroutine()
	same := 0
	eventually(func() bool {
		now := runtime.NumGoroutine()
		if now == last {
			same++
		} else {
			same = 0
		}
		last = now
		return same >= 20
	})
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return soakResources{goroutines: last, heap: memory.HeapAlloc}
}

// report is the table that a run prints.
func report(y *soakTally, faults soakCounts, before, after soakResources) string {
	var text strings.Builder
	row := func(name string, value any) { fmt.Fprintf(&text, "  %-64s %8v\n", name, value) }
	section := func(name string, counts soakCounts) {
		fmt.Fprintf(&text, "%s: %d\n", name, counts.total())
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			row(key, counts[key])
		}
	}
	fmt.Fprintf(&text, "soak of %v, seed %d\n", *soakFor, *soakSeed)
	row("took", y.took.Round(time.Millisecond))
	row("calls", y.calls())
	row("operations", len(y.operations))
	row("attempts", y.attempts)
	row("retries", y.attempts-y.calls())
	row("calls that the retry quota has ended", y.exhausted)
	section("faults by kind", faults)
	section("failed calls by class", y.errors)
	section("open outcomes by how they were resolved", y.resolved)
	section("beside that", y.done)
	row("mismatches", len(y.mismatches))
	row("goroutines before and after", fmt.Sprint(before.goroutines, " ", after.goroutines))
	row("connections left open on the server", after.connections)
	row("heap before and after, in KiB", fmt.Sprint(before.heap>>10, " ", after.heap>>10))
	for _, mismatch := range y.mismatches {
		fmt.Fprintf(&text, "MISMATCH %s\n", mismatch)
	}
	return text.String()
}
