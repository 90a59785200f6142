package rpcfleet

import (
	"iter"
	"slices"
	"strconv"
)

// Lookup is the result of a method that begins with Find: it searches a listing for the object of a create after
// [ErrOutcomeUnknown]. A record may have existed before the create: look before and after it, and use Diff or Exclude.
// It may come from another caller with the same request, or appear later: before you retry the create, look again after
// a while, such as an attempt's time limit. docs/creates.md has an example.
type Lookup[T any] struct {
	Records []T // Matching records, each once, in the order of the listing: none, the one, or candidates.

	id func(*T) string // It returns "" if the record has no id. The function is nil if no lookup was made.
}

// IDs returns the ids of the records, for Exclude of a later lookup.
func (l Lookup[T]) IDs() []string {
	var ids []string
	for i := range l.Records {
		if id := l.idOf(&l.Records[i]); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// idOf returns the id of a record, or an empty string if the lookup was made by hand.
func (l Lookup[T]) idOf(record *T) string {
	if l.id == nil {
		return ""
	}
	return l.id(record)
}

// NewLookup returns a lookup with these records, for tests.
func NewLookup[T any](records []T, id func(*T) string) Lookup[T] {
	return Lookup[T]{Records: records, id: id}
}

// Diff returns the lookup without the records of an earlier lookup.
func (l Lookup[T]) Diff(before Lookup[T]) Lookup[T] { return l.Exclude(before.IDs()...) }

// Exclude returns the lookup without the records that have one of these ids.
func (l Lookup[T]) Exclude(ids ...string) Lookup[T] {
	known := map[string]bool{}
	for _, id := range ids {
		known[id] = id != ""
	}
	l.Records = slices.DeleteFunc(slices.Clone(l.Records), func(record T) bool { return known[l.idOf(&record)] })
	return l
}

// findMatches returns the matching records of a list, or err if it is not nil. A record that appears twice, as it may
// in a listing by pages, is returned once.
func findMatches[T any](list []T, err error, id func(*T) string, like func(*T) bool) (Lookup[T], error) {
	if err != nil {
		return Lookup[T]{}, err
	}
	found, seen := Lookup[T]{id: id}, map[string]bool{}
	for i := range list {
		if key := id(&list[i]); !seen[key] && like(&list[i]) {
			found.Records = append(found.Records, list[i])
			seen[key] = key != ""
		}
	}
	return found, nil
}

// findListed reads a listing to its end and returns the matching records. create is the call that created the record,
// which is not sent: its arguments are checked.
func findListed[T any](
	create *call, listing iter.Seq2[T, error], id func(*T) string, like func(*T) bool,
) (Lookup[T], error) {
	if create.err != nil {
		return Lookup[T]{}, create.err
	}
	var all []T
	for item, err := range listing {
		if err != nil {
			return Lookup[T]{}, err
		}
		all = append(all, item)
	}
	return findMatches(all, nil, id, like)
}

// equalSets reports whether two lists contain the same names, ignoring order and duplicates.
func equalSets(a, b []string) bool {
	sorted := func(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
	return slices.Equal(sorted(a), sorted(b))
}

// formatID formats a numeric id. It is empty if the id is missing.
func formatID(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}
