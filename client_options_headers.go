package rpcfleet

import (
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// shortHeader is the length up to which the value of a header is no secret: to hide it would hide ordinary words.
const shortHeader = 4

// ownHeaders are headers that no option sets, with what stands against it.
var ownHeaders = func() map[string]string {
	const (
		credential = "is refused: credentials go by WithAPIKey, WithBearerToken and WithCredentialSource"
		framing    = "is refused: it frames the message"
		operation  = "is refused: it would make another operation of the call"
	)
	own := map[string]string{
		"User-Agent": "is refused: see WithUserAgent",
		"Referer":    "is refused: addresses may hold secrets",
	}
	for rule, names := range map[string][]string{
		credential: {"Authorization", "X-Api-Key", "Cookie", "Cookie2", "Set-Cookie"},
		framing: {
			"Host", "Content-Length", "Content-Encoding", "Content-Range", "Transfer-Encoding", "Accept-Encoding", "Te", "Trailer",
			"Connection", "Keep-Alive", "Upgrade", "Http2-Settings", "Expect", "Range", "If-Range",
		},
		operation: {
			"X-Http-Method-Override", "X-Http-Method", "X-Method-Override",
			"X-Original-Url", "X-Original-Uri", "X-Rewrite-Url", "X-Rewrite-Uri",
		},
	} {
		for _, name := range names {
			own[name] = rule
		}
	}
	return own
}()

// shapeOfHeaders is the form of a header's name: a token of HTTP.
var shapeOfHeaders = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// checkHeader checks a header of the caller's own. What it returns does not show the value.
func checkHeader(name, value string) *ValidationError {
	if !shapeOfHeaders.MatchString(name) {
		return &ValidationError{Field: "header", Rule: "must have a name that HTTP allows"}
	}
	name = http.CanonicalHeaderKey(name)
	meant := meantHeader(name)
	broken := func(rule string) *ValidationError { return &ValidationError{Field: "header " + name, Rule: rule} }
	if rule := ownHeaders[meant]; rule != "" {
		return broken(rule)
	}
	if strings.HasPrefix(meant, "Proxy-") {
		return broken("is refused: it is between the client and a proxy")
	}
	for _, r := range value {
		if r < ' ' || r > '~' {
			return broken("must have a value of printable ASCII")
		}
	}
	if strings.TrimSpace(value) != value {
		return broken("must have a value without spaces around it")
	}
	if isMediaType(meant) && !isJSON(value) {
		return broken("must be a JSON media type: bodies are JSON")
	}
	return nil
}

// meantHeader returns the name of the header that a server may take a header for: one behind a gateway in the manner of
// CGI sees the same in place of all characters but letters and digits.
func meantHeader(name string) string {
	return http.CanonicalHeaderKey(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, name))
}

// isMediaType reports whether a header names the media type of a body.
func isMediaType(name string) bool { return name == "Content-Type" || name == "Accept" }

// isJSON reports whether a media type is one of JSON.
func isJSON(value string) bool {
	mediaType, _, err := mime.ParseMediaType(value)
	return err == nil && (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json"))
}

// isRequestID reports whether a header carries the id of a request, which a service may repeat in its response.
func isRequestID(name string) bool { return slices.Contains(redact.RequestIDHeaders, name) }
