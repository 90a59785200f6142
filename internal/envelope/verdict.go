package envelope

import (
	"context"
	"strings"
)

// Refusal is a failure that the service states in an otherwise good response.
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

// verdict reads a response that only says whether something happened. An empty body, an empty object and data of any
// other shape say that it did; a stated failure, or false, in data or in a success or result field, say that it did not.
func (b *body) verdict() error {
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
	return refusal(top)
}

// refusal returns the failure that a body states, or nil.
func refusal(top part) error {
	if top.kind == 'f' || top.inner != nil && top.inner.failed() {
		return &Refusal{top.words}
	}
	return nil
}

// silence reads a response whose body is of no interest. All the same, a page of a gateway is no response of the
// service, and a stated failure is one at any status.
func (b *body) silence() error {
	if b.blank() {
		return nil
	}
	if err := b.admit(); err != nil {
		return err
	}
	if top, err := b.walk(nil); err == nil && top.inner != nil {
		return refusal(top)
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
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.raw[:min(len(b.raw), 4*longest)]), "\uFFFD"))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return "" // JSON that is cut short explains nothing.
	}
	return shorten(text, longest)
}
