package rpcfleet

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// ErrExpiredToken matches a new session token whose time was over when it came: the clocks of this machine and of the
// service disagree by more than a token's life.
var ErrExpiredToken = errors.New("rpcfleet: the service gave a session token that has already expired")

// errNoOutcome is what a renewal ends with when its goroutine ends inside the call, as runtime.Goexit in an observer
// makes it.
var errNoOutcome = errors.New("rpcfleet: the renewal of the session token ended before it had an outcome")

const (
	// maxTokenMargin is how long before its end a token is renewed at most. A token that lives for less than five
	// minutes is renewed when a fifth of its life is left.
	maxTokenMargin = time.Minute
	// maxBackgroundRenewal bounds a renewal that nobody need wait for.
	maxBackgroundRenewal = time.Minute
)

// renewal is one call for a new token, and those who wait for it.
type renewal struct {
	cancel  context.CancelFunc
	waiters int         // Guarded by the source's mutex.
	refused atomic.Bool // Set when the endpoint has refused the token.

	done  chan struct{} // Closed once the two fields below are settled.
	token admin.ToolingToken
	err   error
}

// good reports whether a renewal that has brought a token is still worth something.
func (r *renewal) good() bool { return !expired(&r.token) && !r.refused.Load() }

// begin starts a renewal. The request belongs to all who wait for it: it keeps the values of the first one's context,
// not its end. In the background the source itself counts as one that waits, so that no caller's leaving ends it.
func (s *ToolingTokenSource) begin(ctx context.Context, background bool) *renewal {
	r := &renewal{done: make(chan struct{}), err: errNoOutcome}
	ctx = context.WithoutCancel(ctx)
	if background {
		r.waiters = 1
		ctx, r.cancel = context.WithTimeout(ctx, maxBackgroundRenewal)
	} else {
		ctx, r.cancel = context.WithCancel(ctx)
	}
	go s.renew(ctx, r)
	return r
}

// renew makes the request of a renewal.
func (s *ToolingTokenSource) renew(ctx context.Context, r *renewal) {
	defer r.cancel()
	defer s.settle(r)
	token, err := s.create(ctx)
	if err == nil {
		err = checkToken(token)
	}
	if r.err = err; err == nil {
		r.token = *token
	}
}

// settle keeps the outcome of a renewal, unless everybody has left it or the source was told to forget meanwhile.
func (s *ToolingTokenSource) settle(r *renewal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(r.done)
	if s.renewal != r {
		return
	}
	s.renewal = nil
	if r.err != nil {
		s.backoff.failed(r.err)
		return
	}
	s.backoff = tokenBackoff{}
	switch expires := r.token.ExpiresAt; {
	case expires.Valid():
		margin := min(maxTokenMargin, time.Until(expires.Time)/5)
		s.kept, s.renewAt = r, expires.Add(-margin)
	case s.kept != nil:
		s.renewAt = s.kept.token.ExpiresAt.Time // The service gives nothing to keep: the old token serves to its end.
	}
}

// leave gives up waiting. A renewal that nobody waits for is ended, and must not be joined any more.
func (s *ToolingTokenSource) leave(r *renewal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.waiters--; r.waiters > 0 {
		return
	}
	r.cancel()
	if s.renewal == r {
		s.renewal = nil
	}
}

// checkToken refuses a token that is of no use from the start.
func checkToken(token *admin.ToolingToken) error {
	op := wire.CreateToolingToken().Operation
	switch {
	case token.Token.IsZero():
		return &DecodeError{Operation: op.ID, Method: op.Method, Path: op.Path, Reason: ReasonNoData, Detail: "there is no token"}
	case expired(token):
		return ErrExpiredToken
	}
	return nil
}

// expired reports whether a token's time is over. A token whose time cannot be read is taken for good, and not kept.
func expired(token *admin.ToolingToken) bool {
	return token.ExpiresAt.Valid() && !time.Now().Before(token.ExpiresAt.Time)
}
