package rpcfleet

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// ErrExpiredToken matches a new session token whose time was over when it came: the clocks of this machine and of the
// service disagree by more than a token's life.
var ErrExpiredToken = errors.New("rpcfleet: the service gave a session token that has already expired")

// maxTokenMargin is how long before its end a token is renewed at most. A token that lives for less than five minutes
// is renewed when a fifth of its life is left.
const maxTokenMargin = time.Minute

// ToolingTokenSource hands out a session token for the tooling endpoint, and keeps it until shortly before it expires.
// It is safe for concurrent use. Its printed form shows no token.
type ToolingTokenSource struct {
	create func(context.Context, ...CallOption) (*admin.ToolingToken, error)

	mu      sync.Mutex
	token   admin.ToolingToken
	renewAt time.Time // The kept token is good until then; zero where none is kept.
	renewal *renewal  // The renewal under way, or nil.
}

// renewal is one call for a new token, and those who wait for it.
type renewal struct {
	cancel  context.CancelFunc
	waiters int // Guarded by the source's mutex.

	done  chan struct{} // Closed once the two fields below are set.
	token admin.ToolingToken
	err   error
}

// TokenSource returns the client's source of session tokens: always the same one, which HTTPClient uses too. Nothing is
// sent before a token is asked for. Enable and Disable make it forget its token.
//
// POST /v0/tooling-access/token
func (s *ToolingService) TokenSource() *ToolingTokenSource { return s.source }

// Token returns a session token that has not expired, with the address of the endpoint that it is for. The first caller
// after the token has come near its end makes the one request for a new one; all others wait with it for the outcome. A
// failure goes to those who wait, and the next caller tries again; see CreateToken for the errors, and ErrExpiredToken.
// A caller whose context ends stops waiting; the request ends when nobody waits for it any more.
//
// POST /v0/tooling-access/token
func (s *ToolingTokenSource) Token(ctx context.Context) (admin.ToolingToken, error) {
	for ctx.Err() == nil {
		token, renewal := s.join(ctx)
		if renewal == nil {
			return token, nil
		}
		select {
		case <-renewal.done:
			if renewal.err != nil || !expired(&renewal.token) {
				return renewal.token, renewal.err
			}
			// It expired before this caller came to run again.
		case <-ctx.Done():
			s.leave(renewal)
		}
	}
	return admin.ToolingToken{}, ctx.Err()
}

// join returns the kept token, or a renewal to wait for.
func (s *ToolingTokenSource) join(ctx context.Context) (admin.ToolingToken, *renewal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Now().Before(s.renewAt) {
		return s.token, nil
	}
	if s.renewal == nil {
		// The request belongs to all who wait for it. It keeps the values of the first one's context, not its end.
		ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		s.renewal = &renewal{cancel: cancel, done: make(chan struct{})}
		go s.renew(ctx, s.renewal)
	}
	s.renewal.waiters++
	return admin.ToolingToken{}, s.renewal
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

// renew makes the request of a renewal and keeps the token, unless it has been told to forget meanwhile.
func (s *ToolingTokenSource) renew(ctx context.Context, r *renewal) {
	defer close(r.done)
	defer r.cancel()
	token, err := s.create(ctx)
	if err == nil {
		err = checkToken(token)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.err = err; err == nil {
		r.token = *token
	}
	if s.renewal != r {
		return
	}
	s.renewal = nil
	if err == nil && token.ExpiresAt.Valid() {
		margin := min(maxTokenMargin, time.Until(token.ExpiresAt.Time)/5)
		s.token, s.renewAt = *token, token.ExpiresAt.Add(-margin)
	}
}

// discard forgets the token if it is still the kept one: a later one may have taken its place.
func (s *ToolingTokenSource) discard(token admin.ToolingToken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token.Token == token.Token {
		s.token, s.renewAt = admin.ToolingToken{}, time.Time{}
	}
}

// forget drops the kept token, and keeps the outcome of a renewal under way from being kept.
func (s *ToolingTokenSource) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token, s.renewAt, s.renewal = admin.ToolingToken{}, time.Time{}, nil
}

// String names the source without its token.
func (s *ToolingTokenSource) String() string { return "rpcfleet.ToolingTokenSource" }

// GoString names the source without its token.
func (s *ToolingTokenSource) GoString() string { return s.String() }

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

// expired tells whether a token's time is over. A token whose time cannot be read is taken for good, and not kept.
func expired(token *admin.ToolingToken) bool {
	return token.ExpiresAt.Valid() && !time.Now().Before(token.ExpiresAt.Time)
}
