package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// mint makes session tokens, numbered, with a lifetime.
type mint struct {
	lifetime time.Duration
	// slow is how long making one takes.
	slow time.Duration
	// begun, when set, is called before each is made.
	begun func()

	mu      sync.Mutex
	made    int
	ended   int       // Requests whose caller went away.
	failure responder // Responses this, where it is set.
	token   string    // The token, where it is not to be a number.
	expires string    // The expiry that is told, as JSON; made from the lifetime where it is empty.
	address string    // The tooling endpoint's address.
}

func (m *mint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v0/tooling-access/token" {
		says(200, `{"data":{"enabled":true,"endpoint_url":null}}`)(w, r)
		return
	}
	if m.begun != nil {
		m.begun()
	}
	m.mu.Lock()
	slow := m.slow
	m.mu.Unlock()
	if slow > 0 {
		select {
		case <-time.After(slow):
		case <-r.Context().Done():
			m.mu.Lock()
			m.ended++
			m.mu.Unlock()
			return
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.made++
	if m.failure != nil {
		m.failure(w, r)
		return
	}
	expires := m.expires
	if expires == "" {
		expires = fmt.Sprintf("%q", time.Now().Add(m.lifetime).UTC().Format(time.RFC3339Nano))
	}
	token := m.token
	if token == "" {
		token = fmt.Sprint("session-", m.made)
	}
	says(200, fmt.Sprintf(`{"data":{"endpoint_url":%q,"token":%q,"expires_at":%s}}`, m.address, token, expires))(w, r)
}

func (m *mint) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.made
}

// fails makes the service respond with a failure from now on, or with tokens again where that is nil.
func (m *mint) fails(failure responder) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failure = failure
}

// gone is the number of requests whose caller went away.
func (m *mint) gone() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ended
}

// takes sets how long making a token takes from now on.
func (m *mint) takes(slow time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.slow = slow
}

var down = says(503, "x")

// take takes a token that must be there and good.
func take(t *testing.T, tokens *rpcfleet.ToolingTokenSource) string {
	t.Helper()
	token, err := tokens.Token(t.Context())
	require.NoError(t, err)
	assert.True(t, time.Now().Before(token.ExpiresAt.Time), "an expired token was handed out")
	return token.Token.Reveal()
}

func TestTokenIsKeptUntilShortlyBeforeItExpires(t *testing.T) {
	for lifetime, margin := range map[time.Duration]time.Duration{
		time.Hour: time.Minute, 15 * time.Minute: time.Minute, time.Minute: 12 * time.Second, 10 * time.Second: 2 * time.Second,
	} {
		t.Run(lifetime.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &mint{lifetime: lifetime}
				client := piped(t, service)
				tokens := client.Tooling.TokenSource()
				assert.Same(t, tokens, client.Tooling.TokenSource())
				assert.Zero(t, service.count(), "nothing is sent before a token is asked for")
				assert.Equal(t, "session-1", take(t, tokens))
				time.Sleep(lifetime - margin - time.Nanosecond)
				assert.Equal(t, "session-1", take(t, tokens))
				synctest.Wait()
				assert.Equal(t, 1, service.count(), "it is not renewed too early")
				time.Sleep(time.Nanosecond)
				assert.Equal(t, "session-1", take(t, tokens), "the old one is good, and nobody waits for the new one")
				synctest.Wait()
				assert.Equal(t, "session-2", take(t, tokens))
				time.Sleep(10 * lifetime)
				assert.Equal(t, "session-3", take(t, tokens), "it was not used for a while")
				assert.Equal(t, 3, service.count())
			})
		})
	}
}

func TestManyAskAtTheMomentOfExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Minute, slow: time.Second}
		tokens := piped(t, service).Tooling.TokenSource()
		for round := 1; round <= 3; round++ {
			want := fmt.Sprint("session-", round)
			var all sync.WaitGroup
			for range 200 {
				all.Go(func() { assert.Equal(t, want, take(t, tokens)) })
			}
			all.Wait()
			assert.Equal(t, round, service.count())
			time.Sleep(time.Minute)
		}
	})
}

func TestACallerThatLeavesEndsNoOther(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Minute, slow: 10 * time.Second}
		tokens := piped(t, service).Tooling.TokenSource()
		began := time.Now()
		var all sync.WaitGroup
		all.Go(func() { // The one whose call it is.
			ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, 1), time.Second)
			defer cancel()
			_, err := tokens.Token(ctx)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, time.Second, time.Since(began))
		})
		synctest.Wait()
		for range 5 {
			all.Go(func() {
				assert.Equal(t, "session-1", take(t, tokens))
				assert.Equal(t, 11*time.Second, time.Since(began), "one of them makes a request of its own")
			})
		}
		all.Wait()
		assert.Equal(t, 1, service.count())
	})
}

func TestARequestEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Minute, slow: 10 * time.Second}
		tokens := piped(t, service).Tooling.TokenSource()
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := tokens.Token(brief)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		synctest.Wait()
		assert.Equal(t, 1, service.gone(), "the request was given up")
		began := time.Now()
		assert.Equal(t, "session-1", take(t, tokens), "the next caller, be it at once, begins anew")
		assert.Equal(t, 10*time.Second, time.Since(began))

		ended, cancel := context.WithCancel(t.Context())
		cancel()
		time.Sleep(time.Minute)
		_, err = tokens.Token(ended)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 1, service.count(), "an ended context begins nothing")
	})
}

func TestUselessTokensAreNotHandedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: 0}
		tokens := piped(t, service).Tooling.TokenSource()
		for i := range 2 {
			token, err := tokens.Token(t.Context())
			require.ErrorIs(t, err, rpcfleet.ErrExpiredToken)
			require.EqualError(t, err, "rpcfleet: the service gave a session token that has already expired")
			assert.True(t, token.Token.IsZero())
			assert.Equal(t, i+1, service.count())
			time.Sleep(time.Second)
		}
	})
	for _, none := range []string{`null`, `""`} {
		client, _ := scripted(t, says(200, `{"data":{"endpoint_url":"https://t.example.com/","token":`+none+`,"expires_at":"2999-01-01T00:00:00Z"}}`))
		token, err := client.Tooling.TokenSource().Token(t.Context())
		var unreadable *rpcfleet.DecodeError
		require.ErrorAs(t, err, &unreadable)
		assert.Equal(t, rpcfleet.ReasonNoData, unreadable.Reason)
		assert.Equal(t, "createToolingToken", unreadable.Operation)
		assert.Equal(t, "POST /v0/tooling-access/token", unreadable.Method+" "+unreadable.Path)
		assert.Equal(t, "there is no token", unreadable.Detail)
		assert.True(t, token.Token.IsZero())
	}
}

// A token that expires between its making and the moment in which a waiter gets to run is renewed, not handed out: the
// response itself is what takes the time here.
func TestATokenThatIsOldOnArrivalIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tokens := piped(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			expires := time.Now().Add(time.Second).UTC().Format(time.RFC3339Nano)
			time.Sleep(time.Second)
			says(200, fmt.Sprintf(`{"data":{"endpoint_url":"https://t.example.com/","token":"session","expires_at":%q}}`, expires))(w, r)
		})).Tooling.TokenSource()
		_, err := tokens.Token(t.Context())
		require.ErrorIs(t, err, rpcfleet.ErrExpiredToken)
	})
}

func TestATokenWithoutAReadableExpiryIsKeptForAMinute(t *testing.T) {
	for _, expires := range []string{`null`, `"soon"`} {
		synctest.Test(t, func(t *testing.T) {
			service := &mint{expires: expires}
			tokens := piped(t, service).Tooling.TokenSource()
			for _, want := range []string{"session-1", "session-1", "session-2"} {
				token, err := tokens.Token(t.Context())
				require.NoError(t, err)
				assert.Equal(t, want, token.Token.Reveal())
				time.Sleep(30 * time.Second)
			}
		})
	}
}

func TestSwitchingForgetsTheToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &mint{lifetime: time.Hour, slow: time.Second}
		tooling := piped(t, service).Tooling
		tokens := tooling.TokenSource()
		assert.Equal(t, "session-1", take(t, tokens))
		for i, change := range []func(context.Context, ...rpcfleet.CallOption) (*admin.ToolingAccessUpdate, error){tooling.Enable, tooling.Disable} {
			_, err := change(t.Context())
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprint("session-", i+2), take(t, tokens))
		}

		// A token that is on its way during the change goes to who waits for it, and is not kept.
		time.Sleep(time.Hour)
		var all sync.WaitGroup
		all.Go(func() {
			time.Sleep(100 * time.Millisecond)
			_, err := tooling.Disable(t.Context())
			assert.NoError(t, err)
		})
		assert.Equal(t, "session-4", take(t, tokens))
		all.Wait()
		assert.Equal(t, "session-5", take(t, tokens))
	})
}

func TestTokenSourceDoesNotPrint(t *testing.T) {
	service := &mint{lifetime: time.Hour, address: "https://t.example.com/t0k3n"}
	client := piped(t, service)
	assert.Equal(t, "session-1", take(t, client.Tooling.TokenSource()))
	rpc := client.Tooling.HTTPClient()
	text := prints(t, client.Tooling.TokenSource()) +
		fmt.Sprintf("%v %+v %#v", *client.Tooling, *client.Tooling, *client.Tooling) +
		fmt.Sprintf("%v %+v %#v", *rpc, *rpc, rpc.Transport)
	assert.Equal(t, "rpcfleet.ToolingTokenSource rpcfleet.ToolingTokenSource",
		fmt.Sprintf("%v %#v", client.Tooling.TokenSource(), client.Tooling.TokenSource()))
	assert.NotContains(t, text, "session-1")
	assert.NotContains(t, text, "t0k3n")
	assert.NotContains(t, text, testKey)
}
