package envelope

import (
	"bytes"
	"context"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// Page is the paging record of a listing. What the service leaves out is nil: a total of zero would end the listing.
type Page struct {
	Total *int `json:"total"`
	Limit *int `json:"limit"`
}

// Answer is what a successful body holds.
type Answer[T any] struct {
	// Data is the payload. It is the zero value where the kind of answer allows its absence.
	Data T
	// Page is nil unless the answer carries a paging record.
	Page *Page
	// NextAt is the cursor of the next page, or empty at the end.
	NextAt string
	// NoRecord is set where the service carried a write out and sent no record of what it wrote.
	NoRecord bool
}

// envelope is a body with a typed payload.
type envelope[T any] struct {
	Data       payload[T]    `json:"data"`
	Error      flag          `json:"error"`
	Pagination payload[Page] `json:"pagination"`
	NextAt     *string       `json:"next_at"`
}

// payload tells an absent value, a null, and a value apart, and decodes the value in the same pass. Nothing is left in it
// of a value that was decoded before: a body that repeats a name is decoded twice.
type payload[T any] struct {
	absence
	value T
}

// absence tells in which way a value is not there.
type absence struct{ present, null bool }

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (p *payload[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*p = payload[T]{absence: absence{present: true}}
	if dec.PeekKind() == 'n' {
		p.null = true
		return dec.SkipValue()
	}
	return json.UnmarshalDecode(dec, &p.value)
}

// flag tells whether an error field holds an error. Its words are read where it does.
type flag struct{ set bool }

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (f *flag) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err == nil {
		p := part{kind: value.Kind(), empty: hollow(value)}
		f.set = p.set()
	}
	return err
}

// Read decodes the body of a response to the operation with a success status. The error is a *Refusal, a *Malformed, or
// that of the context, which is asked between two passes over the body.
func Read[T any](ctx context.Context, op operation.Operation, contentType string, raw []byte) (Answer[T], error) {
	answer, _, err := read[T](ctx, op, contentType, raw)
	return answer, err
}

// read is Read, and returns the body with its account of the passes.
func read[T any](ctx context.Context, op operation.Operation, contentType string, raw []byte) (Answer[T], *body, error) {
	b := newBody(ctx, contentType, raw)
	switch op.Answer {
	case operation.AnswerEmpty:
		return Answer[T]{}, b, b.silence()
	case operation.AnswerConfirm, operation.AnswerNone: // A failure can come where nothing was to come at all.
		return Answer[T]{}, b, b.verdict()
	case operation.AnswerMaybe:
		answer, err := readMaybe[T](b, op.Area == operation.AreaAlerts)
		return answer, b, err
	}
	answer, err := readPromised[T](b, op)
	return answer, b, err
}

// readPromised reads a response that has to bring a record or a list.
func readPromised[T any](b *body, op operation.Operation) (Answer[T], error) {
	if err := b.admit(); err != nil {
		return Answer[T]{}, err
	}
	answer, enveloped, err := decodeAnswer[T](b, bare(b, op.Answer))
	if err != nil {
		return Answer[T]{}, b.unusable(op, b.malformed(err))
	}
	if enveloped.Error.set {
		return Answer[T]{}, b.stated()
	}
	if err := missing(op.Answer, &enveloped.Data.absence); err != nil {
		return Answer[T]{}, b.unusable(op, err)
	}
	if err := unnamed(op, answer.Data); err != nil {
		return Answer[T]{}, b.unusable(op, err)
	}
	if promisesRecord(op) && holdsNothing(answer.Data) {
		err = b.unusable(op, nil)
	} else if op.Answer == operation.AnswerRecord {
		err = b.besideRecord()
	}
	if err != nil {
		return Answer[T]{}, err
	}
	return answer, nil
}

// bare reports whether the record or the list is the whole body. Lists of areas without envelopes were seen in one all
// the same.
func bare(b *body, kind operation.Answer) bool {
	return kind == operation.AnswerRecord ||
		kind == operation.AnswerArray && jsontext.Value(bytes.TrimSpace(b.raw)).Kind() != '{'
}

// decodeAnswer decodes a body with an envelope or without.
func decodeAnswer[T any](b *body, bare bool) (Answer[T], *envelope[T], error) {
	var e envelope[T]
	var into any = &e
	if bare {
		into = &e.Data
	}
	if err := b.decode(into, nil); err != nil {
		return Answer[T]{}, &e, err
	}
	answer := Answer[T]{Data: e.Data.value}
	if e.Pagination.present && !e.Pagination.null {
		answer.Page = &e.Pagination.value
	}
	if e.NextAt != nil {
		answer.NextAt = *e.NextAt
	}
	return answer, &e, nil
}

// missing reports a payload that is not there where the kind of answer promises one. A null list is an empty one; an
// absent list is not.
func missing(kind operation.Answer, data *absence) error {
	record := kind == operation.AnswerData || kind == operation.AnswerRecord
	if !data.present || record && data.null {
		return &Malformed{Reason: NoData}
	}
	return nil
}

// promisesRecord reports whether a response to the operation has to bring a record, and not a list.
func promisesRecord(op operation.Operation) bool {
	return op.Answer == operation.AnswerData || op.Answer == operation.AnswerRecord
}

// unusable finds out what a body is that does not bring what was asked for: a stated failure, which may carry data of
// any shape; the null that stands for a thing that does not exist; or what fault says.
func (b *body) unusable(op operation.Operation, fault error) error {
	var malformed *Malformed
	if errors.As(fault, &malformed) && malformed.Reason != Shape && malformed.Reason != NoData {
		return fault
	}
	top, err := b.walk(nil)
	if err != nil {
		return b.malformed(err)
	}
	if err := refusal(top); err != nil {
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
			return &Malformed{Reason: NoData, Absent: true}
		}
		if op.Answer == operation.AnswerData {
			data = said.data
		}
	}
	if malformed != nil && !op.Idempotent && data.kind != '{' {
		malformed.Reason = NoData // There is no record at all.
	}
	return fault
}

// stated returns the failure of a body whose error field holds one.
func (b *body) stated() error {
	top, err := b.walk(nil)
	if err != nil {
		return b.malformed(err)
	}
	return &Refusal{top.words}
}

// besideRecord returns the failure that stands beside the fields of a record, or nil. Only an error field is one there:
// a status may be a field of the record.
func (b *body) besideRecord() error {
	if !bytes.Contains(b.raw, []byte(`"error"`)) {
		return nil
	}
	top, err := b.walk(nil)
	if err != nil {
		return b.malformed(err)
	}
	if top.inner == nil || !top.inner.err.set() {
		return nil
	}
	return &Refusal{top.words}
}
