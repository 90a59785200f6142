package reply

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// byteOrderMark may precede a body. It has no meaning in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// checkLooks rejects a body that does not look like JSON, for a better error than the JSON library returns for its
// first byte.
func checkLooks(contentType string, raw []byte) error {
	trimmed := bytes.TrimSpace(raw)
	mediaType := mediaTypeOf(contentType)
	switch {
	case len(trimmed) == 0:
		return &Malformed{Reason: Empty}
	case mediaType == "text/html" || trimmed[0] == '<':
		return &Malformed{Reason: HTML}
	case mediaType == "text/plain" || mediaType == "application/octet-stream" || MayBeJSON(contentType):
		return nil
	}
	return &Malformed{Reason: ContentType, Detail: mediaType}
}

// MayBeJSON reports whether a content type is a JSON type or missing.
func MayBeJSON(contentType string) bool {
	mediaType := mediaTypeOf(contentType)
	return mediaType == "" || mediaType == "application/json" || mediaType == "text/json" ||
		strings.HasSuffix(mediaType, "+json")
}

// mediaTypeOf returns a content type in lower case, without its parameters.
func mediaTypeOf(contentType string) string {
	mediaType, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	return strings.TrimSpace(mediaType)
}

// Body is the body of a response that may differ from the documentation. The number of passes over it is fixed, and
// each is linear in its size.
type Body struct {
	contentType string
	raw         []byte
	// folded is the text that decoders read.
	folded
	// hider hides secrets in the names that records keep. It may be nil.
	hider scan.Hider
	// ctx is checked before every pass except the first: a body that has arrived is always read once.
	ctx    context.Context
	passes int
	// Work counts the bytes that decoders scanned in all passes. Tests compare it with the size of the body.
	Work int64
}

// NewBody returns the body of a response. If the context is a scan.Hider, it hides secrets in the names that records
// keep.
func NewBody(ctx context.Context, contentType string, raw []byte) *Body {
	raw = bytes.TrimPrefix(raw, byteOrderMark)
	hider, _ := ctx.(scan.Hider)
	return &Body{contentType: contentType, raw: raw, folded: folded{Text: raw}, hider: hider, ctx: ctx}
}

// Begin must be called before every pass.
func (b *Body) Begin() error {
	b.passes++
	if b.passes > 1 {
		return b.ctx.Err()
	}
	return nil
}

// Admit rejects a body that does not look like JSON, and folds deeply nested values.
func (b *Body) Admit() error {
	if err := checkLooks(b.contentType, b.raw); err != nil {
		return err
	}
	return b.Fold()
}

// Fold folds deeply nested values of the body.
func (b *Body) Fold() (err error) {
	b.folded, err = fold(b.raw)
	return err
}

const (
	// MaxDepth is the maximum nesting depth of decoded values. The service's records are nested less than ten levels deep;
	// the JSON library would accept 10,000 levels.
	MaxDepth = 100
	// maxRaw is the maximum nesting depth of a raw value. encoding/json reads and writes 10,000 levels, including the
	// levels that a program adds around the value.
	maxRaw = 9000
)

// folded is a body with each value below MaxDepth replaced by a mark, which is a string. Decoders never see more
// levels, and skipped values, such as the metadata of a token, may have any number of levels.
type folded struct {
	Text []byte
	mark []byte
	deep []deepValue
}

// deepValue is a value that a mark replaces, and the depth of its innermost level, counted from the root of the body.
type deepValue struct {
	raw    []byte
	levels int
}

// fold scans only brackets and strings; the decoder reports other errors. A deep value without an end is dropped.
func fold(raw []byte) (folded, error) {
	f, depth := folded{}, 0
	var done, start, levels int // The end of the copied text; the offset of the deep value, and its levels.
	for i := 0; i < len(raw) && depth >= 0; i++ {
		switch raw[i] {
		case '"':
			i = endOfString(raw, i)
		case '{', '[':
			if depth == MaxDepth {
				start, levels = i, 0
			}
			depth++
			levels = max(levels, depth)
		case '}', ']':
			const longerThanMark = 50 // Shorter values stay.
			if depth--; depth != MaxDepth || i-start < longerThanMark {
				continue
			}
			mark, err := f.add(deepValue{raw[start : i+1], levels}, start)
			if err != nil {
				return folded{}, err
			}
			f.Text = append(append(f.Text, raw[done:start]...), mark...)
			done = i + 1
		}
	}
	end := len(raw)
	if depth > MaxDepth {
		end = start
	}
	if done == 0 {
		f.Text = raw[:end]
		return f, nil
	}
	f.Text = append(f.Text, raw[done:end]...)
	return f, nil
}

