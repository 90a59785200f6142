package redact

import (
	"net/http"
	"strings"
)

// RequestIDHeaders are the headers in which services, and then the gateways and proxies before them, send the id of a
// request. Which of them the service sends is not documented.
var RequestIDHeaders = []string{
	"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "Cf-Ray",
}

// longestRequestID is more than any of them needs.
const longestRequestID = 128

// RequestID returns the id of a request from the headers of its response, without secrets and unprintable characters,
// or "".
func RequestID(header http.Header, secrets ...string) string {
	for _, name := range RequestIDHeaders {
		if id := strings.TrimSpace(header.Get(name)); id != "" {
			return Excerpt([]byte(strings.Map(printableASCII, id)), longestRequestID, secrets...)
		}
	}
	return ""
}

// printableASCII drops other characters before secrets are looked for: they could stand inside of one.
func printableASCII(r rune) rune {
	if r >= ' ' && r <= '~' {
		return r
	}
	return -1
}
