package clienttest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

func TestAValidTokenIsHandedOutWhileANewOneIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Hour, slow: 10 * time.Second}
		tokens := piped(t, service).Tooling.TokenSource()
		take(t, tokens)
		time.Sleep(time.Hour - 30*time.Second)
		began := time.Now()
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { assert.Equal(t, "session-1", take(t, tokens)) })
		}
		all.Wait()
		assert.Zero(t, time.Since(began), "nobody waits")
		time.Sleep(9 * time.Second)
		assert.Equal(t, "session-1", take(t, tokens))
		time.Sleep(2 * time.Second)
		assert.Equal(t, "session-2", take(t, tokens))
		assert.Equal(t, 2, service.count(), "one request for all")
	})
}

func TestAFailureInTheBackgroundIsNobodys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Hour}
		tokens := piped(t, service).Tooling.TokenSource()
		take(t, tokens)
		time.Sleep(time.Hour - 30*time.Second)
		service.fails(down)
		for range 2999 {
			require.Equal(t, "session-1", take(t, tokens), "it is good to its end")
			time.Sleep(10 * time.Millisecond)
		}
		assert.Greater(t, service.count(), 3, "and another one was asked for now and then")
		time.Sleep(10 * time.Millisecond)
		_, err := tokens.Token(t.Context())
		require.ErrorIs(t, err, rpcfleet.ErrServer, "and not beyond it")
		service.fails(nil)
		time.Sleep(30 * time.Second)
		take(t, tokens)
	})
}

func TestCallersJoinABackgroundRenewalWhenTheirTokenExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: 10 * time.Second, slow: 5 * time.Second}
		tokens := piped(t, service, rpcfleet.WithTimeout(0)).Tooling.TokenSource()
		take(t, tokens)
		time.Sleep(9 * time.Second)
		assert.Equal(t, "session-1", take(t, tokens))
		time.Sleep(2 * time.Second) // It is over, and the new one is on its way.
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := tokens.Token(brief)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Zero(t, service.gone(), "the leaving of the only one who waits does not end it")
		began := time.Now()
		assert.Equal(t, "session-2", take(t, tokens))
		assert.Equal(t, 2*time.Second, time.Since(began))
		assert.Equal(t, 2, service.count())
	})
}

func TestABackgroundRenewalEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Hour}
		tokens := piped(t, service, rpcfleet.WithTimeout(0)).Tooling.TokenSource()
		take(t, tokens)
		time.Sleep(time.Hour - time.Minute)
		service.takes(24 * time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		_, err := tokens.Token(ctx)
		require.NoError(t, err)
		cancel() // The caller is gone, and nobody else comes.
		time.Sleep(time.Minute - time.Nanosecond)
		synctest.Wait()
		assert.Zero(t, service.gone())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		assert.Equal(t, 1, service.gone())
		service.takes(0)
		assert.Equal(t, "session-2", take(t, tokens))
	})
}

// The observer sees the values of the context of the caller that a renewal began with, and never that context's end.
func TestARenewalIsObservedUnderItsFirstCaller(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		var seen []any
		observer := func(ctx context.Context, _ rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
			seen = append(seen, ctx.Value(key{}))
			return ctx, func(outcome rpcfleet.Outcome) {
				assert.NoError(t, ctx.Err())
				seen = append(seen, outcome.StatusCode)
			}
		}
		service := &mint{lifetime: time.Minute, slow: time.Second}
		tokens := piped(t, service, rpcfleet.WithObserver(observer)).Tooling.TokenSource()
		take(t, tokens)
		time.Sleep(50 * time.Second)
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "first"))
		_, err := tokens.Token(ctx)
		require.NoError(t, err)
		cancel()
		take(t, tokens)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, []any{nil, 200, "first", 200}, seen)
	})
}

func TestTokenTakesItsContextSeriously(t *testing.T) {
	tokens := piped(t, &mint{lifetime: time.Minute}).Tooling.TokenSource()
	_, err := tokens.Token(nil) //nolint:staticcheck // That is the mistake.
	require.ErrorAs(t, err, new(*rpcfleet.ValidationError))
	require.EqualError(t, err, "rpcfleet: createToolingToken: context must not be nil")

	reason := errors.New("made-up reason")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	_, err = tokens.Token(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, reason)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = tokens.Token(ctx)
	assert.Equal(t, context.Canceled, err)
}

func TestARefusedTokenIsNotHandedOutAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Hour, address: "http://localhost/tooling/42"}
		refused := 0
		client := piped(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path != "/tooling/42":
				service.ServeHTTP(w, r)
			case r.Header.Get("Authorization") == "Bearer session-1":
				refused++
				unauthorized(w, r)
			default:
				fine(w, r)
			}
		}))
		tokens, rpc := client.Tooling.TokenSource(), client.Tooling.HTTPClient()
		assert.Equal(t, "session-1", take(t, tokens))
		time.Sleep(59 * time.Minute) // Near its end, and there is no new one to be had,
		service.fails(down)
		assert.Equal(t, "session-1", take(t, tokens))
		synctest.Wait()
		assert.Equal(t, 2, service.count())
		_, err := rpc.Get("http://localhost/tooling/42") // when the endpoint refuses it.
		require.ErrorIs(t, err, rpcfleet.ErrServer)
		assert.Equal(t, 3, service.count(), "the refusal ends the wait for another request")
		_, err = tokens.Token(t.Context())
		require.ErrorIs(t, err, rpcfleet.ErrServer, "the refused one has not expired by the clock")
		assert.Equal(t, 3, service.count(), "and the failure begins one")
		service.fails(nil)
		time.Sleep(time.Second)
		assert.Equal(t, "session-4", take(t, tokens))
		assert.Equal(t, 200, post(t, rpc, "http://localhost/tooling/42", nil))
		assert.Equal(t, 1, refused)
	})
}

// held is a context that lets a caller go on to wait only when it is told to.
type held struct {
	context.Context
	once            sync.Once
	arrived, resume chan struct{}
}

func (h *held) Done() <-chan struct{} {
	h.once.Do(func() {
		close(h.arrived)
		<-h.resume
	})
	return h.Context.Done()
}

// Those who wait for a token hear of it one after the other. A late one must not take what an early one has been
// refused with meanwhile.
func TestALateWaiterDoesNotTakeARefusedToken(t *testing.T) {
	p := startPlane(t, unauthorized, fine)
	tokens := p.admin.Tooling.TokenSource()
	late := &held{Context: t.Context(), arrived: make(chan struct{}), resume: make(chan struct{})}
	begun := make(chan struct{})
	p.mint.begun = sync.OnceFunc(func() {
		close(begun)
		<-late.arrived
	})
	var all sync.WaitGroup
	all.Go(func() {
		<-begun
		token, err := tokens.Token(late)
		assert.NoError(t, err)
		assert.Equal(t, "session-2", token.Token.Reveal())
	})
	assert.Equal(t, "session-1", take(t, tokens))
	assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42", nil))
	assert.Equal(t, []string{"Bearer session-1", "Bearer session-2"}, bearers(p.Server))
	close(late.resume)
	all.Wait()
}
