package clienttest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

// tokenService makes session tokens, numbered, with a lifetime. Its fields are set only if no token is being made.
type tokenService struct {
	lifetime time.Duration
	slow     time.Duration // How long making one takes.
	address  string        // The tooling endpoint's address.
	token    string        // The token, if it is not to be a number.
	expires  string        // The expiry, as JSON; made from the lifetime if it is empty.

	mu      sync.Mutex
	made    int
	left    int       // Requests with a caller that went away.
	failure responder // The response to all requests, unless it is nil. It is set if no token is being made.
}

func (m *tokenService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v0/tooling-access/token" {
		ok(`{"data":{"enabled":true,"endpoint_url":null}}`)(w, r)
		return
	}
	if m.slow > 0 {
		select {
		case <-time.After(m.slow):
		case <-r.Context().Done():
			m.mu.Lock()
			m.left++
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
	expires, token := m.expires, m.token
	if expires == "" {
		expires = fmt.Sprintf("%q", time.Now().Add(m.lifetime).UTC().Format(time.RFC3339Nano))
	}
	if token == "" {
		token = fmt.Sprint("session-", m.made)
	}
	ok(fmt.Sprintf(`{"data":{"endpoint_url":%q,"token":%q,"expires_at":%s}}`, m.address, token, expires))(w, r)
}

var down = respondJSON(503, "x")

// take takes a token that must be there and good.
func take(t *testing.T, tokens *rpcfleet.ToolingTokenSource) string {
	t.Helper()
	token := must(tokens.Token(t.Context()))(t)
	assert.True(t, time.Now().Before(token.ExpiresAt), "an expired token was handed out")
	return token.Token.Reveal()
}

// minted runs a test inside a bubble, with a service that makes tokens and a client of it.
func minted(t *testing.T, service *tokenService, run func(t *testing.T, tooling *rpcfleet.ToolingService)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { run(t, piped(t, service).Tooling) })
}

func TestTokenSource_renewsShortlyBeforeTheExpiry(t *testing.T) {
	for lifetime, margin := range map[time.Duration]time.Duration{
		time.Hour: time.Minute, 10 * time.Minute: time.Minute, 40 * time.Second: 8 * time.Second,
	} {
		service := &tokenService{lifetime: lifetime}
		minted(t, service, func(t *testing.T, tooling *rpcfleet.ToolingService) {
			tokens := tooling.TokenSource()
			assert.Same(t, tokens, tooling.TokenSource())
			assert.Zero(t, service.made, "nothing is sent before a token is asked for")
			assert.Equal(t, "session-1", take(t, tokens))
			time.Sleep(lifetime - margin - time.Nanosecond)
			assert.Equal(t, "session-1", take(t, tokens), "%s", lifetime)
			time.Sleep(time.Nanosecond)
			assert.Equal(t, "session-2", take(t, tokens), "%s", lifetime)
			time.Sleep(10 * lifetime)
			assert.Equal(t, "session-3", take(t, tokens), "it was not used for a while")
		})
	}
	for _, expires := range []string{`null`, `"soon"`} {
		minted(t, &tokenService{expires: expires}, func(t *testing.T, tooling *rpcfleet.ToolingService) {
			for _, want := range []string{"session-1", "session-1", "session-2"} {
				token := must(tooling.TokenSource().Token(t.Context()))(t)
				assert.Equal(t, want, token.Token.Reveal(), "a token without a readable expiry is kept for a minute")
				time.Sleep(30 * time.Second)
			}
		})
	}
}

// TestTokenSource_renewsOnceForManyCallers, and one of them that gives up ends no other.
func TestTokenSource_renewsOnceForManyCallers(t *testing.T) {
	service := &tokenService{lifetime: time.Minute, slow: 10 * time.Second}
	minted(t, service, func(t *testing.T, tooling *rpcfleet.ToolingService) {
		tokens, began := tooling.TokenSource(), time.Now()
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var all sync.WaitGroup
		for range 2 { // The one that sends the request, and one that waits for it.
			all.Go(func() {
				assert.ErrorIs(t, errOf(tokens.Token(brief)), context.DeadlineExceeded)
				assert.Equal(t, time.Second, time.Since(began))
			})
		}
		synctest.Wait()
		for range 200 {
			all.Go(func() {
				assert.Equal(t, "session-1", take(t, tokens))
				assert.Equal(t, 11*time.Second, time.Since(began), "one of them makes a request of its own, at once")
			})
		}
		all.Wait()
		synctest.Wait()
		assert.Equal(t, []int{1, 1}, []int{service.made, service.left}, "the first request was given up")
	})
}

