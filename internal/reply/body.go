package reply

import (
	"bytes"
	"context"
	"strings"

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
