package reply

import (
	"bytes"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Body is the body of a response. The number of passes over it is fixed, and each is linear in its size.
type Body struct {
	contentType string
	text        []byte
	hider       scan.Hider
	// Work counts the bytes that decoders scanned in all passes. Tests compare it with the size of the body.
	Work int64
}

// NewBody returns the body of a response without a byte order mark, which has no meaning in UTF-8. The hider may be nil.
func NewBody(contentType string, raw []byte, hider scan.Hider) *Body {
	return &Body{contentType: contentType, text: bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), hider: hider}
}

// Admit rejects a body that does not look like JSON, for a better error than about its first byte.
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

// Scanner returns a Scanner of the body, for one pass. Call Finish after it.
func (b *Body) Scanner() *scan.Scanner {
	s := b.scan(b.text)
	s.Hider = b.hider
	return s
}

// scan returns a Scanner of a part of the body.
func (b *Body) scan(part []byte) *scan.Scanner {
	b.Work += int64(len(part))
	return scan.New(part)
}

// Finish releases a Scanner of the body. If the Scanner failed, the error is a *Malformed.
func (b *Body) Finish(s *scan.Scanner) error {
	defer s.Release()
	if s.End() {
		return nil
	}
	if s.Fault.Reason != scan.Large {
		if invalid := b.invalid(); invalid != nil {
			return invalid
		}
	}
	return Describe(b.text, s.Fault)
}