func TestTokenSource_endsWithTheContext(t *testing.T) {
	service := &tokenService{lifetime: time.Minute}
	tokens := piped(t, service).Tooling.TokenSource()
	_, err := tokens.Token(nil) //nolint:staticcheck // That is the mistake.
	require.ErrorAs(t, err, new(*rpcfleet.ValidationError))
	require.EqualError(t, err, "rpcfleet: createToolingToken: context must not be nil")

	reason := errors.New("made-up reason")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	_, err = tokens.Token(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, reason)
	_, err = tokens.Token(canceled(t))
	assert.Equal(t, context.Canceled, err)
	assert.Zero(t, service.made, "an ended context begins nothing")
}

func TestTooling_refusesUnusableTokens(t *testing.T) {
	for life, delay := range map[time.Duration]time.Duration{0: 0, time.Second: time.Second} { // Or it expires on its way.
		synctest.Test(t, func(t *testing.T) {
			token, err := piped(t, responder(func(w http.ResponseWriter, r *http.Request) {
				expires := time.Now().Add(life).UTC().Format(time.RFC3339Nano)
				time.Sleep(delay)
				ok(fmt.Sprintf(`{"data":{"token":"session","expires_at":%q}}`, expires))(w, r)
			})).Tooling.TokenSource().Token(t.Context())
			require.ErrorIs(t, err, rpcfleet.ErrExpiredToken)
			require.EqualError(t, err, "rpcfleet: the service returned a session token that has already expired")
			assert.True(t, token.Token.IsZero())
		})
	}
	for _, none := range []string{`null`, `""`} {
		client, _ := scripted(t, ok(`{"data":{"token":`+none+`,"expires_at":"2999-01-01T00:00:00Z"}}`))
		token, err := client.Tooling.TokenSource().Token(t.Context())
		assert.Equal(t, rpcfleet.DecodeError{
			Operation: "createToolingToken", Method: "POST", Path: "/v0/tooling-access/token",
			Reason: rpcfleet.ReasonNoData, Detail: "there is no token",
		}, *errorAs[*rpcfleet.DecodeError](t, err))
		assert.True(t, token.Token.IsZero())
	}
}

// TestTokenSource_sharesFailureForAWhile: for a second, or for the Retry-After, up to an hour.
func TestTokenSource_sharesFailureForAWhile(t *testing.T) {
	for retryAfter, want := range map[string]time.Duration{
		"": time.Second, "17": 17 * time.Second, "3600": time.Hour, "3601": time.Hour,
		fmt.Sprint(int64(math.MaxInt64)): time.Hour,
	} {
		service := &tokenService{lifetime: time.Minute, slow: time.Second, failure: later(503, retryAfter)}
		minted(t, service, func(t *testing.T, tooling *rpcfleet.ToolingService) {
			var errs [20]error
			var all sync.WaitGroup
			for i := range errs {
				all.Go(func() { _, errs[i] = tooling.TokenSource().Token(t.Context()) })
			}
			all.Wait()
			service.failure = nil
			time.Sleep(want - time.Nanosecond)
			token, err := tooling.TokenSource().Token(t.Context())
			require.ErrorIs(t, err, rpcfleet.ErrServer)
			assert.True(t, token.Token.IsZero())
			for _, other := range errs {
				assert.Same(t, err, other)
			}
			assert.Equal(t, 1, service.made, "one request for all")
			time.Sleep(time.Nanosecond)
			assert.Equal(t, "session-2", take(t, tooling.TokenSource()))
		})
	}
}

func TestTokenSource_usesTokenUntilExpiryIfRenewalFails(t *testing.T) {
	service := &tokenService{lifetime: time.Hour}
	minted(t, service, func(t *testing.T, tooling *rpcfleet.ToolingService) {
		take(t, tooling.TokenSource())
		time.Sleep(time.Hour - 10*time.Second)
		service.failure = respondJSON(401, "the key is wrong")
		for range 100 {
			require.Equal(t, "session-1", take(t, tooling.TokenSource()))
			time.Sleep(100*time.Millisecond - time.Nanosecond)
		}
		assert.Equal(t, 1+10, service.made, "another is asked for every second")
		time.Sleep(time.Minute)
		require.ErrorIs(t, errOf(tooling.TokenSource().Token(t.Context())), rpcfleet.ErrUnauthorized)
	})
}

