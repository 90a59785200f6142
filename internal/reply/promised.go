package reply

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// documentedPromise reads a response that has to bring a record or a list, where it is as documented and nothing about
// it is in doubt. A body in doubt is left to readPromised.
func documentedPromise[T any](s source, op *api.Operation, hider scan.Hider) (content Content[T], scanned int64, ok bool) {
	if s.admitLooks() != nil {
		return
	}
	content, scanned, ok = documented[T](s.raw, s.bare(op.Response), hider)
	inDoubt := missingID(op, content.Data) != nil || promisesRecord(op) && holdsNothing(content.Data) ||
		op.Response == api.ResponseRecord && s.mentionsError()
	return content, scanned, ok && !inDoubt
}

// readPromised reads a response that has to bring a record or a list.
func readPromised[T any](b *Body, op *api.Operation) (Content[T], error) {
	if err := b.Admit(); err != nil {
		return Content[T]{}, err
	}
	content, it, err := undocumented[T](b, b.bare(op.Response))
	if err != nil {
		return Content[T]{}, b.unusable(op, b.Malformed(err))
	}
	if it.failed {
		return Content[T]{}, b.Stated()
	}
	if err := missing(op.Response, &it.data); err != nil {
		return Content[T]{}, b.unusable(op, err)
	}
	if err := missingID(op, content.Data); err != nil {
		return Content[T]{}, b.unusable(op, err)
	}
	switch {
	case it.data.null, promisesRecord(op) && holdsNothing(content.Data):
		err = b.unusable(op, nil)
	case op.Response == api.ResponseRecord:
		err = b.besideRecord()
	}
	if err != nil {
		return Content[T]{}, err
	}
	return content, nil
}

// bare reports whether the record or the list is the whole body. Lists of areas without envelopes were seen in one all
// the same.
func (s *source) bare(kind string) bool {
	return kind == api.ResponseRecord ||
		kind == api.ResponseArray && jsontext.Value(s.raw).Kind() != '{'
}

// mentionsError reports whether an error field may be in the body.
func (s *source) mentionsError() bool { return bytes.Contains(s.raw, []byte(`"error"`)) }

// missing reports a payload that is not there where the kind of response promises one. A null list is an empty one; an
// absent list is not.
func missing(kind string, data *presence) error {
	record := kind == api.ResponseData || kind == api.ResponseRecord
	if !data.present || record && data.null {
		return &Malformed{Reason: NoData}
	}
	return nil
}

// promisesRecord reports whether a response to the operation has to bring a record, and not a list.
func promisesRecord(op *api.Operation) bool {
	return op.Response == api.ResponseData || op.Response == api.ResponseRecord
}

// unusable finds out what a body is that does not bring what was asked for: a stated failure, which may carry data of
// any shape; the null that stands for a thing that does not exist; or what fault says.
func (b *Body) unusable(op *api.Operation, fault error) error {
	var malformed *Malformed
	if errors.As(fault, &malformed) && malformed.Reason != Shape && malformed.Reason != NoData {
		return fault
	}
	top, err := b.walk(nil)
	if err != nil {
		return err
	}
	if err := statedFailure(top); err != nil {
		return err
	}
	if !promisesRecord(op) {
		return fault
	}
	data := top
	if said := top.inner; said != nil {
		// A data member on its own only says that nothing came. The error beside it, which is none, is what the service
		// says of a thing that it looked for.
		if op.Idempotent && said.data.kind == 'n' && said.err.kind == 'n' {
			return &Malformed{Reason: NoData, NotFound: true}
		}
		if op.Response == api.ResponseData {
			data = said.data
		}
	}
	if malformed != nil && !op.Idempotent && data.kind != '{' {
		malformed.Reason = NoData // There is no record at all.
	}
	return fault
}

// Stated returns the failure of a body whose error field holds one.
func (b *Body) Stated() error {
	top, err := b.walk(nil)
	if err != nil {
		return err
	}
	return &Failure{top.words}
}

// besideRecord returns the failure that stands beside the fields of a record, or nil. Only an error field is one there:
// a status may be a field of the record.
func (b *Body) besideRecord() error {
	if !b.mentionsError() {
		return nil
	}
	return b.StatedError()
}

