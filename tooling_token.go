package rpcfleet

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// ErrExpiredToken matches a new session token whose time was over when it came: the clocks of this machine and of the
// service disagree by more than a token's life.
var ErrExpiredToken = errors.New("rpcfleet: the service gave a session token that has already expired")

const (
	// tokenMargin is how long before its end a token is renewed, so that it does not expire under way. For a token that
	// lives less than five times as long it is a fifth of its life.
	tokenMargin = 10 * time.Second
	// unreadableExpiry is how long a token is kept whose expiry cannot be read.
	unreadableExpiry = time.Minute
	// tokenPause is the wait after a failure. Requests for a token come as often as the calls that need it.
	tokenPause = time.Second
	// maxTokenPause is the longest Retry-After that is respected. A program that runs for months must not be shut out of
	// its endpoint for good by one odd header.
	maxTokenPause = time.Hour
)

// ToolingTokenSource hands out a session token for the tooling endpoint, and keeps it until it expires or the endpoint
// refuses it. It is safe for concurrent use. Its printed form shows no token.
type ToolingTokenSource struct {
	create func(context.Context, ...CallOption) (*admin.ToolingToken, error)
	state  atomic.Pointer[tokenState]
}

// tokenState is what a source knows since the access was last changed. Another takes its place with the next change, so
// that a renewal under way meanwhile does not count.
type tokenState struct {
	renewing chan struct{} // Has an item during a request for a token. A wait for it ends with a context.

	mu               sync.Mutex
	token            admin.ToolingToken // The kept one, or zero.
	renewAt, expires time.Time
	failure          error     // The last one.
	until            time.Time // Until then no request is made after it.
}

// TokenSource returns the client's source of session tokens: always the same one, which HTTPClient uses too. Nothing is
// sent before a token is asked for. Enable and Disable make it forget its token, and the failure before the change.
//
// POST /v0/tooling-access/token
func (s *ToolingService) TokenSource() *ToolingTokenSource { return s.source }

// Token returns a session token that has not expired, with the address of the endpoint that it is for.
//
// A token is kept and returned at once until ten seconds before it expires, or until a fifth of its life is left if
// that is less, or for a minute if its expiry cannot be read. Then one caller makes the request for another, within its
// own context, and the others wait for it; its token is theirs as well. See CreateToken for the errors, and
// [ErrExpiredToken]. A caller whose context ends stops waiting, which is no failure; if the request was its own, the
// next caller makes another.
//
// After a failure of any kind no request is made for a second, or for the Retry-After of the response, up to an hour.
// Until then callers get the kept token, if it has not expired, or else the same error at once. Enable, Disable, and
// the endpoint's refusal of the kept token to the client of HTTPClient end the wait.
//
// POST /v0/tooling-access/token
func (s *ToolingTokenSource) Token(ctx context.Context) (admin.ToolingToken, error) {
	if ctx == nil {
		op := api.CreateToolingToken().Operation
		return admin.ToolingToken{}, &ValidationError{Operation: op.ID, Field: "context", Rule: "must not be nil"}
	}
	if err := ctx.Err(); err != nil {
		return admin.ToolingToken{}, withCause(ctx, err)
	}
	state := s.state.Load()
	if token, due, err := state.current(); !due {
		return token, err
	}
	select {
	case state.renewing <- struct{}{}:
		defer func() { <-state.renewing }()
		return s.renew(ctx, state)
	case <-ctx.Done():
		return admin.ToolingToken{}, withCause(ctx, ctx.Err())
	}
}

// renew makes the request for a token, unless one has come while the caller waited for its turn.
func (s *ToolingTokenSource) renew(ctx context.Context, state *tokenState) (admin.ToolingToken, error) {
	if token, due, err := state.current(); !due {
		return token, err
	}
	token, err := s.create(ctx)
	if err == nil {
		err = checkToken(token)
	}
	switch {
	case err == nil:
		state.keep(token)
		return *token, nil
	case ctx.Err() != nil:
		return admin.ToolingToken{}, err
	}
	state.failed(err)
	kept, _, err := state.current()
	return kept, err
}

// discard gives up a token that the endpoint has refused, and asks for another without delay. A token that is not the
// kept one changes nothing: a later one has taken its place.
func (s *ToolingTokenSource) discard(token admin.ToolingToken) {
	state := s.state.Load()
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.token.Token.Equal(token.Token) {
		state.token, state.renewAt, state.expires, state.until = admin.ToolingToken{}, time.Time{}, time.Time{}, time.Time{}
	}
}

// forget drops the kept token and the last failure.
func (s *ToolingTokenSource) forget() { s.state.Store(&tokenState{renewing: make(chan struct{}, 1)}) }

// current returns the kept token, or the last failure while it is too early for another request, and reports whether a
// request is due.
func (s *tokenState) current() (token admin.ToolingToken, due bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	early := now.Before(s.until)
	switch {
	case now.Before(s.renewAt), early && now.Before(s.expires):
		return s.token, false, nil
	case early:
		return admin.ToolingToken{}, false, s.failure
	}
	return admin.ToolingToken{}, true, nil
}

// keep keeps a new token.
func (s *tokenState) keep(token *admin.ToolingToken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token, s.expires = *token, token.ExpiresAt.Time
	if !token.ExpiresAt.Valid() {
		s.expires = time.Now().Add(unreadableExpiry)
	}
	s.renewAt = s.expires.Add(-min(tokenMargin, time.Until(s.expires)/5))
}

// failed begins the wait after a failure. Every failure counts, those included that will hardly go away by themselves,
// as a wrong key.
func (s *tokenState) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := tokenPause
	var fault *Error
	if errors.As(err, &fault) {
		wait = max(wait, min(fault.RetryAfter, maxTokenPause))
	}
	s.failure, s.until = err, time.Now().Add(wait)
}

// checkToken refuses a token that is of no use from the start.
func checkToken(token *admin.ToolingToken) error {
	op := api.CreateToolingToken().Operation
	switch {
	case token.Token.IsZero():
		return &DecodeError{
			Operation: op.ID, Method: op.Method, Path: op.Path, Reason: ReasonNoData, Detail: "there is no token",
		}
	case token.ExpiresAt.Valid() && !time.Now().Before(token.ExpiresAt.Time):
		return ErrExpiredToken
	}
	return nil
}

// String names the source without its token.
func (s *ToolingTokenSource) String() string { return "rpcfleet.ToolingTokenSource" }

// GoString names the source without its token.
func (s *ToolingTokenSource) GoString() string { return s.String() }
