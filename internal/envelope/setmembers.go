package envelope

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value jsontext.Value
}

var errNoObject = errors.New("the body is no object")

// SetMembers returns the body of a request with the members in it: each in the place of the one of that name, or at the
// end. The error says that the body is no object.
func SetMembers(body []byte, members []Member) ([]byte, error) {
	in := tokens(body)
	if in.kind() != '{' {
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
	in.fields(func(name string) { set(Member{name, in.value().Clone()}) })
	if in.err != nil {
		return nil, in.err
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
