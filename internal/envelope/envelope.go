package envelope

import (
	"bytes"
	"strings"

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
}

// Refusal is a failure that the service states in an otherwise good answer.
type Refusal struct {
	Message string
}

// Error gives the service's own words, or says that there are none.
func (r *Refusal) Error() string {
	if r.Message == "" {
		return "the service gave no reason"
	}
	return r.Message
}

// body is the envelope with a typed payload.
type body[T any] struct {
	Data       payload[T]    `json:"data"`
	Error      message       `json:"error"`
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

// Read decodes the body of an answer with a success status. The error is a *Refusal or a *Malformed.
func Read[T any](kind operation.Answer, contentType string, raw []byte) (Answer[T], error) {
	switch kind {
	case operation.AnswerEmpty:
		return Answer[T]{}, readSilence(contentType, raw)
	case operation.AnswerConfirm, operation.AnswerNone: // A failure can come where nothing was to come at all.
		return Answer[T]{}, readVerdict(contentType, raw)
	case operation.AnswerRecord, operation.AnswerArray:
		return readBare[T](kind, contentType, raw)
	}
	if kind == operation.AnswerMaybe {
		if err := readVerdict(contentType, raw); err != nil || len(bytes.TrimSpace(raw)) == 0 {
			return Answer[T]{}, err
		}
	}
	if err := inspect(contentType, raw); err != nil {
		return Answer[T]{}, err
	}
	var envelope body[T]
	if err := Unmarshal(raw, &envelope); err != nil {
		if refusal := readRefusal(raw); refusal != nil {
			return Answer[T]{}, refusal // A failure may carry data of any shape.
		}
		return Answer[T]{}, malformed(raw, err)
	}
	if envelope.Error.set {
		return Answer[T]{}, &Refusal{envelope.Error.text}
	}
	if err := missing(kind, &envelope.Data.absence); err != nil {
		return Answer[T]{}, err
	}
	answer := Answer[T]{Data: envelope.Data.value}
	if page := &envelope.Pagination; page.present && !page.null {
		answer.Page = &page.value
	}
	if envelope.NextAt != nil {
		answer.NextAt = *envelope.NextAt
	}
	return answer, nil
}

// missing reports a payload that is not there where the kind of answer promises one. A null list is an empty one; an
// absent list is not.
func missing(kind operation.Answer, data *absence) error {
	record := kind == operation.AnswerData || kind == operation.AnswerRecord
	if kind != operation.AnswerMaybe && (!data.present || record && data.null) {
		return &Malformed{Reason: NoData}
	}
	return nil
}

// readBare reads an answer that has no envelope: the record or the array is the whole body.
func readBare[T any](kind operation.Answer, contentType string, raw []byte) (Answer[T], error) {
	if err := inspect(contentType, raw); err != nil {
		return Answer[T]{}, err
	}
	var value payload[T]
	if err := Unmarshal(raw, &value); err != nil {
		if refusal := readRefusal(raw); refusal != nil {
			return Answer[T]{}, refusal
		}
		return Answer[T]{}, malformed(raw, err)
	}
	if err := missing(kind, &value.absence); err != nil {
		return Answer[T]{}, err
	}
	if kind == operation.AnswerRecord && bytes.Contains(raw, []byte(`"error"`)) {
		if refusal := readRefusal(raw); refusal != nil {
			return Answer[T]{}, refusal
		}
	}
	return Answer[T]{Data: value.value}, nil
}

// inspect refuses a body that is no JSON by its looks, before the JSON library complains about its first byte.
func inspect(contentType string, raw []byte) error {
	trimmed := bytes.TrimSpace(raw)
	mediaType, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	mediaType = strings.TrimSpace(mediaType)
	switch {
	case len(trimmed) == 0:
		return &Malformed{Reason: Empty}
	case mediaType == "text/html" || trimmed[0] == '<':
		return &Malformed{Reason: HTML}
	case mediaType == "" || mediaType == "text/plain" || mediaType == "application/octet-stream" ||
		mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json"):
		return nil
	}
	return &Malformed{ContentType, mediaType}
}
