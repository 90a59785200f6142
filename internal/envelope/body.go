package envelope

import (
	"bytes"
	"context"
	"strings"
)

// byteOrderMark may precede the text of a response. It means nothing in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// body is the body of one response while it is read. Every pass over it is linear in its size, and there is a fixed
// number of passes.
type body struct {
	contentType string
	raw         []byte
	// ended gives the error of the context, where it has one. It is asked before every pass but the first: what has
	// arrived in time is read once, however little time is left.
	ended  func() error
	passes int
	// read counts the bytes that decoders went through, of all passes. Tests hold it against the size of the body.
	read int64
}

func newBody(ctx context.Context, contentType string, raw []byte) *body {
	return &body{contentType: contentType, raw: bytes.TrimPrefix(raw, byteOrderMark), ended: ctx.Err}
}

// begin is called before every pass.
func (b *body) begin() error {
	b.passes++
	if b.passes > 1 {
		return b.ended()
	}
	return nil
}

// blank reports whether the body says nothing.
func (b *body) blank() bool { return len(bytes.TrimSpace(b.raw)) == 0 }

// admit refuses a body that is no JSON by its looks, or that is nested too deeply.
func (b *body) admit() error {
	if err := b.admitLooks(); err != nil {
		return err
	}
	return checkDepth(b.raw)
}

// admitLooks refuses a body that is no JSON by its looks, before the JSON library complains about its first byte.
func (b *body) admitLooks() error {
	trimmed := bytes.TrimSpace(b.raw)
	mediaType, _, _ := strings.Cut(strings.ToLower(b.contentType), ";")
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
	return &Malformed{Reason: ContentType, Detail: mediaType}
}
