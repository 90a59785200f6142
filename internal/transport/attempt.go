package transport

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Pacer holds an attempt back until it may go. *rate.Limiter of golang.org/x/time/rate is one.
type Pacer interface {
	Wait(ctx context.Context) error
}

// attempt is one sending of the request, with the redirects that it followed.
type attempt struct {
	start    time.Time
	limit    *limit    // It begins when the first request is sent, after pacing, and is shared by those of its redirects.
	response *Response // The response, or the beginning of it where reading it failed.
	partial  bool      // It is the beginning only.

	values context.Context      // What its requests carry.
	end    func(AttemptOutcome) // Nil where nobody observes.
	paced  time.Duration        // How long the pacer has held it back.
}

// message is one request of an attempt.
type message struct {
	method  string
	address *url.URL
	header  http.Header
	body    []byte // Empty where there is none.
}

// begin runs before every attempt.
func (f *state) begin(_ retryablehttp.Logger, _ *http.Request, _ int) {
	f.result.Attempts++
	f.attempt = attempt{start: time.Now()}
	f.announce()
}

// carryOut makes an attempt. It leaves the response with the attempt.
func (f *state) carryOut() error {
	defer func() {
		if f.attempt.limit != nil {
			f.attempt.limit.release()
		}
	}()
	m := message{method: f.call.Operation.Method, address: f.call.Address, body: f.call.Body}
	for redirects := 0; ; redirects++ {
		if err := f.exchange(m); err != nil {
			return err
		}
		if !f.redirected(&m) {
			return nil
		}
		if redirects == maxRedirects {
			return &Failure{Kind: Connection, Err: errTooManyRedirects}
		}
	}
}

// exchange waits for the pacer, and sends one request, with the credentials, if it goes to the configured origin.
func (f *state) exchange(m message) error {
	config := &f.transport.config
	if err := f.pace(); err != nil {
		return err
	}
	if !SameOrigin(m.address, config.Origin) {
		return &Failure{Kind: Unsent, Err: errForeignOrigin}
	}
	credentials, err := config.Credentials(f)
	if err != nil {
		return &Failure{Kind: Unsent, Err: err}
	}
	if err := f.Err(); err != nil {
		return &Failure{Kind: Canceled, Err: err, fate: unsent}
	}
	f.result.Credentials = append(f.result.Credentials, credentials)
	m.address = withHost(m.address, config.Origin.Host)
	m.header = f.transport.header(credentials, f.call.Operation.Bearer, contentOf(m.method, m.body))
	m.header = withMore(m.header, f.call.Header)
	m.header = f.transport.withCookies(m.header, m.address)
	return f.buffered(m)
}

// withHost returns the address with the host as configured: a redirect may spell it in a way that a proxy rule does not
// know.
func withHost(address *url.URL, host string) *url.URL {
	if address.Host == host {
		return address
	}
	copied := *address
	copied.Host = host
	return &copied
}
