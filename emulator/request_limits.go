package emulator

import (
	"net/http"
	"strconv"
	"time"
)

// WithRequestLimits limits how many requests the emulator carries out in each second and in each minute of its clock; 0
// is no limit, which is the default. Every response tells the state of the limits in the headers X-Ratelimit-Rpslimit,
// -Rpsremaining and -Rpsreset, and the same with "rpm" (observed). A request beyond a limit is refused with 429 and a
// Retry-After until the window begins anew (assumed), and is not counted.
func WithRequestLimits(perSecond, perMinute int) Option {
	return func(s *settings) { s.perSecond, s.perMinute = max(perSecond, 0), max(perMinute, 0) }
}

// requestLimits are the windows that a request is counted in.
type requestLimits [2]requestWindow

// requestWindow counts the requests of a second or a minute.
type requestWindow struct {
	length time.Duration
	name   string // In the headers.
	limit  int    // 0 for none.
	used   int
	begun  time.Time
}

// admit counts a request, unless a window has no room for it, and writes the headers.
func (l *requestLimits) admit(header http.Header, now time.Time) bool {
	var wait time.Duration
	for i := range l {
		w := &l[i]
		if begun := now.Truncate(w.length); !begun.Equal(w.begun) {
			w.begun, w.used = begun, 0
		}
		if w.limit > 0 && w.used >= w.limit {
			wait = max(wait, w.begun.Add(w.length).Sub(now))
		}
	}
	for i := range l {
		w := &l[i]
		if w.limit == 0 {
			continue
		}
		if wait == 0 {
			w.used++
		}
		header.Set("X-Ratelimit-"+w.name+"limit", strconv.Itoa(w.limit))
		header.Set("X-Ratelimit-"+w.name+"remaining", strconv.Itoa(w.limit-w.used))
		header.Set("X-Ratelimit-"+w.name+"reset", strconv.FormatInt(w.begun.Add(w.length).Unix(), 10))
	}
	if wait > 0 {
		header.Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	}
	return wait == 0
}
