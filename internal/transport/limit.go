package transport

import (
	"context"
	"slices"
	"sync"
	"time"
)

// limit ends an attempt: with the context of the caller, when the time of the attempt is over, or when nothing is left
// to do for it. It does what [context.WithDeadline] would, for half of the memory: it is a part of the call, and what
// net/http derives from it is registered by AfterFunc instead of in a map.
type limit struct {
	caller   context.Context
	deadline time.Time   // Zero where there is none.
	timer    *time.Timer // Nil where there is no deadline.
	detach   func() bool // Nil where the caller's context cannot end.

	mu    sync.Mutex
	done  chan struct{}
	err   error
	after []waiter
	first [1]waiter // Where after begins: net/http waits once.
	next  int       // The id of the next waiter.
}

// waiter is a function that runs when the limit has ended.
type waiter struct {
	id int
	f  func()
}

// begin starts the time.
func (l *limit) begin(caller context.Context, timeout time.Duration) {
	l.caller, l.done, l.after = caller, make(chan struct{}), l.first[:0]
	if caller.Done() != nil {
		l.detach = context.AfterFunc(caller, func() { l.end(caller.Err()) })
	}
	if timeout > 0 {
		l.deadline = time.Now().Add(timeout)
		l.timer = time.AfterFunc(timeout, l.expire)
	}
}

func (l *limit) expire() { l.end(context.DeadlineExceeded) }

// release ends the limit because nothing is left to do for the attempt.
func (l *limit) release() {
	if l.timer != nil {
		l.timer.Stop()
	}
	if l.detach != nil {
		l.detach()
	}
	l.end(context.Canceled)
}

// end ends the limit for a reason, unless it has ended.
func (l *limit) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	l.err = err
	close(l.done)
	for _, w := range l.after {
		go w.f()
	}
	l.after = nil
}

// Deadline is the earlier one of the attempt's and the caller's.
func (l *limit) Deadline() (time.Time, bool) {
	deadline, ok := l.caller.Deadline()
	if l.deadline.IsZero() || ok && deadline.Before(l.deadline) {
		return deadline, ok
	}
	return l.deadline, true
}

// Done is closed when the limit has ended.
func (l *limit) Done() <-chan struct{} { return l.done }

// Err returns why the limit has ended, or nil.
func (l *limit) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// AfterFunc lets f run when the limit has ended. Package context calls it instead of starting a goroutine that waits.
func (l *limit) AfterFunc(f func()) (stop func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		go f()
		return func() bool { return false }
	}
	id := l.next
	l.next++
	l.after = append(l.after, waiter{id, f})
	return func() bool { return l.forget(id) }
}

// forget takes back what AfterFunc was given, and reports whether it was not begun.
func (l *limit) forget(id int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.after, func(w waiter) bool { return w.id == id })
	if i >= 0 {
		l.after = slices.Delete(l.after, i, i+1)
	}
	return i >= 0
}
