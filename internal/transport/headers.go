package transport

import (
	"maps"
	"net/http"
	"sync/atomic"
)

var (
	typeJSON   = []string{"application/json"}
	acceptGzip = []string{"gzip"}
	zeroLength = []string{"0"}
)

// headerMaker makes the headers of requests. What it returns is shared, and only to be read.
type headerMaker func(credentials Credentials, bearer bool, content content) http.Header

// content says what the headers tell of the body of a request.
type content int

const (
	noContent content = iota
	// emptyContent is that of a method that usually has a body. Without a stated length, some servers respond with 411.
	emptyContent
	someContent
	contents
)

// contentOf returns what the headers of a request tell of its body.
func contentOf(method string, body []byte) content {
	if len(body) > 0 {
		return someContent
	}
	switch method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		return emptyContent
	}
	return noContent
}

// newHeaderMaker keeps of each kind the headers that were made last: credentials seldom change. They live inside of a
// function only, where nothing that walks through values, as a dumper does, comes upon them. With gzip they ask for
// compressed responses.
func newHeaderMaker(userAgent string, gzip bool) headerMaker {
	type made struct {
		of     Credentials
		header http.Header
	}
	var latest [2][contents]atomic.Pointer[made]
	return func(credentials Credentials, bearer bool, content content) http.Header {
		kind := &latest[0][content]
		if bearer {
			kind = &latest[1][content]
		}
		if kept := kind.Load(); kept != nil && kept.of == credentials {
			return kept.header
		}
		fresh := &made{credentials, newHeader(userAgent, credentials, bearer, content)}
		if gzip {
			fresh.header["Accept-Encoding"] = acceptGzip
		}
		kind.Store(fresh)
		return fresh.header
	}
}

// withMore returns headers that have more than some that are shared. The caller of the call is known to have named no
// credentials.
func withMore(header, more http.Header) http.Header {
	if len(more) == 0 {
		return header
	}
	header = maps.Clone(header)
	maps.Copy(header, more)
	return header
}

func newHeader(userAgent string, credentials Credentials, bearer bool, content content) http.Header {
	header := http.Header{"Accept": typeJSON, "User-Agent": {userAgent}}
	switch content {
	case emptyContent:
		header["content-length"] = zeroLength // net/http would leave it out where it is spelled canonically.
	case someContent:
		header["Content-Type"] = typeJSON
	}
	if !credentials.APIKey.IsZero() {
		header["X-Api-Key"] = []string{credentials.APIKey.Reveal()}
	}
	if bearer && !credentials.BearerToken.IsZero() {
		header["Authorization"] = []string{"Bearer " + credentials.BearerToken.Reveal()}
	}
	return header
}
