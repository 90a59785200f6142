package transport

import (
	"errors"
	"net/http"
	"net/url"
)

// followable returns the headers without a Location that cannot be read. For net/http it would be a failure, whose text
// quotes the address and in which the response is lost; without it, the redirect is the response.
func followable(from *url.URL, header http.Header) http.Header {
	location := header.Get("Location")
	if location == "" {
		return header
	}
	if _, err := from.Parse(location); err == nil {
		return header
	}
	header = header.Clone()
	header.Del("Location")
	return header
}

const maxRedirects = 5

var errTooManyRedirects = errors.New("the service redirected too often")

// redirectPolicy follows a redirect only where nothing can go astray: to the same origin, with the same method. Any
// other redirect is returned as the response. net/http would repeat custom headers such as x-api-key at another host,
// and would turn a DELETE into a GET after a 302, whose 200 would then look like success.
func redirectPolicy(origin *url.URL) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		switch {
		case !SameOrigin(req.URL, origin), req.Method != via[0].Method:
			return http.ErrUseLastResponse
		case len(via) > maxRedirects:
			return &Failure{Kind: Connection, Err: errTooManyRedirects}
		}
		return nil
	}
}
