package rpcfleet

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const (
	tokenMargin      = time.Minute // A token is renewed so long before its expiry, or a fifth of its lifetime.
	unreadableExpiry = time.Minute // The lifetime of a token if its expiry cannot be read.
	tokenPause       = time.Second // The wait after a failure, so that not every call sends a request.
	maxTokenPause    = time.Hour   // The longest Retry-After that is honored: one header must not end it for good.
)

// ToolingTokenSource keeps a session token. It is safe for concurrent use.
type ToolingTokenSource struct {
	create func(context.Context, ...CallOption) (*admin.ToolingToken, error)
	state  atomic.Pointer[tokenState]
}

// tokenState is the state of a source since the last change of the access. The next change replaces it, so that a
// renewal in progress is ignored.
type tokenState struct {
	turn             chan struct{}      // Contains an item while a caller uses the state. A context can end the wait.
	token            admin.ToolingToken // The kept token, or zero.
	renewAt, expires time.Time
	failure          error     // The last failure.
	until            time.Time // No request is made before this time.
}

// TokenSource returns the client's only source of session tokens. Enable and Disable clear it.
// POST /v0/tooling-access/token
func (s *ToolingService) TokenSource() *ToolingTokenSource { return orNew(s).source }

// Token returns a session token that has not expired, with the endpoint's address. One caller renews it a minute
// before it expires, or earlier if its lifetime is short, while the others wait. After a failure, no request is made
// for a second, or for Retry-After up to an hour: callers get the kept token or the same error.
// POST /v0/tooling-access/token
func (s *ToolingTokenSource) Token(ctx context.Context) (admin.ToolingToken, error) {
	switch {
	case s == nil || s.create == nil:
		return admin.ToolingToken{}, notCreated()
	case ctx == nil:
		op := api.CreateToolingToken().Operation
		return admin.ToolingToken{}, &ValidationError{Operation: op.ID, Field: "context", Rule: "must not be nil"}
	}
	state := s.state.Load()
	select {
	case state.turn <- struct{}{}:
		defer func() { <-state.turn }()
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return admin.ToolingToken{}, withCause(ctx, err)
	}
	return s.renew(ctx, state)
}

// reject drops the kept token, if it is the one that the endpoint has rejected.
func (s *ToolingTokenSource) reject(ctx context.Context, token scalar.Secret) {
	state := s.state.Load()
	select {
	case state.turn <- struct{}{}:
		if token.Equal(state.token.Token) {
			*state = tokenState{turn: state.turn}
		}
		<-state.turn
	case <-ctx.Done():
	}
}

// forget drops the kept token and the last failure.
func (s *ToolingTokenSource) forget() {
	if s != nil {
		s.state.Store(&tokenState{turn: make(chan struct{}, 1)})
	}
}

// renew returns the kept token until it is due, then a new one. Every failure starts a wait, even a permanent one such
// as a wrong key.
func (s *ToolingTokenSource) renew(ctx context.Context, state *tokenState) (admin.ToolingToken, error) {
	now := time.Now()
	if now.Before(state.renewAt) {
		return state.token, nil
	}
	if !now.Before(state.until) {
		token, err := s.create(ctx)
		now = time.Now()
		if err == nil {
			err = checkToken(token, now)
		}
		switch {
		case err == nil:
			state.token, state.expires = *token, token.ExpiresAt
			if token.ExpiresAt.IsZero() {
				state.expires = now.Add(unreadableExpiry)
			}
			state.renewAt = state.expires.Add(-min(tokenMargin, state.expires.Sub(now)/5))
			return state.token, nil
		case ctx.Err() != nil:
			return admin.ToolingToken{}, err // The others do not wait for it.
		}
		wait := tokenPause
		if fault, ok := errors.AsType[*Error](err); ok {
			wait = max(wait, min(fault.RetryAfter, maxTokenPause))
		}
		state.failure, state.until = err, now.Add(wait)
	}
	if now.Before(state.expires) {
		return state.token, nil
	}
	return admin.ToolingToken{}, state.failure
}

// checkToken rejects an unusable new token.
func checkToken(token *admin.ToolingToken, now time.Time) error {
	if token.Token.IsZero() {
		op := api.CreateToolingToken().Operation
		return &DecodeError{
			Operation: op.ID, Method: op.Method, Path: op.Path, Reason: ReasonNoData, Detail: "there is no token",
		}
	}
	if !token.ExpiresAt.IsZero() && !now.Before(token.ExpiresAt) {
		return ErrExpiredToken
	}
	return nil
}
