package envelope

import (
	"bytes"
	"context"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// byteOrderMark may precede the text of a response. It means nothing in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// source is the body of one response as it came.
type source struct {
	contentType string
	raw         []byte
}

func newSource(contentType string, raw []byte) source {
	return source{contentType, bytes.TrimPrefix(raw, byteOrderMark)}
}

// admitLooks refuses a body that is no JSON by its looks, before the JSON library complains about its first byte.
func (s *source) admitLooks() error {
	trimmed := bytes.TrimSpace(s.raw)
	mediaType := mediaTypeOf(s.contentType)
	switch {
	case len(trimmed) == 0:
		return &Malformed{Reason: Empty}
	case mediaType == "text/html" || trimmed[0] == '<':
		return &Malformed{Reason: HTML}
	case mediaType == "text/plain" || mediaType == "application/octet-stream" || MayBeJSON(s.contentType):
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

// body is the body of one response while the JSON library reads it. Every pass over it is linear in its size, and there
// is a fixed number of passes.
type body struct {
	source
	// folded is what is read of it.
	folded
	// hider hides secrets in the names that records keep, or is nil.
	hider scan.Hider

	// latest is what the JSON library decoded last: raw, or what is left of it.
	latest []byte
	// ctx is asked for its error before every pass but the first: what has arrived in time is read once, however little
	// time is left.
	ctx    context.Context
	passes int
	// read counts the bytes that decoders went through, of all passes. Tests hold it against the size of the body.
	read int64
}

func newBody(ctx context.Context, contentType string, raw []byte) *body {
	from := newSource(contentType, raw)
	hider, _ := ctx.(scan.Hider)
	return &body{source: from, folded: folded{text: from.raw}, hider: hider, ctx: ctx}
}

// begin is called before every pass.
func (b *body) begin() error {
	b.passes++
	if b.passes > 1 {
		return b.ctx.Err()
	}
	return nil
}

// blank reports whether the body says nothing.
func (b *body) blank() bool { return len(bytes.TrimSpace(b.raw)) == 0 }

// admit refuses a body that is no JSON by its looks, and folds what is nested deeply.
func (b *body) admit() (err error) {
	if err = b.admitLooks(); err == nil {
		b.folded, err = fold(b.raw)
	}
	return err
}
