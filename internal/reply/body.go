package reply

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	legacy "github.com/go-json-experiment/json/v1"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Body is the body of a response that may differ from the documentation. The number of passes over it is fixed, and
// each is linear in its size.
type Body struct {
	contentType string
	text        []byte
	deep        bool // The text contains tooDeep.
	ctx         context.Context
	room        int // The memory in bytes that is left for the items of lists in this pass.
	// Work counts the bytes that decoders scanned in all passes. Tests compare it with the size of the body.
	Work int64
}

// NewBody returns the body of a response. If the context is a scan.Hider, it hides secrets in the names that records
// keep.
func NewBody(ctx context.Context, contentType string, raw []byte) *Body {
	text, deep := Text(raw)
	return &Body{contentType: contentType, text: text, deep: deep, ctx: ctx}
}

// Admit rejects a body that does not look like JSON, for a better error than the JSON library returns for its first
// byte.
func (b *Body) Admit() error {
	text, mediaType := bytes.TrimSpace(b.text), mediaTypeOf(b.contentType)
	switch {
	case len(text) == 0:
		return &Malformed{Reason: Empty}
	case mediaType == "text/html" || text[0] == '<':
		return &Malformed{Reason: HTML}
	case mediaType == "text/plain" || mediaType == "application/octet-stream" || MayBeJSON(mediaType):
		return nil
	}
	return &Malformed{Reason: ContentType, Detail: mediaType}
}

var (
	// lenient also merges records with the same name, as encoding/json does.
	lenient = json.JoinOptions(scan.Lenient, legacy.MergeWithLegacySemantics(true))
	strict  = json.JoinOptions(jsontext.AllowInvalidUTF8(true))
)

// Decode decodes the body into the value that into points to. Slow checks are left to a second pass: it accepts numbers
// for strings and similar coercions, and duplicate names, which are read as in encoding/json. Unmarshalers may be nil.
// The error is a *Malformed or the context's.
func (b *Body) Decode(into any, unmarshalers *json.Unmarshalers) error {
	admit := json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
		return cmp.Or(b.admitItem(dec, into), errors.ErrUnsupported)
	})
	decoders := []*json.Unmarshalers{admit, skipExtra, unmarshalers}
	if b.deep {
		decoders = append(decoders, rejectDeep)
	}
	unmarshalers = json.JoinUnmarshalers(decoders...)
	err := b.pass(b.text, into, strict, json.WithUnmarshalers(unmarshalers))
	if malformed, _ := errors.AsType[*Malformed](err); malformed == nil &&
		(errors.Is(err, jsontext.ErrDuplicateName) || SemanticError(err) != nil) {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		err = b.pass(b.text, into, lenient, json.WithUnmarshalers(json.JoinUnmarshalers(unmarshalers, coercions)))
	}
	return b.malformed(err)
}

// admitItem checks a value before it is decoded: a null in a list is not a record, and there must be room for an item.
func (b *Body) admitItem(dec *jsontext.Decoder, into any) error {
	if around, _ := dec.StackIndex(dec.StackDepth()); around != '[' {
		return nil
	}
	item, isNull := reflect.TypeOf(into).Elem(), dec.PeekKind() == 'n'
	size := item.Size()
	switch kind := item.Kind(); {
	case isNull && isRecord(item):
		return cmp.Or[error](dec.SkipValue(), &json.SemanticError{JSONKind: 'n', GoType: item})
	case kind == reflect.Interface && item.NumMethod() > 0:
		size = 256 // One of several records.
	case kind == reflect.Pointer && !isNull:
		size = item.Elem().Size()
	}
	if !api.TakeRoom(&b.room, size) {
		return tooLarge(dec)
	}
	return nil
}

// tooLarge returns the error of the item for which there is no room.
func tooLarge(dec *jsontext.Decoder) error {
	return &Malformed{Reason: TooLarge, Detail: fmt.Sprintf("the records up to %q take too much memory for their text",
		string(dec.StackPointer()))}
}

// pass decodes a part of the body.
func (b *Body) pass(part []byte, into any, options ...json.Options) error {
	b.Work += int64(len(part))
	b.room = scan.RoomFor(b.text)
	return json.Unmarshal(part, into, options...)
}

const (
	// maxDepth is the maximum nesting depth of a body. encoding/json reads and writes 10,000 levels, including the levels
	// that a program adds around a value.
	maxDepth = 9000
	// tooDeep replaces a value below maxDepth. It is an array itself, so a second call of Text finds it again.
	tooDeep = `[-0e9]`
)

var errTooDeep = fmt.Errorf("more than %d levels", maxDepth)

// Text returns a body without a byte order mark, which has no meaning in UTF-8, and with every value below maxDepth
// replaced by tooDeep, and reports whether there was one. One hostile value, such as the metadata of a token, must not
// fail the rest of the body: only its own item cannot be decoded, and if it is skipped, its depth does not matter.
// Text scans only brackets and strings; the decoder reports other errors. A deep value without an end is dropped.
func Text(raw []byte) (text []byte, deep bool) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	var depth, start, done int // The start of the deep value; the end of the copied text.
	quoted := false
	for i := 0; i < len(raw) && depth >= 0; i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
			if c == '\\' {
				i++
			}
		case c == '{' || c == '[':
			if depth == maxDepth {
				start = i
			}
			depth++
		case c == '}' || c == ']':
			if depth--; depth == maxDepth {
				text = append(append(text, raw[done:start]...), tooDeep...)
				done = i + 1
			}
		}
	}
	if depth > maxDepth {
		raw = raw[:start]
	}
	if done == 0 {
		return raw, false
	}
	return append(text, raw[done:]...), true
}

// rejectDeep returns an error for a value that is too deep, or a raw value that contains one.
var rejectDeep = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
	fault := &json.SemanticError{Err: errTooDeep}
	if reader, is := into.(json.Unmarshaler); is {
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if bytes.Contains(value, []byte(tooDeep)) {
			return fault
		}
		return reader.UnmarshalJSON(value)
	}
	if dec.PeekKind() != '[' || !bytes.HasPrefix(bytes.TrimLeft(dec.UnreadBuffer(), " \t\r\n:,"), []byte(tooDeep)) {
		return errors.ErrUnsupported
	}
	return cmp.Or[error](dec.SkipValue(), fault)
})
