package transport

import (
	"net/http"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// RequestIDHeaders are the headers that services give the id of a request in, and then those of the gateways and proxies
// that stand before them. Which of them the service sends is not documented.
var RequestIDHeaders = []string{
	"X-Request-Id", "Request-Id", "X-Correlation-Id", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "Cf-Ray",
}

// longestRequestID is more than any of them needs.
const longestRequestID = 128

// RequestID returns the id of a request by the headers of its response, cleaned of secrets and of what does not print.
// It is empty where there is none.
func RequestID(header http.Header, secrets ...string) string {
	for _, name := range RequestIDHeaders {
		if id := strings.TrimSpace(header.Get(name)); id != "" {
			return redact.Excerpt([]byte(strings.Map(printable, id)), longestRequestID, secrets...)
		}
	}
	return ""
}

// printable drops what is not ASCII or does not print, before secrets are looked for: it could stand inside of one.
func printable(r rune) rune {
	if r >= ' ' && r <= '~' {
		return r
	}
	return -1
}
