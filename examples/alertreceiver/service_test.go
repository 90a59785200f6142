package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

func TestEachIsHandledOnce(t *testing.T) {
	var out bytes.Buffer
	s := newTestService(t, options{queue: 1, workers: 1}, (&writer{out: &out}).handle, "the old token")
	defer s.queue.close()
	for _, nonce := range []string{"a", "b", "a", "a"} {
		assert.Equal(t, http.StatusOK, s.receive(delivery(t, token, nonce)).Code)
	}
	assert.Equal(t, http.StatusOK, s.receive(delivery(t, "the old token", "c")).Code, "while the token rotates")
	assert.Equal(t, http.StatusUnauthorized, s.receive(delivery(t, "somebody's token", "d")).Code)
	assert.Equal(t, "{\"nonce\":\"a\",\"payload\":{\"n\":\"a\"}}\n{\"nonce\":\"b\",\"payload\":{\"n\":\"b\"}}\n{\"nonce\":\"c\",\"payload\":{\"n\":\"c\"}}\n", out.String())
}

func TestOutcomesOfTheHandler(t *testing.T) {
	for name, test := range map[string]struct {
		handle alerts.Callback
		status int
	}{
		"a failure":   {func(context.Context, *alerts.Delivery) error { return errors.New("no") }, 500},
		"a panic":     {func(context.Context, *alerts.Delivery) error { panic("no") }, 500},
		"not wanted":  {func(context.Context, *alerts.Delivery) error { return alerts.Permanent(errors.New("no")) }, 422},
		"taken over":  {func(context.Context, *alerts.Delivery) error { return nil }, 200},
		"the context": {func(ctx context.Context, _ *alerts.Delivery) error { return ctx.Err() }, 200},
	} {
		t.Run(name, func(t *testing.T) {
			s := newTestService(t, options{queue: 1, workers: 1}, test.handle)
			defer s.queue.close()
			w := s.receive(delivery(t, token, "a"))
			assert.Equal(t, test.status, w.Code)
			assert.Empty(t, w.Header().Get("Retry-After"))
		})
	}
}

// With one worker and one place, the third delivery is sent away, and welcome later.
func TestAFullQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		var handled atomic.Int64
		s := newTestService(t, options{queue: 1, workers: 1}, func(context.Context, *alerts.Delivery) error {
			<-gate
			handled.Add(1)
			return nil
		})
		defer s.queue.close()
		statuses := make(chan int, 2)
		for _, nonce := range []string{"a", "b"} {
			r := delivery(t, token, nonce)
			go func() { statuses <- s.receive(r).Code }()
			synctest.Wait()
		}
		w := s.receive(delivery(t, token, "c"))
		assert.Equal(t, http.StatusServiceUnavailable, w.Code)
		assert.Equal(t, "1", w.Header().Get("Retry-After"))
		assert.JSONEq(t, `{"status":"ok","waiting":1}`, s.receive(httptest.NewRequest(http.MethodGet, "/healthz", nil)).Body.String())
		close(gate)
		assert.Equal(t, []int{200, 200}, []int{<-statuses, <-statuses})
		assert.Equal(t, http.StatusOK, s.receive(delivery(t, token, "c")).Code)
		assert.EqualValues(t, 3, handled.Load())
	})
}

// A sender that gives up takes back what no worker has begun, and not what one has.
func TestASenderThatGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		var handled atomic.Int64
		s := newTestService(t, options{queue: 5, workers: 1}, func(context.Context, *alerts.Delivery) error {
			<-gate
			handled.Add(1)
			return nil
		})
		defer s.queue.close()
		within, cancel := context.WithCancel(t.Context())
		for _, nonce := range []string{"begun", "waiting"} {
			r := delivery(t, token, nonce).WithContext(within)
			go s.receive(r)
			synctest.Wait()
		}
		cancel()
		synctest.Wait()
		close(gate)
		synctest.Wait()
		assert.EqualValues(t, 1, handled.Load())
		for _, nonce := range []string{"begun", "waiting"} {
			assert.Equal(t, http.StatusOK, s.receive(delivery(t, token, nonce)).Code)
		}
		assert.EqualValues(t, 2, handled.Load(), "what was begun is known, and the other is handled when it comes again")
	})
}

// stopping is a service that is told to stop while it handles a delivery.
func stopping(t *testing.T, drain time.Duration) (gate chan struct{}, responded chan int, served chan error) {
	t.Helper()
	gate, begun := make(chan struct{}), make(chan struct{})
	responded, served = make(chan int, 1), make(chan error, 1)
	s := newTestService(t, options{queue: 1, workers: 1, drain: drain}, func(context.Context, *alerts.Delivery) error {
		close(begun)
		<-gate
		return nil
	})
	listener, address := listen(t)
	ctx, stop := context.WithCancel(t.Context())
	go func() { served <- s.serve(ctx, listener) }()
	signed := delivery(t, token, "a")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{}"))
	require.NoError(t, err)
	r.Header = signed.Header
	go func() {
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			responded <- 0
			return
		}
		_ = response.Body.Close()
		responded <- response.StatusCode
	}()
	<-begun
	stop()
	for { // It takes no more.
		connection, err := http.Get(strings.TrimSuffix(address, "/alerts") + healthPath)
		if err != nil {
			return gate, responded, served
		}
		_ = connection.Body.Close()
	}
}

func TestItStopsWhenAllIsHandled(t *testing.T) {
	gate, responded, served := stopping(t, time.Minute)
	close(gate)
	assert.Equal(t, http.StatusOK, <-responded)
	assert.NoError(t, <-served)
}

// Without its listener, the program ends and says so: something that starts services starts it again.
func TestAListenerThatIsGone(t *testing.T) {
	s := newTestService(t, options{queue: 1, workers: 1, drain: time.Minute}, (&writer{out: io.Discard}).handle)
	defer s.queue.close()
	listener, _ := listen(t)
	require.NoError(t, listener.Close())
	assert.ErrorIs(t, s.serve(t.Context(), listener), net.ErrClosed)
}

func TestTheDrainHasALimit(t *testing.T) {
	gate, responded, served := stopping(t, 20*time.Millisecond)
	assert.ErrorContains(t, <-served, "not all deliveries were handled within 20ms")
	assert.Zero(t, <-responded, "it is not acknowledged")
	close(gate)
}