func TestTokenSource_enableAndDisableDropToken(t *testing.T) {
	service := &tokenService{lifetime: time.Hour, slow: time.Second}
	minted(t, service, func(t *testing.T, tooling *rpcfleet.ToolingService) {
		tokens := tooling.TokenSource()
		assert.Equal(t, "session-1", take(t, tokens))
		for i, change := range []func(context.Context, ...rpcfleet.CallOption) (*admin.ToolingAccess, error){
			tooling.Enable, tooling.Disable,
		} {
			require.NoError(t, errOf(change(t.Context())))
			assert.Equal(t, fmt.Sprint("session-", i+2), take(t, tokens))
		}

		// A token that is on its way during the change goes to who waits for it, and is not kept.
		time.Sleep(time.Hour)
		var all sync.WaitGroup
		all.Go(func() {
			time.Sleep(100 * time.Millisecond)
			assert.NoError(t, errOf(tooling.Disable(t.Context())))
		})
		assert.Equal(t, "session-4", take(t, tokens))
		all.Wait()
		assert.Equal(t, "session-5", take(t, tokens))

		time.Sleep(time.Hour)
		service.failure = later(400, "60")
		require.ErrorIs(t, errOf(tokens.Token(t.Context())), rpcfleet.ErrInvalidRequest)
		service.failure = nil
		require.NoError(t, errOf(tooling.Enable(t.Context())))
		assert.Equal(t, "session-7", take(t, tokens))
	})
}

func TestTokenSource_printsNoSecret(t *testing.T) {
	client := piped(t, &tokenService{lifetime: time.Hour, address: "https://t.example.com/t0k3n"})
	tokens, rpc := client.Tooling.TokenSource(), client.Tooling.HTTPClient()
	assert.Equal(t, "session-1", take(t, tokens))
	hidesInForms(t, tokens, "session-1", "t0k3n", testKey)
	for _, value := range []any{*client.Tooling, *rpc, rpc.Transport} {
		hidesInPrint(t, value, "session-1")
	}
}

func TestTooling_refusesAddressesOutsideEndpoint(t *testing.T) {
	elsewhere, p := scriptnet.Serve(t, fine), startTooling(t, fine)
	origins := strings.NewReplacer("ELSEWHERE", elsewhere.URL, "ORIGIN", p.URL,
		"OTHERNAME", strings.Replace(p.URL, "127.0.0.1", "localhost", 1))
	for _, address := range []string{
		"ELSEWHERE/tooling/42/", "OTHERNAME/tooling/42/", "ORIGIN", "ORIGIN/tooling/421", "ORIGIN/tooling/",
		"ORIGIN/Tooling/42/", "ORIGIN/tooling/42/../43", "ORIGIN/tooling/42/%2e%2e/43", "ORIGIN/tooling/42/..%2f43",
		"ORIGIN/tooling/42/..%5c43", "ORIGIN/tooling/42/..;x=y/43", "ORIGIN/tooling/42/./x", "ORIGIN/tooling%2f42/",
		"ORIGIN//tooling/42/", "opaque",
	} {
		sent := &body{Reader: strings.NewReader("text")}
		req := request(t, origins.Replace(address), sent)
		if address == "opaque" {
			req = request(t, p.URL+"/tooling/42", sent)
			req.URL.Opaque = "/elsewhere" // This would be sent, for any path.
		}
		_, err := p.rpc.Do(req)
		require.EqualError(t, errors.Unwrap(err),
			"rpcfleet: URL must be the tooling endpoint's or below it, without dot segments", address)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		assert.True(t, sent.closed, address)
		assert.Empty(t, append(p.Requests(), elsewhere.Requests()...), address)
	}
}

