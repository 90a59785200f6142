package transport

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A connection is held back as long as others come and go, which patience is the longest pause of, and for maxHold at
// most. They bound what a call can lose where the connections that are being made hang: it gets one of its own then, and
// there may be one more than there are calls.
var (
	patience = 250 * time.Millisecond
	maxHold  = time.Second
)

// errServed ends the making of a connection for a request that has another one by now. Nobody sees it.
var errServed = errors.New("the request has another connection")

// pool is an http.Transport that has no more connections than there were requests at a time. net/http begins one for
// each request that finds none idle; the request then takes whichever is ready first, and the other one is left over,
// so that many callers end up with several connections each.
//
// Here one begins only while there are fewer connections, those included that are being made, than requests under way.
// A request that is held back by that has one to wait for: the others have one each at most, so that another is being
// made or given back, and goes to who waits when it is ready, or makes room when it fails. Over TLS they are made one at
// a time until it is known that the service does not speak HTTP/2, of which one serves all.
type pool struct {
	*http.Transport
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu     sync.Mutex
	calls  int             // The requests under way, until their responses are read.
	open   int             // The connections, from the beginning of their making to their end.
	making int             // Those of them that have not been used yet.
	shared bool            // The connections are shared, or may be.
	moves  int             // How often one came into use, was given back or has ended.
	held   []chan struct{} // Those who wait for room, by what is closed to let them look again.
}

// newPool makes a pool of a transport that nobody else has. One without a DialContext stays as it is, because to set
// that could cost it HTTP/2 or its own way of dialing.
func newPool(base *http.Transport, encrypted bool) http.RoundTripper {
	if base.DialContext == nil {
		return base
	}
	p := &pool{Transport: base, dial: base.DialContext, shared: encrypted}
	base.DialContext = p.connect
	p.guardConnections(encrypted)
	return p
}

// RoundTrip sends a request of a sending, which has to leave the pool when the response was read.
func (p *pool) RoundTrip(req *http.Request) (*http.Response, error) {
	if s := sendingOf(req.Context()); s != nil {
		s.join(p)
	}
	return p.Transport.RoundTrip(req)
}

// connect makes a connection for a sending, once there is room for it.
func (p *pool) connect(ctx context.Context, network, address string) (net.Conn, error) {
	s := sendingOf(ctx)
	if s == nil || s.pool != p {
		return p.dial(ctx, network, address)
	}
	if !p.hold(ctx, &s.place) {
		return nil, errServed
	}
	conn, err := p.dial(ctx, network, address)
	made := &connection{Conn: conn, pool: p}
	if err != nil {
		made.ended()
		return nil, err
	}
	return made, nil
}

// hold waits until there is room for a connection, and counts it. It reports whether it is still wanted.
func (p *pool) hold(ctx context.Context, l *place) bool {
	ctx, cancel := context.WithTimeout(ctx, maxHold)
	defer cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	for stuck := false; l.wants && !stuck && !p.room() && ctx.Err() == nil; {
		turn, moves := make(chan struct{}), p.moves
		l.turn, p.held = turn, append(p.held, turn)
		p.mu.Unlock()
		pause := time.NewTimer(patience)
		select {
		case <-turn:
		case <-pause.C:
			stuck = true
		case <-ctx.Done():
		}
		pause.Stop()
		p.mu.Lock()
		p.release(turn)
		stuck = stuck && p.moves == moves
	}
	if l.wants {
		p.open++
		p.making++
	}
	p.next()
	return l.wants
}

// room reports whether another connection may be made.
func (p *pool) room() bool { return p.open < p.calls && (!p.shared || p.making == 0) }

// next lets the first look again who waits for room, if there is some. It calls for the next one itself. Who waits while
// there is a shared connection gets that one, or where it is full, looks again when the patience is over.
func (p *pool) next() {
	if len(p.held) > 0 && p.room() && (!p.shared || p.open == 0) {
		p.release(p.held[0])
	}
}

// release lets one look again, unless that was done before.
func (p *pool) release(turn chan struct{}) {
	if i := slices.Index(p.held, turn); i >= 0 {
		p.held = slices.Delete(p.held, i, i+1)
		close(turn)
	}
}
