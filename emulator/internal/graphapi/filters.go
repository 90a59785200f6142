package graphapi

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// textInput is the schema's filter of texts and of enums. A nil filter lets everything pass, and so does a condition
// that is not set.
type textInput struct {
	Eq    *string
	In    *[]string
	NotIn *[]string
}

func (f *textInput) allows(value string) bool {
	if f == nil {
		return true
	}
	same := func(other string) bool { return strings.EqualFold(value, other) }
	return (f.Eq == nil || same(*f.Eq)) &&
		(f.In == nil || slices.ContainsFunc(*f.In, same)) &&
		(f.NotIn == nil || !slices.ContainsFunc(*f.NotIn, same))
}

// intInput is the schema's filter of integers.
type intInput struct {
	Eq, Gt, Gte, Lt, Lte *int32
	In                   *[]int32
}

func (f *intInput) allows(value int32) bool {
	return f == nil || within(value, cmp.Compare, f.Eq, f.Gt, f.Gte, f.Lt, f.Lte) &&
		(f.In == nil || slices.Contains(*f.In, value))
}

// timeInput is the schema's filter of times.
type timeInput struct{ Eq, Gt, Gte, Lt, Lte *dateTime }

func (f *timeInput) allows(value time.Time) bool {
	compare := func(a, b dateTime) int { return a.Compare(b.Time) }
	return f == nil || within(dateTime{value}, compare, f.Eq, f.Gt, f.Gte, f.Lt, f.Lte)
}

// within holds a value against bounds, each of which may be absent.
func within[T any](value T, compare func(a, b T) int, eq, gt, gte, lt, lte *T) bool {
	return (eq == nil || compare(value, *eq) == 0) &&
		(gt == nil || compare(value, *gt) > 0) && (gte == nil || compare(value, *gte) >= 0) &&
		(lt == nil || compare(value, *lt) < 0) && (lte == nil || compare(value, *lte) <= 0)
}

// descending is the direction of an order that turns it around.
const descending = "DESC"

// ordered returns the list in order, or the other way round. Items that compare alike keep their places.
func ordered[T any](list []T, direction *string, compare func(a, b T) int) []T {
	sorted := slices.Clone(list)
	if direction != nil && *direction == descending {
		slices.SortStableFunc(sorted, func(a, b T) int { return compare(b, a) })
	} else {
		slices.SortStableFunc(sorted, compare)
	}
	return sorted
}

// filtered returns the items that pass.
func filtered[T any](list []T, pass func(T) bool) []T {
	var kept []T
	for _, item := range list {
		if pass(item) {
			kept = append(kept, item)
		}
	}
	return kept
}