// readMaybe reads the response to a write that may bring a record of what was written. The write was carried out unless
// a failure is stated: a body that holds no record of the shape that was asked for is none the worse for it. The record
// is the payload of an envelope, or in a bare area the whole body.
func readMaybe[T any](b *Body, bare bool) (Content[T], error) {
	none := Content[T]{NoRecord: true}
	if b.blank() {
		return none, nil
	}
	if err := b.Admit(); err != nil {
		return Content[T]{}, err
	}
	top, err := b.walk(shapeOf(reflect.TypeFor[T]()).names)
	if err != nil {
		return Content[T]{}, b.Malformed(err)
	}
	if err := statedFailure(top); err != nil {
		return Content[T]{}, err
	}
	record := top
	if !bare && top.inner != nil {
		record = top.inner.data
	}
	if record.kind == '[' && record.empty || record.kind != '[' && (record.inner == nil || !record.inner.isRecord()) {
		return none, nil
	}
	content, scanned, ok := documented[T](b.raw, bare, b.hider)
	b.Work += scanned
	if !ok {
		content, _, err = undocumented[T](b, bare)
	}
	if err == nil {
		return content, nil
	}
	var malformed *Malformed
	if err := b.Malformed(err); !errors.As(err, &malformed) || malformed.Reason != Shape {
		return Content[T]{}, err
	}
	return none, nil
}

// Failure is a failure that the service states in an otherwise good response.
type Failure struct {
	Message string
}

// Error gives the service's own words, or says that there are none.
func (r *Failure) Error() string {
	if r.Message == "" {
		return "the service gave no reason"
	}
	return r.Message
}

// confirmation reads a response that only says whether something happened. An empty body, an empty object and data of
// any other shape say that it did; a stated failure, or false, in data or in a success or result field, say that it did
// not.
func (b *Body) confirmation() error {
	if b.blank() {
		return nil
	}
	if err := b.Admit(); err != nil {
		return err
	}
	top, err := b.walk(nil)
	if err != nil {
		return b.Malformed(err)
	}
	return statedFailure(top)
}

// statedFailure returns the failure that a body states, or nil.
func statedFailure(top part) error {
	if top.kind == 'f' || top.inner != nil && top.inner.failed() {
		return &Failure{top.words}
	}
	return nil
}

// emptyBody reads a response whose body is of no interest. All the same, a page of a gateway is no response of the
// service, and a stated failure is one at any status.
func (b *Body) emptyBody() error {
	if b.blank() {
		return nil
	}
	if err := b.Admit(); err != nil {
		return err
	}
	if top, err := b.walk(nil); err == nil && top.inner != nil {
		return statedFailure(top)
	}
	return nil
}

// Explain returns the words of a failed response, whatever its form: the envelope's error, another JSON spelling, or
// plain text. It is empty for an HTML page and where there are no words.
func Explain(contentType string, raw []byte) string {
	return NewBody(context.Background(), contentType, raw).explain()
}

func (b *Body) explain() string {
	const longest = 500
	if b.Admit() != nil {
		return ""
	}
	if top, err := b.walk(nil); err == nil {
		return top.words
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.raw), "\uFFFD"))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return "" // JSON that is cut short explains nothing.
	}
	return shorten(text, longest)
}

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

// shape is what must be known of the type of a record before one is read.
type shape struct {
	// names are those by which an object is known as such a record.
	names map[string]bool
	// id is the index of the field of that name, or nil.
	id []int
}

// shapes are those of the types that were met so far.
var shapes sync.Map

// shapeOf returns the shape of a type, of what a pointer to one points to, or of the items of a [OneOrMany].
func shapeOf(record reflect.Type) *shape {
	if known, ok := shapes.Load(record); ok {
		return known.(*shape)
	}
	made, _ := shapes.LoadOrStore(record, newShape(record))
	return made.(*shape)
}

// HasNames reports whether an object can be known as a record of a type by the names of its members.
func HasNames(record reflect.Type) bool { return len(shapeOf(record).names) > 0 }

// confirmationNames are names that a record may have, too. One of them alone does not make an object a record.
var confirmationNames = map[string]bool{
	"error": true, "errors": true, "message": true, "data": true, "success": true, "result": true, "status": true,
}

func newShape(record reflect.Type) *shape {
	if many, is := reflect.New(record).Interface().(interface{ item() reflect.Type }); is {
		record = many.item()
	}
	if record.Kind() == reflect.Pointer {
		record = record.Elem()
	}
	s := &shape{names: map[string]bool{}}
	if record.Kind() != reflect.Struct {
		return s
	}
	for field := range record.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "$extra" && !confirmationNames[name] {
			s.names[name] = true
		}
	}
	if id, ok := record.FieldByName("ID"); ok {
		s.id = id.Index
	}
	return s
}
