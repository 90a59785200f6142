package pacer

import (
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

const (
	// clockTolerance is the largest age of a response's Date, which has a resolution of a second, if the service's clock
	// is right.
	clockTolerance = 2 * time.Second
	// resetTolerance is how much a window may exceed its nominal length before its reset is implausible.
	resetTolerance = 5 * time.Second
	// oldestReset bounds how long ago a reported window may have ended: a response can be slow. Later windows are
	// extrapolated from it.
	oldestReset = time.Hour
)

// window is the estimated state of a request limit.
type window struct {
	length time.Duration
	// limit and remaining are numbers of requests; a limit of 0 is unknown. remaining is decremented when a request is
	// admitted.
	limit, remaining int
	// id is the window's reset by the service's clock; reset is the same instant by the local clock.
	id, reset time.Time
	// next is the time of the next request while requests are scarce.
	next time.Time
	// heard reports whether a response has included the window since it began.
	heard bool
}

// wait returns the time until a request is available.
func (w *window) wait(now time.Time) time.Duration {
	w.renew(now)
	switch {
	case w.limit == 0: // The limit is unknown.
	case w.remaining <= 0:
		return w.reset.Sub(now)
	case w.scarce():
		return w.next.Sub(now)
	}
	return 0
}

// take takes an available request.
func (w *window) take(now time.Time) {
	if w.limit == 0 {
		return
	}
	w.remaining--
	if w.scarce() {
		w.next = now.Add(w.reset.Sub(now) / time.Duration(w.remaining+1))
	}
}

// scarce reports whether the remaining requests are spread over the rest of the window.
func (w *window) scarce() bool { return w.remaining <= w.limit/4 }

// renew starts the window that contains now, with all of its requests, if the known window has ended.
func (w *window) renew(now time.Time) {
	if w.limit == 0 || now.Before(w.reset) {
		return
	}
	passed := (now.Sub(w.reset)/w.length + 1) * w.length
	w.id, w.reset = w.id.Add(passed), w.reset.Add(passed)
	w.remaining, w.next, w.heard = w.limit, time.Time{}, false
}

// learn updates the window from a response. A zero state means that the response did not include the window.
func (w *window) learn(told rpcfleet.RateLimitWindow, date, now time.Time) {
	if told.Limit == 0 {
		if !w.heard {
			w.limit = 0
		}
		return
	}
	left := left(told, date, now)
	if told.Reset.IsZero() || left > w.length+resetTolerance || left < -oldestReset {
		return
	}
	w.heard = true
	reset := now.Add(min(left, w.length))
	switch earlier := w.id.Sub(told.Reset); {
	case w.limit == 0, left > 0 && (earlier < 0 || earlier > w.length+resetTolerance):
		// The first window, a newer one, or the service's clock was set back.
		*w = window{
			length: w.length, limit: told.Limit, remaining: told.Remaining, id: told.Reset, reset: reset, heard: true,
		}
	case earlier == 0:
		w.limit, w.remaining = told.Limit, min(w.remaining, told.Remaining)
		if reset.Before(w.reset) {
			w.reset = reset
		}
	}
}

// left returns how long a window lasts.
func left(w rpcfleet.RateLimitWindow, date, now time.Time) time.Duration {
	if late := now.Sub(date); !date.IsZero() && (late < 0 || late > clockTolerance) {
		now = date
	}
	return w.Reset.Sub(now)
}
