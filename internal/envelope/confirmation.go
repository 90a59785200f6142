package envelope

import (
	"context"
	"strings"
)

// Failure is a failure that the service states in an otherwise good response.
type Failure struct {
	Message string
}

// Error gives the service's own words, or says that there are none.
func (r *Failure) Error() string {
	if r.Message == "" {
		return "the service gave no reason"
	}
	return r.Message
}

// confirmation reads a response that only says whether something happened. An empty body, an empty object and data of
// any other shape say that it did; a stated failure, or false, in data or in a success or result field, say that it did
// not.
func (b *body) confirmation() error {
	if b.blank() {
		return nil
	}
	if err := b.admit(); err != nil {
		return err
	}
	top, err := b.walk(nil)
	if err != nil {
		return b.malformed(err)
	}
	return statedFailure(top)
}

// statedFailure returns the failure that a body states, or nil.
func statedFailure(top part) error {
	if top.kind == 'f' || top.inner != nil && top.inner.failed() {
		return &Failure{top.words}
	}
	return nil
}

// emptyBody reads a response whose body is of no interest. All the same, a page of a gateway is no response of the
// service, and a stated failure is one at any status.
func (b *body) emptyBody() error {
	if b.blank() {
		return nil
	}
	if err := b.admit(); err != nil {
		return err
	}
	if top, err := b.walk(nil); err == nil && top.inner != nil {
		return statedFailure(top)
	}
	return nil
}

// Explain returns the words of a failed response, whatever its form: the envelope's error, another JSON spelling, or
// plain text. It is empty for an HTML page and where there are no words.
func Explain(contentType string, raw []byte) string {
	return newBody(context.Background(), contentType, raw).explain()
}

func (b *body) explain() string {
	const longest = 500
	if b.admit() != nil {
		return ""
	}
	if top, err := b.walk(nil); err == nil {
		return top.words
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.raw), "\uFFFD"))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return "" // JSON that is cut short explains nothing.
	}
	return shorten(text, longest)
}
