package reply

import (
	"bytes"
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
	"github.com/rpcfleet/rpcfleet-go/internal/variant"
)

// Body is the body of a response. The number of passes over it is fixed, and each is linear in its size.
type Body struct {
	contentType string
	text        []byte
	searched    bool // The text was searched for values that are too deep.
	cut         bool // The text contains scan.TooDeep.
	ctx         context.Context
	// Work counts the bytes that decoders scanned in all passes. Tests compare it with the size of the body.
	Work int64
}

// NewBody returns the body of a response without a byte order mark, which has no meaning in UTF-8. If the context is a
// scan.Hider, it hides secrets in the names that records keep.
func NewBody(ctx context.Context, contentType string, raw []byte) *Body {
	return &Body{contentType: contentType, text: bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), ctx: ctx}
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

// Scanner returns a Scanner of the body, for one pass. Call Finish after it.
func (b *Body) Scanner() *scan.Scanner {
	b.Work += int64(len(b.text))
	s := scan.New(b.text)
	s.Cut = b.cut
	s.Hider, _ = b.ctx.(scan.Hider)
	return s
}

// Finish releases a Scanner of the body. If the Scanner failed, the error is a *Malformed or the context's, unless the
// body must be read again, because values that are too deep were cut out.
func (b *Body) Finish(s *scan.Scanner) (again bool, err error) {
	defer s.Release()
	if s.End() {
		return false, nil
	}
	if err := b.ctx.Err(); err != nil {
		return false, err
	}
	if !b.searched && b.search() {
		return true, nil
	}
	if s.Fault().Reason != scan.Large {
		if err := b.pass(b.text, new(jsontext.Value)); err != nil {
			return false, b.malformed(err)
		}
	}
	return false, Describe(b.text, s.Fault())
}

// search cuts out the values that are too deep, and reports whether there are any.
func (b *Body) search() bool {
	if !b.searched {
		b.text, b.cut = Text(b.text)
		b.searched = true
	}
	return b.cut
}

// pass decodes a part of the body.
func (b *Body) pass(part []byte, into any) error {
	b.Work += int64(len(part))
	return json.Unmarshal(part, into, variant.Lenient)
}

// Text returns a body with every value below scan.MaxDepth replaced by scan.TooDeep, and reports whether there was one.
// One hostile value, such as the metadata of a token, must not fail the rest of the body: only its own item cannot be
// decoded, and if it is skipped, its depth does not matter. Text scans only brackets and strings; the decoder reports
// other errors. A deep value without an end is dropped.
func Text(raw []byte) (text []byte, deep bool) {
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
			if depth == scan.MaxDepth {
				start = i
			}
			depth++
		case c == '}' || c == ']':
			if depth--; depth == scan.MaxDepth {
				text = append(append(text, raw[done:start]...), scan.TooDeep...)
				done = i + 1
			}
		}
	}
	if depth > scan.MaxDepth {
		raw = raw[:start]
	}
	if done == 0 {
		return raw, false
	}
	return append(text, raw[done:]...), true
}
