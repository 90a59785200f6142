package rpcfleet

import "hash/maphash"

// maxEmptyPages is how many empty pages in a row an iteration follows. A service may search a long time range in steps
// that find nothing; it does not do so forever.
const maxEmptyPages = 1000

// rounds notices that a listing by cursor goes round.
type rounds[T any] struct {
	seed           maphash.Seed
	mark           func(seed maphash.Seed, page *CursorPage[T]) uint64
	cursors, pages map[uint64]bool
	// empty is how many pages in a row were empty.
	empty int
}

func newRounds[T any](mark func(maphash.Seed, *CursorPage[T]) uint64, start string) *rounds[T] {
	seed := maphash.MakeSeed()
	return &rounds[T]{seed: seed, mark: mark, cursors: map[uint64]bool{maphash.String(seed, start): true}, pages: map[uint64]bool{}}
}

// repeats reports whether a page or its cursor has come before, or too many were empty.
func (r *rounds[T]) repeats(page *CursorPage[T]) bool {
	next := maphash.String(r.seed, page.NextAt)
	repeats := r.cursors[next] && !page.Last()
	r.cursors[next] = true
	if len(page.Items) == 0 {
		r.empty++
		return repeats || r.empty > maxEmptyPages
	}
	r.empty = 0
	if mark := r.mark(r.seed, page); mark != 0 {
		repeats = repeats || r.pages[mark]
		r.pages[mark] = true
	}
	return repeats
}

// itemsMark tells pages apart by the keys of their items.
func itemsMark[T any, K comparable](key func(*T) K) func(maphash.Seed, *CursorPage[T]) uint64 {
	return func(seed maphash.Seed, page *CursorPage[T]) uint64 { return fingerprint(seed, page.Items, key) }
}
