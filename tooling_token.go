package rpcfleet

import (
	"context"
	"errors"
	"math/rand/v2"
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
	// maxTokenMargin is how long before its end a token is renewed at most. A token that lives for less than five
	// minutes is renewed when a fifth of its life is left.
	maxTokenMargin = time.Minute
	// maxBackgroundRenewal bounds a renewal that nobody waits for.
	maxBackgroundRenewal = time.Minute
	// unreadableExpiry is how long a token is kept whose expiry cannot be read.
	unreadableExpiry = time.Minute
	// firstTokenBackoff and maxTokenBackoff are the ceilings of the wait after the first failure in a row, and after
	// many. Half of a ceiling is always waited, so that the number of requests has a bound; the rest is drawn.
	firstTokenBackoff = time.Second
	maxTokenBackoff   = 30 * time.Second
	// maxTokenRetryAfter is the longest Retry-After that is respected. A program that runs for months must not be shut
	// out of its endpoint for good by one odd header.
	maxTokenRetryAfter = time.Hour
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
	renewing chan struct{} // Has an item during a request for a token.

	mu       sync.Mutex
	token    admin.ToolingToken // The kept one, or zero.
	expires  time.Time
	renewAt  time.Time // From then on the kept token is near its end.
	failures int       // In a row.
	failure  error     // The last one.
	until    time.Time // Until then no request is made after it.
}

// TokenSource returns the client's source of session tokens: always the same one, which HTTPClient uses too. Nothing is
// sent before a token is asked for. Enable and Disable make it forget its token, and the failures before the change.
//
// POST /v0/tooling-access/token
func (s *ToolingService) TokenSource() *ToolingTokenSource { return s.source }

// Token returns a session token that has not expired, with the address of the endpoint that it is for.
//
// A token is kept and returned at once for as long as it is valid, or for a minute if its expiry cannot be read. A
// minute before it expires, or when a fifth of its life is left if that is less, the next call has a new one made in
// the background: one request, which nobody waits for, whose failure nobody sees, and which ends within a minute.
// Without a valid token one caller makes the request, within its own context, and the others wait for it; its token or
// its failure is theirs as well. See CreateToken for the errors, and [ErrExpiredToken]. A caller whose context ends
// stops waiting, which is no failure; if the request was its own, the next caller makes another.
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
		op := api.CreateToolingToken().Operation
		return admin.ToolingToken{}, &ValidationError{Operation: op.ID, Field: "context", Rule: "must not be nil"}
	}
	if err := ctx.Err(); err != nil {
		return admin.ToolingToken{}, withCause(ctx, err)
	}
	state := s.state.Load()
	token, due, err := state.peek()
	switch {
	case !due:
		return token, err
	case !token.Token.IsZero():
		select {
		case state.renewing <- struct{}{}:
			background, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxBackgroundRenewal)
			go func() {
				defer cancel()
				_, _ = s.renew(background, state)
			}()
		default: // A renewal is under way.
		}
		return token, nil
	}
	select {
	case state.renewing <- struct{}{}:
		return s.renew(ctx, state)
	case <-ctx.Done():
		return admin.ToolingToken{}, withCause(ctx, ctx.Err())
	}
}

// renew makes the request for a token, if none has come while the caller waited for its turn, which it ends.
func (s *ToolingTokenSource) renew(ctx context.Context, state *tokenState) (admin.ToolingToken, error) {
	defer func() { <-state.renewing }()
	if token, due, err := state.peek(); !due {
		return token, err
	}
	token, err := s.create(ctx)
	if err == nil {
		err = checkToken(token)
	}
	if err != nil {
		if ctx.Err() == nil {
			state.failed(err)
		}
		return admin.ToolingToken{}, err
	}
	state.keep(token)
	return *token, nil
}

// discard gives up a token that the endpoint has refused, and asks for another without delay. A token that is not the
// kept one changes nothing: a later one has taken its place.
func (s *ToolingTokenSource) discard(token admin.ToolingToken) {
	state := s.state.Load()
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.token.Token.Equal(token.Token) {
		state.token, state.expires, state.failures, state.until = admin.ToolingToken{}, time.Time{}, 0, time.Time{}
	}
}

// forget drops the kept token and the failures so far.
func (s *ToolingTokenSource) forget() { s.state.Store(&tokenState{renewing: make(chan struct{}, 1)}) }

// peek returns the kept token while it is good, or the last failure while it is too early for another request, and
// reports whether a request is due.
func (s *tokenState) peek() (token admin.ToolingToken, due bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	early := now.Before(s.until)
	switch {
	case now.Before(s.expires):
		return s.token, !early && !now.Before(s.renewAt), nil
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
	s.renewAt = s.expires.Add(-min(maxTokenMargin, time.Until(s.expires)/5))
	s.failures, s.until = 0, time.Time{}
}

// failed begins the wait after a failure. Every failure counts, those included that will hardly go away by themselves,
// as a wrong key: the requests for a token come as often as the calls that need it.
func (s *tokenState) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ceiling := min(firstTokenBackoff<<min(s.failures, 5), maxTokenBackoff)
	wait := ceiling/2 + rand.N(ceiling/2)
	var fault *Error
	if errors.As(err, &fault) {
		wait = max(wait, min(fault.RetryAfter, maxTokenRetryAfter))
	}
	s.failures++
	s.failure, s.until = err, time.Now().Add(wait)
}

// checkToken refuses a token that is of no use from the start.
func checkToken(token *admin.ToolingToken) error {
	op := api.CreateToolingToken().Operation
	switch {
	case token.Token.IsZero():
		return &DecodeError{Operation: op.ID, Method: op.Method, Path: op.Path, Reason: ReasonNoData, Detail: "there is no token"}
	case token.ExpiresAt.Valid() && !time.Now().Before(token.ExpiresAt.Time):
		return ErrExpiredToken
	}
	return nil
}

// String names the source without its token.
func (s *ToolingTokenSource) String() string { return "rpcfleet.ToolingTokenSource" }

// GoString names the source without its token.
func (s *ToolingTokenSource) GoString() string { return s.String() }