// add stores a deep value, and returns its mark. The value must be valid JSON, unless it is too deep to be returned.
func (f *folded) add(value deepValue, start int) ([]byte, error) {
	if value.levels <= maxRaw && !jsontext.Value(value.raw).IsValid(lenient) {
		return nil, &Malformed{Reason: Syntax, Detail: fmt.Sprintf("in the value at byte %d", start)}
	}
	if f.mark == nil {
		f.mark = []byte(`"` + rand.Text())
	}
	f.deep = append(f.deep, value)
	return append(strconv.AppendInt(bytes.Clone(f.mark), int64(len(f.deep)-1), 10), '"'), nil
}

// whole returns part of the text with the marks replaced by their values, and the maximum depth of these values.
func (f *folded) whole(part []byte) (whole []byte, levels int) {
	if len(f.deep) == 0 {
		return part, 0
	}
	for {
		before, after, found := bytes.Cut(part, f.mark)
		whole = append(whole, before...)
		if !found {
			return whole, levels
		}
		number, rest, _ := bytes.Cut(after, []byte(`"`))
		index, _ := strconv.Atoi(string(number))
		whole = append(whole, f.deep[index].raw...)
		levels, part = max(levels, f.deep[index].levels), rest
	}
}

// tooDeep is the error of a value with more levels than its number.
type tooDeep int

func (e tooDeep) Error() string { return fmt.Sprintf("more than %d levels", int(e)) }

// Asked returns a raw value with its deep values.
func (f *folded) Asked(value []byte) ([]byte, error) {
	whole, levels := f.whole(value)
	if levels > maxRaw {
		return nil, &json.SemanticError{JSONKind: jsontext.Value(value).Kind(), Err: tooDeep(maxRaw)}
	}
	return whole, nil
}

// notMarks returns a decoder that rejects marks for types that do not read raw JSON.
func (f *folded) notMarks() *json.Unmarshalers {
	if len(f.deep) == 0 {
		return nil
	}
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
		switch into.(type) {
		case json.UnmarshalerFrom, json.Unmarshaler:
			return errors.ErrUnsupported
		}
		if dec.PeekKind() != '"' || !bytes.HasPrefix(bytes.TrimLeft(dec.UnreadBuffer(), " \t\r\n:,"), f.mark) {
			return errors.ErrUnsupported
		}
		if err := dec.SkipValue(); err != nil {
			return err
		}
		return &json.SemanticError{GoType: reflect.TypeOf(into).Elem(), Err: tooDeep(MaxDepth)}
	})
}

// originals returns a decoder that passes the original values to types that read raw JSON.
func (f *folded) originals() *json.Unmarshalers {
	if len(f.deep) == 0 {
		return nil
	}
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into json.Unmarshaler) error {
		if _, streams := into.(json.UnmarshalerFrom); streams {
			return errors.ErrUnsupported
		}
		value, err := dec.ReadValue()
		if err == nil {
			value, err = f.Asked(value)
		}
		if err != nil {
			return err
		}
		return into.UnmarshalJSON(value)
	})
}

// endOfString returns the index of the quote that closes the string at start, or len(raw).
func endOfString(raw []byte, start int) int {
	for i := start + 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(raw)
}

// Unfold removes the byte order mark and folds deeply nested values of a body. It returns a function that unfolds text
// derived from the result. It returns an error if the body is not JSON.
func Unfold(raw []byte) (text []byte, whole func([]byte) []byte, err error) {
	b := NewBody(context.Background(), "", raw)
	if err = b.Fold(); err == nil {
		_, err = b.state()
	}
	return bytes.TrimSpace(b.Text), func(text []byte) []byte {
		text, _ = b.whole(text)
		return text
	}, err
}
