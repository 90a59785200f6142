package transport

import (
	"context"
	"net/http"
	"time"
)

// Pacer holds a request back until it may be sent. *rate.Limiter of golang.org/x/time/rate is one.
type Pacer interface {
	Wait(ctx context.Context) error
}

// pacing waits for the pacer before every request.
type pacing struct {
	next  http.RoundTripper
	pacer Pacer // Or nil.
}

func (p *pacing) RoundTrip(req *http.Request) (*http.Response, error) {
	if p.pacer != nil {
		begun := time.Now()
		err := p.pacer.Wait(req.Context())
		stateOf(req).attempt.paced += time.Since(begun)
		if err != nil {
			return nil, &Failure{Kind: Unsent, Err: err}
		}
	}
	return p.next.RoundTrip(req)
}
