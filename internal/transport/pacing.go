package transport

import (
	"context"
	"net/http"
	"time"
)

// pacing waits for the pacer before each request.
type pacing struct {
	next http.RoundTripper
	wait func(context.Context) error // Or nil.
}

func (p *pacing) RoundTrip(req *http.Request) (*http.Response, error) {
	if p.wait != nil {
		begun := time.Now()
		err := p.wait(req.Context())
		stateOf(req).attempt.paced += time.Since(begun)
		if err != nil {
			return nil, &Failure{Kind: Unsent, Err: err}
		}
	}
	return p.next.RoundTrip(req)
}
