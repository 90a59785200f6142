package rpcfleet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// addTo adds the query parameters and body fields of options to a call.
func (s *callSettings) addTo(c *transport.Call) *ValidationError {
	return cmp.Or(s.addQuery(c.Address, c.Operation), s.addFields(c))
}

// pagingParams are the paging parameters of listings.
var pagingParams = map[string][]string{
	api.PagingOffset: {"limit", "offset"},
	api.PagingCursor: {"limit", "next_at"},
}

// addQuery adds the query parameters and replaces parameters of the same names.
func (s *callSettings) addQuery(address *url.URL, op *api.Operation) *ValidationError {
	for _, name := range pagingParams[op.Paging] {
		if s.query.Has(name) {
			const rule = "must not be a paging parameter of the listing"
			return &ValidationError{Field: "query parameter", Rule: rule, Value: name}
		}
	}
	if len(s.query) == 0 {
		return nil
	}
	kept := slices.DeleteFunc(strings.Split(address.RawQuery, "&"), func(parameter string) bool {
		name, _, _ := strings.Cut(parameter, "=")
		name, _ = url.QueryUnescape(name)
		return parameter == "" || s.query.Has(name)
	})
	address.RawQuery = strings.Join(append(kept, s.query.Encode()), "&") // Encoding all again would escape list commas.
	return nil
}

// addFields adds the fields to the body.
func (s *callSettings) addFields(c *transport.Call) *ValidationError {
	if len(s.fields) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	var reason string
	switch {
	case len(c.Body) == 0:
		reason = "the call has no body"
	case c.Operation.Area == api.AreaGraph:
		reason = "a GraphQL request has a query and variables only"
	case json.Unmarshal(c.Body, &fields) != nil || fields == nil:
		reason = "the body is not a JSON object"
	default:
		maps.Copy(fields, s.fields)
		c.Body, _ = json.Marshal(fields) // They are valid JSON.
		return nil
	}
	return &ValidationError{Field: "body field", Rule: "must not be set: " + reason,
		Value: slices.Min(slices.Collect(maps.Keys(s.fields)))}
}

// WithHeader adds or replaces a header, but none that carries credentials, frames the message or selects another
// operation. Its value is redacted in errors and logs, unless it has at most four characters or is a request id.
func WithHeader(name, value string) Option {
	return sharedOption{checkHeader(name, value), func(s *callSettings) { s.setHeader(name, value) }}
}

// WithQueryParam adds or replaces a query parameter, except for paging.
func WithQueryParam(name, value string) CallOption {
	return callOption{sharedOption{required("query parameter", name), func(s *callSettings) {
		s.query = maps.Clone(s.query)
		s.query[name] = append(slices.Clip(s.query[name]), value)
	}}}
}

// WithBodyField sets a field of the JSON body, not validated; nil is null, which clears a field. If the body is not an
// object, the call is rejected.
func WithBodyField(name string, value any) CallOption {
	text, err := scalar.WithSecrets[any]{Value: value}.MarshalJSON()
	violation := required("body field", name)
	if violation == nil && err != nil { // The text of err may contain the value.
		rule := fmt.Sprintf("must have a type that can be encoded as JSON: %T cannot", value)
		violation = &ValidationError{Field: "body field", Rule: rule, Value: name}
	}
	return callOption{sharedOption{violation, func(s *callSettings) {
		s.fields = maps.Clone(s.fields)
		s.fields[name] = text
	}}}
}

// headerRule returns the reason for rejecting a header, or "". The name is normalized by meantHeader.
func headerRule(name string) string {
	switch name {
	case "Authorization", "X-Api-Key", "Cookie", "Cookie2", "Set-Cookie":
		return "is rejected: set credentials with WithAPIKey, WithBearerToken or WithCredentialSource"
	case "Host", "Content-Length", "Content-Encoding", "Content-Range", "Transfer-Encoding", "Accept-Encoding", "Te",
		"Trailer", "Connection", "Keep-Alive", "Upgrade", "Http2-Settings", "Expect", "Range", "If-Range":
		return "is rejected: it frames the message"
	case "X-Http-Method-Override", "X-Http-Method", "X-Method-Override",
		"X-Original-Url", "X-Original-Uri", "X-Rewrite-Url", "X-Rewrite-Uri":
		return "is rejected: it would select another operation"
	case "User-Agent":
		return "is rejected: use WithUserAgent"
	case "Referer":
		return "is rejected: addresses may contain secrets"
	}
	if strings.HasPrefix(name, "Proxy-") {
		return "is rejected: it is for proxies"
	}
	return ""
}

// headerNameRE matches the name of a header, an HTTP token.
var headerNameRE = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// checkHeader checks a caller's header. The error does not contain the value.
func checkHeader(name, value string) *ValidationError {
	if !headerNameRE.MatchString(name) {
		return &ValidationError{Field: "header", Rule: "must have a valid name"}
	}
	name = http.CanonicalHeaderKey(name)
	meant := meantHeader(name)
	rule := headerRule(meant)
	switch {
	case rule != "":
	case !printableASCII(value):
		rule = "must have a value of printable ASCII"
	case strings.TrimSpace(value) != value:
		rule = "must have a value without spaces around it"
	case isMediaType(meant) && !isJSON(value):
		rule = "must be a JSON media type: bodies are JSON"
	default:
		return nil
	}
	return &ValidationError{Field: "header " + name, Rule: rule}
}

// notAlphanumeric matches a character that a server behind a CGI-style gateway cannot distinguish from others.
var notAlphanumeric = regexp.MustCompile(`[^A-Za-z0-9]`)

// meantHeader returns the name as a server may read it.
func meantHeader(name string) string {
	return http.CanonicalHeaderKey(notAlphanumeric.ReplaceAllString(name, "-"))
}

// isMediaType reports whether a header contains a media type.
func isMediaType(name string) bool { return name == "Content-Type" || name == "Accept" }

// isJSON reports whether a media type is JSON.
func isJSON(value string) bool {
	mediaType, _, err := mime.ParseMediaType(value)
	return err == nil && (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json"))
}
