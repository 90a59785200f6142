package reply

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// missingID refuses the response to a create that promises a record and brings it without its id. The thing exists
// then, and nobody could name it: an empty id would pass for one until it is used. Records that are read or changed are
// the caller's to name, and entries under security/ are documented to come without an id.
func missingID(op *api.Operation, data any) error {
	record := reflect.Indirect(reflect.ValueOf(data))
	if op.Idempotent || !promisesRecord(op) || record.Kind() != reflect.Struct {
		return nil
	}
	if id := record.FieldByName("ID"); id.IsValid() && id.IsZero() {
		return &Malformed{Reason: NoData, Detail: "there is no id of what was created"}
	}
	if !holdsAnything(data) {
		return &Malformed{Reason: NoData, Detail: "there is nothing in the record"}
	}
	return nil
}

// HasNames reports whether an object can be known as a record of a type by the names of its members.
func HasNames(record reflect.Type) bool {
	return record.Kind() != reflect.Slice && len(ownNames(record)) > 0
}

// ownNames are the names by which an object is known as a record of a type, or as one of a list of them.
func ownNames(record reflect.Type) map[string]bool {
	if record.Kind() == reflect.Pointer || record.Kind() == reflect.Slice {
		record = record.Elem()
	}
	if record.Kind() != reflect.Struct {
		return nil
	}
	names := map[string]bool{}
	for field := range record.Fields() {
		if name := nameOf(field); name != "" && name != "$extra" && !statedMembers[name] {
			names[name] = true
		}
	}
	return names
}

// isRecord reports whether an object has a member of a record of a type, and something in it.
func (b *Body) isRecord(object jsontext.Value, record reflect.Type) bool {
	found, _, _ := b.read(object, ownNames(record))
	for _, value := range found.members {
		if kind := value.Kind(); kind == '0' || kind != 'n' && !isEmptyValue(value) {
			return true
		}
	}
	return false
}

// holdsAnything reports whether there is anything in a payload but unknown members.
func holdsAnything(data any) bool {
	value := reflect.Indirect(reflect.ValueOf(data))
	if value.Kind() != reflect.Struct {
		return value.IsValid() && !value.IsZero()
	}
	for i := range value.NumField() {
		if field := value.Field(i); field.Type() != reflect.TypeFor[scalar.Extra]() && !field.IsZero() {
			return true
		}
	}
	return false
}
