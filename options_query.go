package rpcfleet

import (
	"net/url"
	"slices"
	"strings"
)

// ArrayQuery is a style of writing an array into the query of a request. The contract states none.
type ArrayQuery string

// The styles of arrays in queries. The service's own clients disagree about them.
const (
	// ArrayQueryRepeated repeats the name: networks=a&networks=b. It is OpenAPI's default, and that of this library.
	ArrayQueryRepeated ArrayQuery = "repeated"
	// ArrayQueryBrackets puts brackets behind the name: networks[]=a&networks[]=b, with the brackets percent-encoded as
	// the standard for addresses wants them.
	ArrayQueryBrackets ArrayQuery = "brackets"
)

// WithArrayQuery sets how the array filters of EndpointsService.List, Pages and All are written: ArrayQueryRepeated
// unless set. A service that expects the other style may take such a filter for absent and list everything.
func WithArrayQuery(style ArrayQuery) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if style != ArrayQueryRepeated && style != ArrayQueryBrackets {
			return &ValidationError{Field: "array query", Rule: "must be ArrayQueryRepeated or ArrayQueryBrackets", Value: string(style)}
		}
		s.arrayQuery = style
		return nil
	})
}

// apply writes the arrays of a query that the generated builder made in this style. The builders repeat the name.
func (style ArrayQuery) apply(op Operation, address *url.URL) {
	if style != ArrayQueryBrackets || len(op.QueryArrays) == 0 {
		return
	}
	parts := strings.Split(address.RawQuery, "&")
	for i, part := range parts {
		if name, value, _ := strings.Cut(part, "="); slices.Contains(op.QueryArrays, name) {
			parts[i] = url.QueryEscape(name+"[]") + "=" + value
		}
	}
	address.RawQuery = strings.Join(parts, "&")
}
