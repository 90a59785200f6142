package envelope

import (
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// missingID refuses the response to a create that promises a record and brings it without its id. The thing exists
// then, and nobody could name it: an empty id would pass for one until it is used. Records that are read or changed are
// the caller's to name, and entries under security/ are documented to come without an id.
func missingID(op *api.Operation, record any) error {
	if op.Idempotent || !promisesRecord(op) {
		return nil
	}
	fields := reflect.Indirect(reflect.ValueOf(record))
	if fields.Kind() != reflect.Struct {
		return nil
	}
	if id := shapeOf(fields.Type()).id; id != nil && fields.FieldByIndex(id).IsZero() {
		return &Malformed{Reason: NoData, Detail: "there is no id of what was created"}
	}
	if isEmpty(fields) {
		return &Malformed{Reason: NoData, Detail: "there is nothing in the record"}
	}
	return nil
}

// holdsNothing reports whether a record was decoded of which nothing is known.
func holdsNothing(record any) bool {
	value := reflect.Indirect(reflect.ValueOf(record))
	return !value.IsValid() || isEmpty(value)
}

// isEmpty reports whether nothing is in a value but members that its record does not know.
func isEmpty(value reflect.Value) bool {
	if value.Kind() != reflect.Struct {
		return value.IsZero()
	}
	extra := layoutOf(value.Type()).extra
	for i := range value.NumField() {
		if i != extra && !value.Field(i).IsZero() {
			return false
		}
	}
	return true
}
