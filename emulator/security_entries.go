package emulator

import (
	"slices"
	"strconv"
)

// entries is one of an endpoint's lists of things that are let in.
type entries[T any] []entry[T]

type entry[T any] struct {
	id    string
	value T
}

// add appends an entry under a new id. A value that is there already gets a second entry: the contract does not say.
func (l *entries[T]) add(ids *ids, value T) entry[T] {
	added := entry[T]{id: strconv.FormatInt(ids.number(), 10), value: value}
	*l = append(*l, added)
	return added
}

// remove takes the entry with this id out, and reports whether there was one.
func (l *entries[T]) remove(id string) bool {
	before := len(*l)
	*l = slices.DeleteFunc(*l, func(e entry[T]) bool { return e.id == id })
	return len(*l) < before
}

// replace changes what the entry with this id stands for, and reports whether there is one.
func (l entries[T]) replace(id string, value T) bool {
	at := slices.IndexFunc(l, func(e entry[T]) bool { return e.id == id })
	if at < 0 {
		return false
	}
	l[at].value = value
	return true
}

// records shows a list as the service does.
func records[T, R any](list entries[T], record func(entry[T]) R) []R {
	shown := make([]R, 0, len(list))
	for _, entry := range list {
		shown = append(shown, record(entry))
	}
	return shown
}
