package rpcfleet

import (
	"iter"
	"slices"
	"strconv"
)

// Lookup is what was found of a thing that a create was to make, by the methods that begin with Find. They look for it
// after an error that matches [ErrOutcomeUnknown]. They only read, and read a listing to its end.
//
//	before, err := client.Destinations.FindCreated(ctx, request)
//	if err != nil {
//		return err
//	}
//	destination, err := client.Destinations.Create(ctx, request)
//	if errors.Is(err, rpcfleet.ErrOutcomeUnknown) {
//		after, err := client.Destinations.FindCreated(ctx, request)
//		if err != nil {
//			return err
//		}
//		switch created := after.Since(before); created.Outcome() {
//		case rpcfleet.LookupFound: // created.Records[0] is it.
//		case rpcfleet.LookupNotFound: // It is not there, or not yet.
//		case rpcfleet.LookupAmbiguous: // One of created.Records may be it.
//		}
//	}
//
// What a lookup finds looks like what was asked for. It may have been there before: the difference to a lookup from
// before the create tells, or Without, which takes the ids that are known. Even the difference may be the work of
// another caller that asked for the same at the same time.
//
// What a lookup does not find may come later: a request that was given up may still be on its way, and nobody has stated
// that the service lists what it has created at once. Look again after a while, such as the time limit of an attempt,
// before the call is made again.
type Lookup[T any] struct {
	// Records are those that were found, each once, in the order of the listing.
	Records []T

	id func(*T) string // Empty where the service left the id out. The function is nil where nobody has looked.
}

// LookupOutcome is what a lookup has come to. It is empty for a lookup that was not made, such as one that failed.
type LookupOutcome string

// The outcomes of a lookup.
const (
	LookupNotFound  LookupOutcome = "not found"
	LookupFound     LookupOutcome = "found"
	LookupAmbiguous LookupOutcome = "several"
)

// Outcome tells whether one record was found, none or several.
func (l Lookup[T]) Outcome() LookupOutcome {
	switch {
	case l.id == nil && len(l.Records) == 0:
		return ""
	case len(l.Records) == 0:
		return LookupNotFound
	case len(l.Records) == 1:
		return LookupFound
	}
	return LookupAmbiguous
}

// IDs returns the ids of the records, for Without of a later lookup, which may be another program's.
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

// NewLookup returns a lookup with these records, for tests of code that uses a Find method.
func NewLookup[T any](records []T, id func(*T) string) Lookup[T] {
	return Lookup[T]{Records: records, id: id}
}

// Since returns the lookup without what an earlier one has found.
func (l Lookup[T]) Diff(before Lookup[T]) Lookup[T] { return l.Exclude(before.IDs()...) }

// Without returns the lookup without the records that have one of these ids. A record whose id the service has left out
// cannot be told from others, and stays.
func (l Lookup[T]) Exclude(ids ...string) Lookup[T] {
	known := map[string]bool{}
	for _, id := range ids {
		known[id] = id != ""
	}
	l.Records = slices.Clone(l.Records)
	l.Records = slices.DeleteFunc(l.Records, func(record T) bool { return known[l.idOf(&record)] })
	return l
}

// lookUp looks for records in a list that came whole, or did not come. A record that comes twice, as one may in a
// listing by pages, is found once.
func lookUp[T any](list []T, err error, id func(*T) string, like func(*T) bool) (Lookup[T], error) {
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

// collect reads a listing to its end.
func collect[T any](listing iter.Seq2[T, error]) (all []T, err error) {
	for item, err := range listing {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// sameNames reports whether two lists hold the same names, in any order and however often.
func sameNames(a, b []string) bool {
	sorted := func(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
	return slices.Equal(sorted(a), sorted(b))
}

// decimal writes an id that is a number. It is empty where the service left the id out.
func decimal(id *int64) string {
	if id == nil {
		return ""
	}
	return strconv.FormatInt(*id, 10)
}
