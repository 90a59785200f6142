package rpcfleet

import (
	"reflect"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// checkID refuses the answer to a create that promises a record and brings it without its id. The thing exists then, and
// nobody could name it: an empty id would pass for one until it is used. Records that are read or changed are the
// caller's to name, and entries under security/ are documented to come without an id.
func checkID(op *operation.Operation, record any) error {
	if op.Idempotent || op.Answer != operation.AnswerData && op.Answer != operation.AnswerRecord {
		return nil
	}
	fields := reflect.Indirect(reflect.ValueOf(record))
	if fields.Kind() != reflect.Struct {
		return nil
	}
	if id := fields.FieldByName("ID"); id.IsValid() && id.IsZero() {
		return &envelope.Malformed{Reason: envelope.NoData, Detail: "there is no id of what was created"}
	}
	return nil
}
