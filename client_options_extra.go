package rpcfleet

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
)

// WithHeader sends one more header with every attempt, such as one that a gateway in between asks for. It takes the
// place of another value of that name, be it this library's own Accept or, for a body, Content-Type.
//
// Headers that carry credentials, that frame the message, or that would make another operation of it are refused, also
// if an underscore or the like stands for a hyphen in the name. The value is treated as a secret: it is hidden in
// errors where the service repeats it, unless it is four characters or less, or an id of the request.
func WithHeader(name, value string) SharedOption {
	return sharedOption(func(s *callSettings) error {
		if broken := checkHeader(name, value); broken != nil {
			return broken
		}
		s.extras = s.extras.with(func(e *extras) { e.header.Set(name, value) })
		return nil
	})
}

// WithQueryParam sends one more query parameter. It takes the place of what the call itself sends under that name;
// given several times with one name, it sends all the values. The parameters by which a listing is divided into pages
// are the method's own, and are refused.
func WithQueryParam(name, value string) CallOption {
	return callOption(func(s *callSettings) error {
		if broken := required("query parameter", name); broken != nil {
			return broken
		}
		s.extras = s.extras.with(func(e *extras) { e.query = append(e.query, queryParam{name, value}) })
		return nil
	})
}

// WithBodyMember sends one more member in the JSON body, in the place of the member of that name that the body already
// has. The value is written as [Request.Body] is; nil is written as null, so that an update can clear what its type can
// only leave out:
//
//	err := client.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{}, rpcfleet.WithBodyMember("label", nil))
//
// A member counts for no rule of the contract, see [WithoutValidation]. A call without a body, or whose body is no
// object, is refused, and so are queries of the graph area.
func WithBodyMember(name string, value any) CallOption {
	return callOption(func(s *callSettings) error {
		if broken := required("body member", name); broken != nil {
			return broken
		}
		text, err := envelope.EncodeRequest(value)
		if err != nil { // Its text may show the value.
			return &ValidationError{Field: "body member", Rule: fmt.Sprintf("must be of a type that has a JSON form, and %T has none", value), Value: name}
		}
		member := envelope.Member{Name: name, Value: text}
		s.extras = s.extras.with(func(e *extras) { e.members = append(e.members, member) })
		return nil
	})
}
