package reply

import (
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Payload is the variable that the payload of a response is decoded into.
type Payload interface {
	// Read decodes the payload. It is called again for a duplicate.
	Read(s *scan.Scanner)
	// Data returns a pointer to the variable.
	Data() any
}

// Record is a payload that is a record.
type Record[T any] struct {
	Decode func(*scan.Scanner, *T)
	Value  T
}

// Read implements Payload.
func (p *Record[T]) Read(s *scan.Scanner) { api.ReadStruct(s, &p.Value, p.Decode) }

// Data implements Payload.
func (p *Record[T]) Data() any { return &p.Value }

// List is a payload that is a list of records.
type List[T any] struct {
	Decode func(*scan.Scanner, *T)
	Value  []T
}

// Read implements Payload.
func (p *List[T]) Read(s *scan.Scanner) { api.ReadList(s, &p.Value, p.Decode) }

// Data implements Payload.
func (p *List[T]) Data() any { return &p.Value }

// OneOrMany is a payload that is a list of records, or a single record without the list.
type OneOrMany[T any] struct {
	List[T]
	One bool
}

// Read implements Payload.
func (p *OneOrMany[T]) Read(s *scan.Scanner) {
	if p.One = s.Peek() == '{'; !p.One {
		p.List.Read(s)
		return
	}
	p.Value = make([]T, 1)
	p.Decode(s, &p.Value[0])
}

// Own is a payload in a type of the caller, which may be a record of the admin or alerts area.
type Own[T any] struct{ Value T }

// Read implements Payload.
func (p *Own[T]) Read(s *scan.Scanner) {
	if !api.ReadRecord(s, &p.Value) {
		ReadOwn(s, &p.Value)
	}
}

// Data implements Payload.
func (p *Own[T]) Data() any { return &p.Value }

// ReadOwn reads a value of a caller's type like encoding/json, and the interfaces of package graph in it.
func ReadOwn(s *scan.Scanner, into any) {
	at := s.Mark().At
	text := s.Raw()
	if text == nil {
		return
	}
	if s.IsDeep() {
		s.Fail(scan.Deep, at)
	} else if err := graph.Unmarshal(api.Repaired(text), into); err != nil {
		s.Fail(scan.Unreadable, at)
		s.Fault.Err = err
	}
}
