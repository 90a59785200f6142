package rpcfleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// ToolingTokenSource hands out a session token for the tooling endpoint, and keeps it until it expires or the endpoint
// refuses it. It is safe for concurrent use. Its printed form shows no token.
type ToolingTokenSource struct {
	create func(context.Context, ...CallOption) (*admin.ToolingToken, error)

	mu      sync.Mutex
	kept    *renewal     // The renewal that brought the token that is handed out, or nil.
	renewAt time.Time    // From then on the kept token is near its end.
	renewal *renewal     // The renewal under way, or nil.
	backoff tokenBackoff // What keeps the next renewal waiting.
}

// TokenSource returns the client's source of session tokens: always the same one, which HTTPClient uses too. Nothing is
// sent before a token is asked for. Enable and Disable make it forget its token, and the failures before the change.
//
// POST /v0/tooling-access/token
func (s *ToolingService) TokenSource() *ToolingTokenSource { return s.source }

// Token returns a session token that has not expired, with the address of the endpoint that it is for.
//
// A token is kept and returned at once for as long as it is valid. A minute before it expires, or when a fifth of its
// life is left where that is less, the next call has a new one made in the background: one request, which nobody waits
// for, whose failure nobody sees, and which ends within a minute. Without a valid token all callers wait for the one
// request together, and its failure goes to all of them; see CreateToken for the errors, and [ErrExpiredToken]. A
// caller whose context ends stops waiting, which is no failure; the request ends when nobody waits for it any more.
//
// After a failure of any kind no request is made for a while: half a second to a second after the first one, twice as
// long after each further one, up to half a minute, and no less than the Retry-After of the response, up to an hour.
// Until then callers get the valid token, if there is one, or else the same error at once. A success, Enable, Disable,
// and the endpoint's refusal of the kept token to the client of HTTPClient end the wait.
//
// The request carries the values of the context of the caller that it began with, and an observer sees it under them,
// be it after that caller's own work has ended. Nothing runs while no token is asked for.
//
// POST /v0/tooling-access/token
func (s *ToolingTokenSource) Token(ctx context.Context) (admin.ToolingToken, error) {
	if ctx == nil {
		op := wire.CreateToolingToken().Operation
		return admin.ToolingToken{}, &ValidationError{Operation: op.ID, Field: "context", Rule: "must not be nil"}
	}
	for ctx.Err() == nil {
		token, renewal, err := s.join(ctx)
		if renewal == nil {
			return token, err
		}
		select {
		case <-renewal.done:
			if renewal.err != nil || renewal.good() {
				return renewal.token, renewal.err
			}
			// It expired or was refused before this caller came to run again.
		case <-ctx.Done():
			s.leave(renewal)
		}
	}
	if cause := context.Cause(ctx); !errors.Is(ctx.Err(), cause) {
		return admin.ToolingToken{}, fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return admin.ToolingToken{}, ctx.Err()
}

// join returns the kept token while it is good. Without one it returns a renewal to wait for, or the last failure while
// it is too early for another renewal.
func (s *ToolingTokenSource) join(ctx context.Context) (admin.ToolingToken, *renewal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	good := s.kept != nil && s.kept.good()
	if good && time.Now().Before(s.renewAt) {
		return s.kept.token, nil, nil
	}
	failure := s.backoff.failure()
	if s.renewal == nil && failure == nil {
		s.renewal = s.begin(ctx, good)
	}
	switch {
	case good:
		return s.kept.token, nil, nil
	case s.renewal == nil:
		return admin.ToolingToken{}, nil, failure
	}
	s.renewal.waiters++
	return admin.ToolingToken{}, s.renewal, nil
}

// discard gives up a token that the endpoint has refused, and asks for another without delay. A token that is not the
// kept one changes nothing: a later one has taken its place.
func (s *ToolingTokenSource) discard(token admin.ToolingToken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil && s.kept.token.Token == token.Token {
		s.kept.refused.Store(true)
		s.kept, s.backoff = nil, tokenBackoff{}
	}
}

// forget drops the kept token and the failures so far, and keeps the outcome of a renewal under way from counting.
func (s *ToolingTokenSource) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.renewal, s.backoff = nil, nil, tokenBackoff{}
}

// String names the source without its token.
func (s *ToolingTokenSource) String() string { return "rpcfleet.ToolingTokenSource" }

// GoString names the source without its token.
func (s *ToolingTokenSource) GoString() string { return s.String() }
