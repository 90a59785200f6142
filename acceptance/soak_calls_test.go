package acceptance

import (
	"context"
	"errors"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

// came reports whether a call has brought something. A failure that no fault explains is a mismatch.
func (w *soaker) came(what string, err error) bool {
	if err != nil && !fromFaults(err) {
		w.tally.mismatch("%s: %s: %v", w.name, what, err)
	}
	for _, end := range []error{rpcfleet.ErrRepeatedPage, rpcfleet.ErrIncompleteListing} {
		if errors.Is(err, end) {
			w.tally.note("listings ended by " + errorClass(err))
		}
	}
	return err == nil
}

// must notes an error where there can be none.
func (w *soaker) must(what string, err error) {
	if err != nil {
		w.tally.mismatch("%s: %s: %v", w.name, what, err)
	}
}

// soakPatience is how often something is done again before it counts as impossible.
const soakPatience = 200

// insist does something again and again until it succeeds.
func (w *soaker) insist(what string, call func() error) bool {
	for range soakPatience {
		if w.came(what, call()) {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	w.tally.mismatch("%s: %s has failed %d times", w.name, what, soakPatience)
	return false
}

// set carries out a write that sets a value. Where it fails, nobody knows the value: either it is set again, or reading
// it tells whether it is as it should be. Read may be nil.
func (w *soaker) set(what string, write func() error, read func() (bool, error)) {
	for range soakPatience {
		if w.came(what, write()) {
			return
		}
		if read == nil || w.IntN(2) == 0 {
			w.tally.resolve("a set value: set again")
			continue
		}
		holds := false
		w.insist(what+", reading", func() (err error) { holds, err = read(); return err })
		if holds {
			w.tally.resolve("a set value: read, as it should be")
			return
		}
		w.tally.resolve("a set value: read, not set")
	}
	w.tally.mismatch("%s: %s has failed %d times", w.name, what, soakPatience)
}

// remove carries out a deletion. Where it fails, it is carried out again, and finds perhaps that nothing is left.
func (w *soaker) remove(what string, call func() error) {
	for attempt := range soakPatience {
		err := call()
		gone := errors.Is(err, rpcfleet.ErrNotFound) || errors.Is(err, rpcfleet.ErrRefused)
		switch {
		case attempt > 0 && gone:
			w.tally.resolve("a deletion: carried out again, was gone")
			return
		case w.came(what, err):
			if attempt > 0 {
				w.tally.resolve("a deletion: carried out again, was there")
			}
			return
		}
	}
	w.tally.mismatch("%s: %s has failed %d times", w.name, what, soakPatience)
}

// found is what a lookup has come to.
type found struct {
	ids     []string
	outcome rpcfleet.LookupOutcome
}

// lookedUp takes what is known out of a lookup.
func lookedUp[T any](lookup rpcfleet.Lookup[T], err error, known []string) (found, error) {
	if err != nil {
		return found{}, err
	}
	lookup = lookup.Without(known...)
	return found{lookup.IDs(), lookup.Outcome()}, nil
}

// create carries out a create and returns the id of what exists now, or an empty text where nothing does. Where the
// create leaves that open, the lookup tells, which leaves out what is known already.
func (w *soaker) create(what string, create func() (string, error), find func() (found, error)) string {
	id, err := create()
	switch {
	case err == nil && id != "":
		return id
	case err == nil:
		w.tally.note("writes that sent no id")
	case !w.came(what, err) && !errors.Is(err, rpcfleet.ErrMaybeCarriedOut):
		w.tally.note("creates that were certainly not carried out")
		return ""
	}
	var lookup found
	w.insist(what+", looking it up", func() (err error) { lookup, err = find(); return err })
	certain := err == nil || errors.Is(err, rpcfleet.ErrCarriedOut)
	how := "looked up: "
	if certain {
		how = "carried out without an id, looked up: "
	}
	w.tally.resolve(what + ", " + how + string(lookup.outcome))
	switch {
	case lookup.outcome == rpcfleet.LookupFound:
		return lookup.ids[0]
	case lookup.outcome == rpcfleet.LookupSeveral:
		w.tally.mismatch("%s: %s is there several times: %v", w.name, what, lookup.ids)
	case certain:
		w.tally.mismatch("%s: %s was carried out, and is not there", w.name, what)
	}
	return ""
}

// hurried is the context of a read, which now and then ends early.
func (w *soaker) hurried() (context.Context, context.CancelFunc) {
	if w.IntN(50) > 0 {
		return context.WithCancel(w.t.Context())
	}
	return context.WithTimeout(w.t.Context(), time.Duration(w.IntN(3000))*time.Microsecond)
}
