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

// byteOrderMark may precede the text of a response. It means nothing in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// checkLooks refuses a body that is not JSON by its looks, before the JSON library complains about its first byte.
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

// MayBeJSON reports whether a content type is one of JSON, or missing.
func MayBeJSON(contentType string) bool {
	mediaType := mediaTypeOf(contentType)
	return mediaType == "" || mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
}

// mediaTypeOf returns a content type in lower case, without its parameters.
func mediaTypeOf(contentType string) string {
	mediaType, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	return strings.TrimSpace(mediaType)
}

// Body is the body of one response, of which it is not known that it is as documented. Every pass over it is linear in
// its size, and there is a fixed number of passes.
type Body struct {
	contentType string
	raw         []byte
	// folded is what is read of it.
	folded
	// hider hides secrets in the names that records keep, or is nil.
	hider scan.Hider
	// ctx is asked for its error before every pass but the first: what has arrived in time is read once, however little
	// time is left.
	ctx    context.Context
	passes int
	// Work counts the bytes that decoders went through, of all passes. Tests hold it against the size of the body.
	Work int64
}

// NewBody returns the body of a response. A context that is a scan.Hider hides secrets in the names that records keep.
func NewBody(ctx context.Context, contentType string, raw []byte) *Body {
	raw = bytes.TrimPrefix(raw, byteOrderMark)
	hider, _ := ctx.(scan.Hider)
	return &Body{contentType: contentType, raw: raw, folded: folded{Text: raw}, hider: hider, ctx: ctx}
}

// Begin is called before every pass.
func (b *Body) Begin() error {
	b.passes++
	if b.passes > 1 {
		return b.ctx.Err()
	}
	return nil
}

// Admit refuses a body that is not JSON by its looks, and folds what is nested deeply.
func (b *Body) Admit() error {
	if err := checkLooks(b.contentType, b.raw); err != nil {
		return err
	}
	return b.Fold()
}

// Fold folds what is nested deeply in the body.
func (b *Body) Fold() (err error) {
	b.folded, err = fold(b.raw)
	return err
}

const (
	// MaxDepth is how deeply the values of a body may be nested for what reads them. The records of the service are
	// nested less than ten deep; the JSON library itself would go down 10,000 levels.
	MaxDepth = 100
	// maxRaw is how deeply a value may be nested that is handed out as it came. encoding/json reads and writes 10,000
	// levels, with those that a program puts around the value.
	maxRaw = 9000
)

// folded is a body with a mark, which is a text, in the place of each value below MaxDepth. So nothing that reads the
// body meets more levels than that, and what skips a value, such as the metadata of a token, takes any number of them.
type folded struct {
	Text []byte
	mark []byte
	deep []deepValue
}

// deepValue is a value that a mark stands for, and how many levels of the body there are down to its innermost one.
type deepValue struct {
	raw    []byte
	levels int
}

// fold looks at nothing but brackets and strings: what else is wrong with a body is for the decoder to say. Of a deep
// value that does not end, nothing is left.
func fold(raw []byte) (folded, error) {
	f, depth := folded{}, 0
	var done, start, levels int // The end of what was copied; where the deep value begins, and its levels.
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
			const longerThanMark = 50 // A shorter value stays.
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

// add keeps a deep value, and returns the mark that stands for it. The JSON library has to take the value, unless it is
// so deep that nobody gets it.
func (f *folded) add(value deepValue, start int) ([]byte, error) {
	if value.levels <= maxRaw && !jsontext.Value(value.raw).IsValid(liberal) {
		return nil, &Malformed{Reason: Syntax, Detail: fmt.Sprintf("in the value at byte %d", start)}
	}
	if f.mark == nil {
		f.mark = []byte(`"` + rand.Text())
	}
	f.deep = append(f.deep, value)
	return append(strconv.AppendInt(bytes.Clone(f.mark), int64(len(f.deep)-1), 10), '"'), nil
}

// whole returns a part of the text with the values in the place of their marks, and how many levels there are down to
// the innermost of them.
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

// tooDeep is the fault of a value with more levels than that.
type tooDeep int

func (e tooDeep) Error() string { return fmt.Sprintf("more than %d levels", int(e)) }

// Asked returns a value as it came, for what is handed it as a whole.
func (f *folded) Asked(value []byte) ([]byte, error) {
	whole, levels := f.whole(value)
	if levels > maxRaw {
		return nil, &json.SemanticError{JSONKind: jsontext.Value(value).Kind(), Err: tooDeep(maxRaw)}
	}
	return whole, nil
}

// unmarshalers hand the values themselves to what takes JSON as it is, and refuse the marks everywhere else.
func (f *folded) unmarshalers() *json.Unmarshalers {
	if len(f.deep) == 0 {
		return nil
	}
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, into any) error {
		if _, streams := into.(json.UnmarshalerFrom); streams {
			return errors.ErrUnsupported
		}
		if reader, reads := into.(json.Unmarshaler); reads {
			value, err := dec.ReadValue()
			if err == nil {
				value, err = f.Asked(value)
			}
			if err != nil {
				return err
			}
			return reader.UnmarshalJSON(value)
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

// endOfString returns the index of the quote that ends the string which begins at start, or the end of raw.
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

// Unfold folds what is nested deeply in a body, without a byte order mark, and returns the function that unfolds a text
// that was made of it. It is an error if the body is not JSON.
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
