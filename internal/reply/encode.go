package reply

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// EncodeRequest encodes the body of a request, with the secrets in it. It is for the service's eyes only: what it
// returns must not be logged.
func EncodeRequest(body any) ([]byte, error) { return scalar.Revealed[any]{Value: body}.MarshalJSON() }

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value jsontext.Value
}

var errNoObject = errors.New("the body is no object")

// SetMembers returns the body of a request with the members in it: each in the place of the one of that name, or at the
// end. The error says that the body is no object.
func SetMembers(body []byte, members []Member) ([]byte, error) {
	in := Tokens(body)
	if in.Kind() != '{' {
		return nil, errNoObject
	}
	var all []Member
	places := map[string]int{}
	set := func(m Member) {
		if place, there := places[m.Name]; there {
			all[place].Value = m.Value
			return
		}
		places[m.Name] = len(all)
		all = append(all, m)
	}
	in.Fields(func(name string) { set(Member{name, in.Value().Clone()}) })
	if in.Err != nil {
		return nil, in.Err
	}
	for _, m := range members {
		set(m)
	}
	out := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = jsontext.AppendQuote(out, m.Name); err != nil {
			return nil, err
		}
		out = append(append(out, ':'), m.Value...)
	}
	return append(out, '}'), nil
}