// TestTooling_redirectStaysAtEndpoint: redirects are returned, and a caller's own policy cannot leave the endpoint.
func TestTooling_redirectStaysAtEndpoint(t *testing.T) {
	elsewhere := scriptnet.Serve(t, fine)
	for target, requests := range map[string]int{"/tooling/42/x": 3, "/outside": 2, elsewhere.URL + "/tooling/42": 2} {
		p := startTooling(t, redirect(target), redirect(target), fine)
		resp := must(p.rpc.Get(p.URL + "/tooling/42"))(t)
		resp.Body.Close()
		assert.Equal(t, target, resp.Header.Get("Location"))
		assert.NotContains(t, resp.Request.Header, "Authorization", "a response does not show the token")

		p.rpc.CheckRedirect = nil
		resp, err := p.rpc.Get(p.URL + "/tooling/42")
		if requests == 3 {
			require.NoError(t, err)
			resp.Body.Close()
		} else {
			require.ErrorAs(t, err, new(*rpcfleet.ValidationError))
		}
		assert.Equal(t, slices.Repeat([]string{"Bearer session-1"}, requests), bearers(p.Server), target)
		assert.Empty(t, elsewhere.Requests())
	}
}

// TestTooling_refusesInvalidAddresses, and sends nothing without a token, or with one that no header can have.
func TestTooling_refusesInvalidAddresses(t *testing.T) {
	const unusable, unsendable = "no usable address", "cannot be sent"
	for _, test := range []struct {
		address, token string // ORIGIN is the endpoint's origin.
		failure        responder
		text           string
	}{
		{"", "", nil, unusable}, {"/tooling/42", "", nil, unusable}, {"ftp://localhost/tooling/42", "", nil, unusable},
		{"wss://localhost/tooling/42", "", nil, unusable}, {"http://localhost/tooling/../42", "", nil, unusable},
		{"http://localhost/tooling/./42", "", nil, unusable}, {"http://localhost/tooling/%2e%2E/42", "", nil, unusable},
		{"http://local host/", "", nil, unusable}, {"mailto:t0k3n@example.com", "", nil, unusable},
		{"http://localhost:t0k3n/", "", nil, unusable}, {"http://rpc.example.com/tooling/42", "", nil, "plain http"},
		{"ORIGIN/tooling/42", "", down, "503"}, {"ORIGIN/tooling/42", "t0k3n\r\nX-Evil: 1", nil, unsendable},
		{"ORIGIN/tooling/42", "t0k3n x", nil, unsendable}, {"ORIGIN/tooling/42", "t0k3nö", nil, unsendable},
	} {
		p := startTooling(t, fine)
		address := p.URL + "/tooling/42"
		p.tokens.address = strings.Replace(test.address, "ORIGIN", p.URL, 1)
		if p.tokens.token, p.tokens.failure = test.token, test.failure; test.text == "plain http" {
			address = test.address
		}
		sent := &body{Reader: strings.NewReader("text")}
		_, err := p.rpc.Do(request(t, address, sent))
		require.ErrorContains(t, err, test.text)
		assert.Equal(t, test.failure != nil, errors.Is(err, rpcfleet.ErrServer))
		assert.Empty(t, p.Requests())
		assert.True(t, sent.closed, "a RoundTripper closes the body, whatever happens")
		assert.NotContains(t, err.Error(), "t0k3n")
		assert.NotContains(t, err.Error(), "session-1")
	}
}

// TestToolingHTTPClient_knowsOtherSpellingsOfTheAddress, which may contain parts that are not sent.
func TestToolingHTTPClient_knowsOtherSpellingsOfTheAddress(t *testing.T) {
	p := startTooling(t, fine)
	for i, spelled := range []string{
		"http://HOST/tooling/42/", "http://HOST/tooling/42", "http://HOST/tooling/42///", "HTTP://HOST/tooling/42/",
		"http://user:t0k3n@HOST/tooling/42/", "http://HOST/tooling/42/?x=t0k3n", "http://HOST/tooling/42/#t0k3n",
	} {
		p.tokens.address = strings.Replace(spelled, "HOST", strings.TrimPrefix(p.URL, "http://"), 1)
		require.NoError(t, errOf(p.admin.Tooling.Enable(t.Context())), "another token is made")
		assert.Equal(t, 200, post(t, p.rpc, p.URL+"/tooling/42/x", strings.NewReader("y")))
		assert.Equal(t, 200, post(t, p.rpc, strings.Replace(p.URL, "http://", "http://me:too@", 1)+"/tooling/42", nil))
		assert.Equal(t, fmt.Sprint("Bearer session-", i+1), bearers(p.Server)[2*i+1])
		assert.NotContains(t, p.Requests()[2*i].Query, "t0k3n")
	}
}
