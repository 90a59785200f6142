package transport

import (
	"errors"
	"net/http"
)

const maxRedirects = 5

var errTooManyRedirects = errors.New("the service redirected too often")

// redirected reports whether the response to a request is a redirect that is followed, and makes the next request of
// the message. That is so only where nothing can go astray: to the same origin, with the same method. Any other
// redirect is the response. net/http would repeat custom headers such as x-api-key at another host, would turn a DELETE
// into a GET after a 302, whose 200 would then look like success, and would take a Location that cannot be read for a
// failure, whose text quotes the address.
func (f *state) redirected(m *message) bool {
	location := f.attempt.response.Header.Get("Location")
	if location == "" {
		return false
	}
	body := m.body
	switch f.attempt.response.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		if m.method != http.MethodGet && m.method != http.MethodHead {
			return false
		}
		body = nil
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return false
	}
	address, err := m.address.Parse(location)
	if err != nil || !SameOrigin(address, f.transport.config.Origin) {
		return false
	}
	m.address, m.body = address, body
	return true
}
