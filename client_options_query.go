package rpcfleet

import "github.com/rpcfleet/rpcfleet-go/internal/api"

// ArrayQuery is a style of writing an array into the query of a request. The contract states none.
type ArrayQuery string

// The styles of arrays in queries. The service's own clients disagree about them.
const (
	// ArrayQueryRepeated repeats the name: networks=a&networks=b. It is OpenAPI's default, and that of this library.
	ArrayQueryRepeated ArrayQuery = "repeated"
	// ArrayQueryBrackets puts brackets behind the name: networks[]=a&networks[]=b, with the brackets percent-encoded as
	// the standard for addresses wants them.
	ArrayQueryBrackets ArrayQuery = "brackets"
	// ArrayQueryCommas joins the values with commas: networks=a,b. A comma within a value is percent-encoded, which a
	// service may still take for one between two values.
	ArrayQueryCommas ArrayQuery = "commas"
)

// WithArrayQuery sets how the array filters of [EndpointsService.List], Pages and All are written: [ArrayQueryRepeated]
// unless set. A service that expects another style may take such a filter for absent and list everything.
func WithArrayQuery(style ArrayQuery) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if style != ArrayQueryRepeated && style != ArrayQueryBrackets && style != ArrayQueryCommas {
			return &ValidationError{
				Field: "array query", Rule: "must be ArrayQueryRepeated, ArrayQueryBrackets or ArrayQueryCommas", Value: string(style),
			}
		}
		s.arrayQuery = style
		return nil
	})
}

// style is the style as the wire layer knows it. Unless set, it is ArrayQueryRepeated.
func (a ArrayQuery) style() api.ListStyle {
	switch a {
	case ArrayQueryBrackets:
		return api.ListBrackets
	case ArrayQueryCommas:
		return api.ListCommas
	}
	return api.ListRepeated
}
