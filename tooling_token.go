package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

const (
	// tokenMargin is the time before the expiry at which a token is renewed, so that it does not expire on the way. If a
	// token lives less than five times as long, the margin is a fifth of its lifetime.
	tokenMargin = 10 * time.Second
	// unreadableExpiry is the lifetime of a token if its expiry cannot be read.
	unreadableExpiry = time.Minute
	// tokenPause is the wait after a failure. Without it, every call that needs a token would send a request.
	tokenPause = time.Second
	// maxTokenPause is the longest Retry-After that is honored. One bad header must not shut out a long-running program
	// for good.
	maxTokenPause = time.Hour
)

// ToolingTokenSource keeps a session token. It is safe for concurrent use.
type ToolingTokenSource struct {
	create func(context.Context, ...CallOption) (*admin.ToolingToken, error)
	state  atomic.Pointer[tokenState]
}

// tokenState is the state of a source since the last change of the access. The next change replaces it, so that a
// renewal in progress is ignored.
type tokenState struct {
	renewing chan struct{} // Contains an item during a request for a token. A context can end the wait.

	mu               sync.Mutex
	token            admin.ToolingToken // The kept token, or zero.
	renewAt, expires time.Time
	failure          error     // The last failure.
	until            time.Time // No request is made before this time.
}

// TokenSource returns the client's only source of session tokens. Enable and Disable clear it.
// POST /v0/tooling-access/token
func (s *ToolingService) TokenSource() *ToolingTokenSource { return orNew(s).source }

// Token returns a session token that has not expired, with the endpoint's address. One caller renews it ten seconds
// before it expires, or earlier if its lifetime is short, while the others wait. After a failure, no request is made
// for a second, or for Retry-After up to an hour: callers get the kept token or the same error.
// POST /v0/tooling-access/token
func (s *ToolingTokenSource) Token(ctx context.Context) (admin.ToolingToken, error) {
	if s == nil || s.create == nil {
		return admin.ToolingToken{}, (*engine)(nil).created()
	}
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

// renew requests a token, unless one has come while the caller waited for its turn.
func (s *ToolingTokenSource) renew(ctx context.Context, state *tokenState) (admin.ToolingToken, error) {
	if token, due, err := state.current(); !due {
		return token, err
	}
	token, err := s.create(ctx)
	if err == nil {
		err = checkToken(token)
	}
	if err != nil && ctx.Err() != nil {
		return admin.ToolingToken{}, err
	}
	return state.settle(token, err)
}

// discard drops a token that the endpoint has rejected, so that the next one is requested without delay. If the token
// is not the kept one, discard has no effect: a later one has replaced it.
func (s *ToolingTokenSource) discard(token admin.ToolingToken) {
	state := s.state.Load()
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.token.Token.Equal(token.Token) {
		state.token, state.renewAt, state.expires, state.until = admin.ToolingToken{}, time.Time{}, time.Time{}, time.Time{}
	}
}

// forget drops the kept token and the last failure.
func (s *ToolingTokenSource) forget() {
	if s != nil {
		s.state.Store(&tokenState{renewing: make(chan struct{}, 1)})
	}
}

// current returns the kept token, or the last failure if it is too early for another request, and reports whether a
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

// settle stores a new token, or starts the wait after a failure. Every failure counts, even a permanent one such as a
// wrong key.
func (s *tokenState) settle(token *admin.ToolingToken, err error) (admin.ToolingToken, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if err == nil {
		s.token, s.expires = *token, token.ExpiresAt.Time
		if !token.ExpiresAt.Valid() {
			s.expires = now.Add(unreadableExpiry)
		}
		s.renewAt = s.expires.Add(-min(tokenMargin, s.expires.Sub(now)/5))
		return *token, nil
	}
	wait := tokenPause
	if fault, ok := errors.AsType[*Error](err); ok {
		wait = max(wait, min(fault.RetryAfter, maxTokenPause))
	}
	s.failure, s.until = err, now.Add(wait)
	if now.Before(s.expires) {
		return s.token, nil
	}
	return admin.ToolingToken{}, err
}

// checkToken rejects an unusable new token.
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

// Format prints the name of the type for every verb.
func (s *ToolingTokenSource) Format(state fmt.State, _ rune) {
	_, _ = io.WriteString(state, "rpcfleet.ToolingTokenSource")
}
