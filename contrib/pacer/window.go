package pacer

import (
	"time"

	"github.com/rpcfleet/rpcfleet-go"
)

const (
	// clockTolerance is how much later than its date, which is cut to the second, a response may come from a service
	// whose clock is right.
	clockTolerance = 2 * time.Second
	// resetTolerance is how much longer than its length a window may seem to last. Beyond that, the reset is absurd.
	resetTolerance = 5 * time.Second
	// oldestReset is how long ago a window may have been over that a response tells of, which may have been long on its
	// way. Those that follow are reckoned from it.
	oldestReset = time.Hour
)

// window is what an [Adaptive] takes to be left of a window.
type window struct {
	length time.Duration
	// limit and remaining are numbers of requests. A limit of 0 is not known. What is remaining counts requests as used
	// when they are let go, before a response can tell of them.
	limit, remaining int
	// id is the window's reset by the service's clock, and reset the same by this machine's.
	id, reset time.Time
	// next is when the next of the last requests is due.
	next time.Time
	// heard is set where a response has mentioned the window since it began.
	heard bool
}

// wait returns how long there is no request to take.
func (w *window) wait(now time.Time) time.Duration {
	w.renew(now)
	switch {
	case w.limit == 0: // Nothing is known.
	case w.remaining <= 0:
		return w.reset.Sub(now)
	case w.scarce():
		return w.next.Sub(now)
	}
	return 0
}

// take takes a request that is there.
func (w *window) take(now time.Time) {
	if w.limit == 0 {
		return
	}
	w.remaining--
	if w.scarce() {
		w.next = now.Add(w.reset.Sub(now) / time.Duration(w.remaining+1))
	}
}

// scarce reports whether the requests that are left are to be spread over the time that is left.
func (w *window) scarce() bool { return w.remaining <= w.limit/4 }

// renew moves on to the window that now is in, with all of its requests, where the one that is known is over.
func (w *window) renew(now time.Time) {
	if w.limit == 0 || now.Before(w.reset) {
		return
	}
	passed := (now.Sub(w.reset)/w.length + 1) * w.length
	w.id, w.reset = w.id.Add(passed), w.reset.Add(passed)
	w.remaining, w.next, w.heard = w.limit, time.Time{}, false
}

// learn takes over what a response tells of the window, nil where it does not mention it. The date is the response's.
func (w *window) learn(told *rpcfleet.RateLimitWindow, date, now time.Time) {
	if told == nil {
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
		// The first one, or a newer one, or the service's clock was set back.
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
func left(w *rpcfleet.RateLimitWindow, date, now time.Time) time.Duration {
	if late := now.Sub(date); !date.IsZero() && (late < 0 || late > clockTolerance) {
		now = date
	}
	return w.Reset.Sub(now)
}
