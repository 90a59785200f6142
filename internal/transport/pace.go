package transport

import (
	"context"
	"net/http"
)

// Pacer holds an attempt back until it may go. *rate.Limiter of golang.org/x/time/rate is one.
type Pacer interface {
	Wait(ctx context.Context) error
}

// paced waits for the pacer before every attempt. A pacer that refuses ends the call.
func paced(pacer Pacer, next http.RoundTripper) http.RoundTripper {
	if pacer == nil {
		return next
	}
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		if err := pacer.Wait(req.Context()); err != nil {
			return nil, &Failure{Kind: Unsent, Err: err}
		}
		return next.RoundTrip(req)
	})
}
