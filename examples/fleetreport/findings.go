package main

import (
	"fmt"
	"slices"
)

// findings looks through a report, the urgent ones first.
func findings(r *report, tolerated float64) []finding {
	found := []finding{}
	look := func(urgent bool, what, meaning string, is func(*endpoint) bool) {
		f := finding{Urgent: urgent, Finding: what, Meaning: meaning}
		for _, e := range r.Endpoints {
			if is(e) {
				f.IDs, f.Names = append(f.IDs, e.ID), append(f.Names, e.name())
			}
		}
		if len(f.IDs) > 0 {
			found = append(found, f)
		}
	}
	look(true, "without any protection", "whoever knows the address can call",
		func(e *endpoint) bool { return e.Protection.open() })
	look(true, "protection not known", "the service did not tell whether anything is on",
		func(e *endpoint) bool { return e.Protection.unknown() })
	look(true, fmt.Sprintf("more than %g%% of calls failed", tolerated), "see the error rates",
		func(e *endpoint) bool { rate, some := e.Measured.rate(); return some && rate > tolerated })
	look(false, "switched on with an empty list", "either nobody gets in, or it has no effect",
		func(e *endpoint) bool { return e.Protection.empty() })
	look(false, "a list without effect", "entries are there, and what puts them into force is off",
		func(e *endpoint) bool { return e.Protection.idle() })
	look(false, "the token is the only protection", "whoever sees the address can call",
		func(e *endpoint) bool { return slices.Equal(e.Protection.guarded(), guards[:1]) })
	look(false, "without a tag", "their credits are nobody's",
		func(e *endpoint) bool { return len(e.Tags) == 0 })
	look(false, "active without a request in the "+r.Period, "they may be left over",
		func(e *endpoint) bool { return e.Status == "active" && e.Requests == 0 })
	if r.Credits.Unlisted > 0 {
		found = append(found, finding{Finding: "credits of endpoints not listed",
			Meaning: number(r.Credits.Unlisted) + " credits are of endpoints that are no more"})
	}
	return found
}
