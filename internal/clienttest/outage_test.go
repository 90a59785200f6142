package clienttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestAServiceThatIsDown counts what a fleet of callers makes of it.
func TestAServiceThatIsDown(t *testing.T) {
	const goroutines, each = 64, 20
	for name, line := range map[string]responder{"503": says(503, ``), "lost": hangsUp} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, line)
			var sent, spent atomic.Int64
			base := &http.Transport{MaxIdleConnsPerHost: goroutines}
			defer base.CloseIdleConnections()
			client := server.client(t, rpcfleet.WithHTTPClient(&http.Client{
				Transport: tripper(func(req *http.Request) (*http.Response, error) {
					sent.Add(1)
					return base.RoundTrip(req)
				})}))
			var callers sync.WaitGroup
			for range goroutines {
				callers.Go(func() {
					for range each {
						_, err := get(client)
						var failure *rpcfleet.Error
						if assert.ErrorAs(t, err, &failure) && failure.RetryQuotaExhausted {
							spent.Add(1)
						}
					}
				})
			}
			callers.Wait()
			calls := float64(goroutines * each)
			t.Logf("%d requests for %.0f calls: %.2f a call", sent.Load(), calls, float64(sent.Load())/calls)
			assert.LessOrEqual(t, float64(sent.Load()), 1.2*calls)
			assert.Greater(t, float64(sent.Load()), calls, "there are retries at first")
			assert.Greater(t, spent.Load(), int64(goroutines), "and the errors say why there are none later")
		})
	}
}

func TestErrorsTellWhenTheQuotaEndedTheRetries(t *testing.T) {
	small := rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, Quota: 4})
	_, server := scripted(t, says(503, ``))
	_, err := get(server.client(t, small))
	var failure *rpcfleet.Error
	require.ErrorAs(t, err, &failure)
	assert.True(t, failure.RetryQuotaExhausted)
	assert.Equal(t, 1, failure.Attempts)
	assert.Contains(t, err.Error(), "retry quota exhausted")

	_, err = get(server.client(t, small), rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, Quota: -1}))
	require.ErrorAs(t, err, &failure)
	assert.False(t, failure.RetryQuotaExhausted)
	assert.Equal(t, 4, failure.Attempts)
	assert.NotContains(t, err.Error(), "quota")

	unlimited := server.client(t, rpcfleet.WithRetryPolicy(rpcfleet.RetryPolicy{MaxAttempts: 4, Quota: -1}))
	for range 40 {
		_, err = get(unlimited)
		require.ErrorAs(t, err, &failure)
		require.Equal(t, 4, failure.Attempts)
	}

	_, server = scripted(t, cutShort)
	_, err = get(server.client(t, small))
	var unreadable *rpcfleet.DecodeError
	require.ErrorAs(t, err, &unreadable)
	assert.True(t, unreadable.RetryQuotaExhausted)
	assert.Contains(t, err.Error(), "retry quota exhausted")
	_, err = get(server.client(t, small), rpcfleet.WithoutRetries())
	require.ErrorAs(t, err, &unreadable)
	assert.False(t, unreadable.RetryQuotaExhausted, "no other attempt was due")

	assert.Equal(t, 500, rpcfleet.DefaultRetryPolicy().Quota)
}

// TestTheCauseOfACancellation is found in the error, but is not what has happened to this call.
func TestTheCauseOfACancellation(t *testing.T) {
	_, down := scripted(t, says(503, ``))
	_, cause := get(down.client(t, rpcfleet.WithoutRetries()))
	require.ErrorIs(t, cause, rpcfleet.ErrServer)

	began := make(chan struct{}, 1)
	client, _ := scripted(t, func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done()
	})
	for name, cause := range map[string]error{"another call's": cause, "a program's own": errors.New("the shift is over")} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-began
				cancel(cause)
			}()
			_, err := client.Account.Info(ctx)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorIs(t, err, context.Cause(ctx))
			require.NotErrorIs(t, err, rpcfleet.ErrServer)
			var failure *rpcfleet.Error
			require.ErrorAs(t, err, &failure)
			assert.Equal(t, "getAccountInfo", failure.Operation)
			assert.Zero(t, failure.StatusCode)
			require.NotErrorAs(t, errors.Unwrap(err), &failure)
		})
	}
}

// TestFollowingEndsWithTheCause as a call does.
func TestFollowingEndsWithTheCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("the shift is over")
	client, _ := scripted(t, func(http.ResponseWriter, *http.Request) { cancel(cause) })
	delivered := false
	for _, err := range client.Logs.Follow(ctx, []string{"ep1"}, rpcfleet.FollowOptions{From: time.Now()}) {
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, cause)
		delivered = true
	}
	assert.True(t, delivered)
}

// TestWhatUnwrapReachesHoldsNoSecrets in whatever form it is logged.
func TestWhatUnwrapReachesHoldsNoSecrets(t *testing.T) {
	synctest.Test(t, unwrapReachesNoSecrets)
}

func unwrapReachesNoSecrets(t *testing.T) {
	const secret = "made-up-token-0123456789"
	client, _ := clocked(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session="+secret)
		w.Header().Set("Content-Length", "1000")
		_, _ = fmt.Fprintf(w, `{"data":{"token":%q`, secret)
		w.(http.Flusher).Flush()
		if r.Method == http.MethodPost {
			<-r.Context().Done()
			return
		}
		panic(http.ErrAbortHandler)
	})
	_, cut := get(client)
	_, late := client.Tooling.CreateToken(t.Context(), rpcfleet.WithTimeout(time.Second))
	_, large := get(client, rpcfleet.WithMaxBodySize(10))
	for name, err := range map[string]error{"cut": cut, "late": late, "large": large} {
		require.Error(t, err, name)
		for ; err != nil; err = errors.Unwrap(err) {
			text, marshalErr := json.Marshal(err)
			require.NoError(t, marshalErr)
			for _, shown := range []string{string(text), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
				assert.NotContains(t, shown, secret, name)
				assert.NotContains(t, shown, "Set-Cookie", name)
				assert.NotContains(t, shown, "eyJ", "%s: in base64", name)
			}
		}
	}
}

func TestTheHostOfTheBaseURLIsInLowerCase(t *testing.T) {
	_, server := scripted(t, says(200, record))
	var host string
	client := server.client(t,
		rpcfleet.WithBaseURL(strings.Replace(server.URL, "127.0.0.1", "LocalHost", 1)),
		rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
			host = req.URL.Hostname()
			req.URL.Host = server.Listener.Addr().String()
			return http.DefaultTransport.RoundTrip(req)
		})}))
	_, err := get(client)
	require.NoError(t, err)
	assert.Equal(t, "localhost", host, "the one spelling that every proxy rule knows")
}
