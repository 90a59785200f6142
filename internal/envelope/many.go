package envelope

import (
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// OneOrMany is a payload that comes as a list of records or as a single one.
type OneOrMany[T any] struct {
	Items []T
	// One is set where a single record came.
	One bool
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (m *OneOrMany[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*m = OneOrMany[T]{One: dec.PeekKind() == '{'}
	if !m.One {
		return json.UnmarshalDecode(dec, &m.Items)
	}
	m.Items = make([]T, 1)
	return json.UnmarshalDecode(dec, &m.Items[0])
}

// item is the type of each record.
func (*OneOrMany[T]) item() reflect.Type { return reflect.TypeFor[T]() }

// items are the records.
func (m *OneOrMany[T]) items() reflect.Value { return reflect.ValueOf(&m.Items).Elem() }
