package alerts_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

func TestADeliveryRunsOnce(t *testing.T) {
	hook := listen(t, byHMAC(t, token))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")))
	assert.Equal(t, http.StatusConflict, hook.status(hook.signed("n1")), "the same delivery")
	hook.advance(time.Minute)
	assert.Equal(t, http.StatusConflict, hook.status(hook.signed("n1")), "the same nonce, signed anew")
	assert.Equal(t, 1, hook.runs())
}

// Nonce and content hash are signed without anything between them, so that a letter can be moved from one to the other
// without breaking the signature.
func TestALetterMovedOutOfTheNonceIsAReplay(t *testing.T) {
	hook := listen(t, byHMAC(t, token))
	request := hook.signed("nonce-12")
	moved := hook.signed("nonce-12")
	moved.Header.Set("x-qn-nonce", "nonce-1")
	moved.Header.Set("x-qn-content-hash", "2hash-1")
	assert.Equal(t, http.StatusOK, hook.status(request))
	assert.Equal(t, http.StatusConflict, hook.status(moved))
	assert.Equal(t, 1, hook.runs())
}

// TestADigitMovedIntoTheTimestamp shows what the observed scheme leaves open, and that WithContentHash closes it: some
// digits of the content hash, put before a timestamp in seconds, make one in milliseconds of a later time.
func TestADigitMovedIntoTheTimestamp(t *testing.T) {
	later := time.UnixMilli(1_781_773_144_000)
	hash := alerts.WithContentHash(func(*http.Request, []byte) string { return "hash-178" })
	hook := listen(t, byHMAC(t, token), hash)
	request := hook.signed("n1")
	require.NoError(t, alerts.Signer{Token: token}.Sign(request.Header, alerts.Headers{Timestamp: noon, Nonce: "n1", ContentHash: "hash-178"}))
	moved := request.Clone(t.Context())
	moved.Body = io.NopCloser(strings.NewReader(payloadText))
	moved.Header.Set("x-qn-content-hash", "hash-")
	moved.Header.Set("x-qn-timestamp", "178"+request.Header.Get("x-qn-timestamp"))
	assert.Equal(t, http.StatusOK, hook.status(request))

	hook.advance(later.Sub(noon))
	headers, err := byHMAC(t, token).Verify(moved, nil)
	require.NoError(t, err)
	assert.True(t, later.Equal(headers.Timestamp))
	assert.Equal(t, http.StatusUnauthorized, hook.status(moved))
	assert.Equal(t, 1, hook.runs())
}

func TestCallbackErrors(t *testing.T) {
	broken := errors.New("made-up inner detail")
	for name, test := range map[string]struct {
		reply         func(context.Context, *alerts.Delivery) error
		first, second int
		runs          int
	}{
		"to be tried again": {func(context.Context, *alerts.Delivery) error { return broken }, 500, 200, 2},
		"permanent":         {func(context.Context, *alerts.Delivery) error { return alerts.Permanent(broken) }, 422, 409, 1},
		"permanent, wrapped": {func(context.Context, *alerts.Delivery) error {
			return fmt.Errorf("outer: %w", alerts.Permanent(broken))
		}, 422, 409, 1},
	} {
		t.Run(name, func(t *testing.T) {
			hook := listen(t, byHMAC(t, token))
			hook.answers(test.reply)
			status, text := hook.send(hook.signed("n1"))
			assert.Equal(t, test.first, status)
			assert.NotContains(t, text, "inner detail", "the sender is not told")
			hook.answers(nil)
			assert.Equal(t, test.second, hook.status(hook.signed("n1")))
			assert.Equal(t, test.runs, hook.runs())
		})
	}
	require.NoError(t, alerts.Permanent(nil))
	require.ErrorIs(t, alerts.Permanent(broken), broken)
	assert.Equal(t, broken.Error(), alerts.Permanent(broken).Error())
}

func TestACallbackThatPanicsMayBeTriedAgain(t *testing.T) {
	hook := listen(t, byHMAC(t, token))
	hook.answers(func(context.Context, *alerts.Delivery) error { panic(http.ErrAbortHandler) })
	_, err := hook.Client().Do(hook.signed("n1"))
	require.Error(t, err)
	hook.answers(nil)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")))
}

