package transport_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

type valueKey struct{}

// afterFuncer is what package context looks for.
type afterFuncer interface {
	AfterFunc(f func()) (stop func() bool)
}

// awaited is a context that counts what waits for its end. It hides which context it has inside.
type awaited struct {
	context.Context

	waiting int
}

func (*awaited) Value(any) any { return nil }

func (c *awaited) AfterFunc(func()) (stop func() bool) {
	c.waiting++
	return func() bool {
		c.waiting--
		return true
	}
}

// TestTheLimitOfAnAttempt is a context like any other to whoever is handed the request.
func TestTheLimitOfAnAttempt(t *testing.T) {
	cause := errors.New("the shift is over")
	for name, test := range map[string]struct {
		timeout time.Duration
		cancel  time.Duration // When the caller cancels, or zero.
		respond time.Duration // When the response comes.
		takes   time.Duration
		err     error // Of the request's context, in the end.
		cause   error
	}{
		"time is over":       {10 * time.Second, 0, time.Hour, 10 * time.Second, context.DeadlineExceeded, context.DeadlineExceeded},
		"canceled":           {10 * time.Second, 5 * time.Second, time.Hour, 5 * time.Second, context.Canceled, cause},
		"canceled, no limit": {0, 5 * time.Second, time.Hour, 5 * time.Second, context.Canceled, cause},
		"done":               {10 * time.Second, 0, 3 * time.Second, 3 * time.Second, context.Canceled, context.Canceled},
		"done, no limit":     {0, 0, 3 * time.Second, 3 * time.Second, context.Canceled, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				caller, cancel := context.WithCancelCause(context.WithValue(t.Context(), valueKey{}, 7))
				if test.cancel > 0 {
					time.AfterFunc(test.cancel, func() { cancel(cause) })
				} else {
					defer cancel(nil)
				}
				h, begin := serve(t, status(200)), time.Now()
				var ctx, derived context.Context
				ran, stopped := 0, 0
				h.config.HTTPClient = &http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
					ctx = req.Context()
					deadline, ok := ctx.Deadline()
					assert.Equal(t, test.timeout > 0, ok)
					if ok {
						assert.Equal(t, test.timeout, deadline.Sub(begin))
					}
					assert.Equal(t, 7, ctx.Value(valueKey{}))
					require.NoError(t, ctx.Err())
					var end context.CancelFunc
					derived, end = context.WithCancel(ctx)
					context.AfterFunc(derived, func() { ran++ })
					assert.True(t, ctx.(afterFuncer).AfterFunc(func() { stopped++ })())
					_ = end // The end of the parent is enough.
					select {
					case <-derived.Done():
						return nil, derived.Err()
					case <-time.After(test.respond):
						return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
					}
				})}
				h.Transport = transport.New(h.config)
				_, _, err := h.send(caller, create, func(c *transport.Call) { c.Timeout = test.timeout })
				assert.Equal(t, test.respond < time.Hour, err == nil)
				assert.Equal(t, test.takes, time.Since(begin))
				synctest.Wait()
				<-ctx.Done()
				require.ErrorIs(t, ctx.Err(), test.err)
				assert.Equal(t, test.cause, context.Cause(ctx))
				require.ErrorIs(t, derived.Err(), test.err)
				assert.Equal(t, test.cause, context.Cause(derived))
				late := 0
				stop := context.AfterFunc(ctx, func() { late++ })
				synctest.Wait()
				assert.False(t, stop())
				assert.Equal(t, []int{1, 0, 1}, []int{ran, stopped, late})
			})
		})
	}
}

// TestTheDeadlineOfAnAttempt is the earlier one of its own and the caller's.
func TestTheDeadlineOfAnAttempt(t *testing.T) {
	for name, test := range map[string]struct{ caller, timeout, want time.Duration }{
		"neither":            {0, 0, 0},
		"the caller's alone": {5 * time.Second, 0, 5 * time.Second},
		"its own alone":      {0, 10 * time.Second, 10 * time.Second},
		"the caller's first": {5 * time.Second, 10 * time.Second, 5 * time.Second},
		"its own first":      {20 * time.Second, 10 * time.Second, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, begin := t.Context(), time.Now()
				if test.caller > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, test.caller)
					defer cancel()
				}
				h := serve(t, status(200))
				h.through(func(req *http.Request) (*http.Response, error) {
					deadline, ok := req.Context().Deadline()
					assert.Equal(t, test.want > 0, ok)
					if ok {
						assert.Equal(t, test.want, deadline.Sub(begin))
					} else {
						assert.Zero(t, deadline)
					}
					return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
				})
				response, _, err := h.send(ctx, read, func(c *transport.Call) { c.Timeout = test.timeout })
				require.NoError(t, err)
				assert.Equal(t, test.timeout > 0, !response.Deadline.IsZero(), "what is left for the reader")
			})
		})
	}
}

// TestNothingIsLeftWithTheCallersContext when a call is over.
func TestNothingIsLeftWithTheCallersContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		caller := &awaited{Context: ctx}
		h := serve(t, status(503), status(200))
		base := h.config.HTTPClient.Transport
		most := 0
		h.config.HTTPClient = &http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
			most = max(most, caller.waiting)
			return base.RoundTrip(req)
		})}
		h.Transport = transport.New(h.config)
		_, result, err := h.send(caller, read)
		require.NoError(t, err)
		assert.Equal(t, 2, result.Attempts)
		assert.Equal(t, 1, most)
		assert.Zero(t, caller.waiting)
	})
}

// TestACallThatIsOverIsForgotten long before its time would have been over.
func TestACallThatIsOverIsForgotten(t *testing.T) {
	h := serve(t)
	h.config.HTTPClient = &http.Client{Transport: tripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	})}
	h.Transport = transport.New(h.config)
	caller := &awaited{Context: context.Background()}
	kept := weak.Make(caller)
	_, _, err := h.send(caller, read, func(c *transport.Call) { c.Timeout = time.Hour })
	require.NoError(t, err)
	runtime.KeepAlive(caller)
	for i := 0; i < 1000 && kept.Value() != nil; i++ { // The runtime forgets stopped timers when it comes upon them.
		runtime.Gosched()
		runtime.GC()
	}
	assert.Nil(t, kept.Value())
}
