package graphql

import (
	stdjson "encoding/json"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// numbers decodes into json.Number without rounding. As in encoding/json, a string that contains a number is accepted,
// and a null changes nothing.
var numbers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into *stdjson.Number) error {
	kind := dec.PeekKind()
	switch kind {
	case 'n':
		return dec.SkipValue()
	case '0', '"':
		literal, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if text := literal.String(); api.IsNumber(text) {
			*into = stdjson.Number(text)
			return nil
		}
	}
	return &json.SemanticError{JSONKind: kind, GoType: reflect.TypeFor[stdjson.Number]()}
})

// readOwn reads a value of a caller's type, in which the interfaces of package graph are known, and names match in any
// case.
func readOwn(s *scan.Scanner, into any) {
	reply.ReadOwn(s, into, json.JoinUnmarshalers(numbers, unmarshalers), json.MatchCaseInsensitiveNames(true))
}

// Located is the list at a path of names in the data of a response, with nodes of a caller's type. Everything beside the
// path is skipped. A null on the path ends it. A name that is missing is an error, since the query did not ask for it.
type Located[N any] struct {
	Path []string
	// List is nil if it is null.
	List *List[N]
}

// Read reads the data of a response.
func (l *Located[N]) Read(s *scan.Scanner) { l.descend(s, l.Path) }

// descend reads the list at a path below the next value.
func (l *Located[N]) descend(s *scan.Scanner, path []string) {
	at, kind := s.Mark().At, jsontext.Kind(s.Peek())
	misplaced := func(format string, args ...any) {
		s.Fail(scan.Unreadable, at, &reply.Malformed{Reason: reply.Shape, Detail: fmt.Sprintf(format, args...)})
	}
	l.List = nil
	switch {
	case s.Null():
		return
	case len(path) == 0:
		readList(s, &l.List, func(s *scan.Scanner, into *N) { readOwn(s, into) })
		return
	case kind != '{':
		misplaced("%s instead of an object with %q", reply.KindName(kind), path[0])
		return
	}
	found := false
	for s.Object(); s.Member(); {
		if string(s.Name) != path[0] {
			s.Skip()
			continue
		}
		found = true
		l.descend(s, path[1:])
	}
	if !found {
		misplaced("no %q on the path", path[0])
	}
}