func TestADeliveryUnderWayIsAskedToComeAgain(t *testing.T) {
	hook := listen(t, byHMAC(t, token), alerts.WithMaxNonces(1))
	entered, leave := make(chan struct{}), make(chan error)
	defer close(leave) // The webhook closes only when nothing is under way.
	hook.answers(func(context.Context, *alerts.Delivery) error {
		close(entered)
		return <-leave
	})
	first := hook.signed("n1")
	answered := make(chan int)
	go func() {
		response, err := hook.Client().Do(first)
		if err != nil {
			close(answered)
			return
		}
		defer response.Body.Close()
		answered <- response.StatusCode
	}()
	<-entered
	// A 4xx would end the sender's efforts, and the first try may yet fail.
	assert.Equal(t, http.StatusServiceUnavailable, hook.status(hook.signed("n1")))
	status, text := hook.send(hook.signed("n2"))
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, text, "too many", "what is under way takes its room")
	leave <- errors.New("failed after all")
	assert.Equal(t, http.StatusInternalServerError, <-answered)
	hook.answers(nil)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n1")))
	assert.Equal(t, 2, hook.runs())
}

func TestNoncesAreBoundedAndForgotten(t *testing.T) {
	hook := listen(t, byHMAC(t, token), alerts.WithMaxNonces(2), alerts.WithTolerance(time.Minute))
	// The first is signed a minute ahead, so that its timestamp is acceptable for two minutes.
	hook.advance(time.Minute)
	ahead := hook.signed("n1")
	hook.advance(-time.Minute)
	assert.Equal(t, http.StatusOK, hook.status(ahead))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n2")))
	response, err := hook.Client().Do(hook.signed("n3"))
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
	assert.Equal(t, "1", response.Header.Get("Retry-After"))
	assert.Equal(t, http.StatusConflict, hook.status(hook.signed("n2")), "what is remembered stays refused")
	assert.Equal(t, 2, hook.runs())

	hook.advance(2 * time.Minute)
	assert.Equal(t, http.StatusConflict, hook.status(ahead), "still acceptable, and still known")
	hook.advance(time.Second)
	assert.Equal(t, http.StatusUnauthorized, hook.status(ahead))
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n3")), "there is room again")
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n4")))
	assert.Equal(t, http.StatusServiceUnavailable, hook.status(hook.signed("n5")))
}

func TestAFailedDeliveryTakesNoRoom(t *testing.T) {
	hook := listen(t, byHMAC(t, token), alerts.WithMaxNonces(1))
	hook.answers(func(context.Context, *alerts.Delivery) error { return errors.New("not now") })
	for i := range 3 {
		assert.Equal(t, http.StatusInternalServerError, hook.status(hook.signed(fmt.Sprintf("n%d", i))))
	}
	hook.answers(nil)
	assert.Equal(t, http.StatusOK, hook.status(hook.signed("n0")))
}

func TestConcurrentDeliveriesRunOnceEach(t *testing.T) {
	const deliveries, copies = 1000, 3
	hook := listen(t, byHMAC(t, token))
	hook.Client().Transport.(*http.Transport).MaxConnsPerHost = 50
	var all sync.WaitGroup
	var mu sync.Mutex
	taken := make(map[string]int)
	for i := range deliveries * copies {
		nonce := fmt.Sprintf("n%d", i%deliveries)
		request := hook.signed(nonce)
		all.Go(func() {
			response, err := hook.Client().Do(request)
			if !assert.NoError(t, err) {
				return
			}
			response.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			if response.StatusCode == http.StatusOK {
				taken[nonce]++
			}
		})
	}
	all.Wait()
	assert.Len(t, taken, deliveries)
	for nonce, times := range taken {
		assert.Equal(t, 1, times, nonce)
	}
	ran := make(map[string]int)
	for _, delivery := range hook.ran {
		ran[delivery.Headers.Nonce]++
	}
	assert.Equal(t, taken, ran)
}

func TestAThousandDeliveriesAreCarriedOutAtTheSameTime(t *testing.T) {
	const deliveries = 1000
	var inside, all sync.WaitGroup
	inside.Add(deliveries)
	receiver, err := alerts.NewReceiver(byHMAC(t, token), func(context.Context, *alerts.Delivery) error {
		inside.Done() // It panics if the callback runs more often than that.
		inside.Wait()
		return nil
	})
	require.NoError(t, err)
	for i := range deliveries {
		request := newRequest(t)
		request.Method = http.MethodGet
		stamp := alerts.Headers{Timestamp: time.Now(), Nonce: fmt.Sprintf("n%d", i), ContentHash: "h1"}
		require.NoError(t, alerts.Signer{Token: token}.Sign(request.Header, stamp))
		all.Go(func() {
			answer := httptest.NewRecorder()
			receiver.ServeHTTP(answer, request)
			assert.Equal(t, http.StatusOK, answer.Code)
		})
	}
	all.Wait()
}
