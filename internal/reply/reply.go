// Package reply turns the body of a response into data or into a typed failure. With package graphql, which does so for
// the graph area, it is the one place that decodes bodies.
//
// Reading is liberal in what the service may change any day (unknown fields, nulls, absences, a repeated name, invalid
// UTF-8, a number for a text and a text for a number where nothing is lost) and strict in what would lose something: a
// body that is cut short, is no JSON, or goes on after its value.
//
// Reading is linear in the size of the body, in time and in memory, whatever its shape. A body of the documented shape
// is decoded once. Any other is looked through once more for repeated names and decoded once more; a failure takes one
// pass for its words. Between two passes the context of the call is asked. What is nested more than 100 deep is not read,
// but skipped or handed out as it came.
package reply

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

var (
	liberal = json.JoinOptions(jsontext.AllowInvalidUTF8(true))
	// forgiving is for what is left of a body without its repeated names.
	forgiving = json.JoinOptions(liberal, jsontext.AllowDuplicateNames(true))
)

// Decode decodes the body into the value that into points to. The first pass takes it for what is documented, refuses
// repeated names, because the library would merge the values where the last must win, and pays for nothing else. Where
// that fails for a reason other than the syntax, the members that later ones replace are taken out, and what is left is
// decoded with all that is forgiven; no name is left to look for a second time. A value of an unexpected shape may be
// one of those that are replaced.
//
// Interfaces are the unmarshalers for a body, or nil where there are none.
func (b *Body) Decode(into any, interfaces func(raw []byte) *json.Unmarshalers) error {
	if interfaces == nil {
		interfaces = func([]byte) *json.Unmarshalers { return nil }
	}
	err := b.pass(b.Text, into, interfaces(b.Text), liberal)
	var shape *json.SemanticError
	if !errors.Is(err, jsontext.ErrDuplicateName) && !errors.As(err, &shape) {
		return err
	}
	unique, err := b.withoutRepeats()
	if err != nil {
		return err
	}
	return b.pass(unique, into, json.JoinUnmarshalers(interfaces(unique), slips), forgiving)
}

// pass decodes raw, which is the body or what is left of it.
func (b *Body) pass(raw []byte, into any, unmarshalers *json.Unmarshalers, options json.Options) error {
	if err := b.begin(); err != nil {
		return err
	}
	b.Work += int64(len(raw))
	b.Latest = raw
	unmarshalers = json.JoinUnmarshalers(skipExtra, b.unmarshalers(raw), unmarshalers)
	return json.Unmarshal(raw, into, options, json.WithUnmarshalers(unmarshalers))
}

// Page is the paging record of a listing. What the service leaves out is nil: a total of zero would end the listing.
type Page struct {
	Total *int `json:"total"`
	Limit *int `json:"limit"`
}

// Content is what a successful body holds.
type Content[T any] struct {
	// Data is the payload. It is the zero value where the kind of response allows its absence.
	Data T
	// Page is nil unless the response carries a paging record.
	Page *Page
	// NextAt is the cursor of the next page, or empty at the end.
	NextAt string
	// NoRecord is set where the service carried a write out and sent no record of what it wrote.
	NoRecord bool
}

// envelope is a body with a typed payload.
type envelope[T any] struct {
	Data       payload[T]    `json:"data"`
	Error      Flag          `json:"error"`
	Pagination payload[Page] `json:"pagination"`
	PageInfo   pageInfo      `json:"pageInfo"`
	NextAt     *string       `json:"next_at"`
}

// pageInfo is the paging record beside some listings of areas without envelopes (observed). Its limit is worth having;
// what else it is must not lose the listing.
type pageInfo struct{ *Page }

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (p *pageInfo) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	var page struct {
		Limit *int `json:"limit"`
	}
	p.Page = nil
	if json.Unmarshal(value, &page, dec.Options()) == nil && page.Limit != nil {
		p.Page = &Page{Limit: page.Limit}
	}
	return nil
}

// payload tells an absent value, a null, and a value apart, and decodes the value in the same pass. Nothing is left in
// it of a value that was decoded before: a body that repeats a name is decoded twice.
type payload[T any] struct {
	presence
	value T
}

// presence tells in which way a value is not there.
type presence struct{ present, null bool }

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (p *payload[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*p = payload[T]{presence: presence{present: true}}
	if dec.PeekKind() == 'n' {
		p.null = true
		return dec.SkipValue()
	}
	return json.UnmarshalDecode(dec, &p.value)
}

// Flag reports whether an error field holds an error. Its words are read where it does.
type Flag struct{ Set bool }

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (f *Flag) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err == nil {
		p := part{kind: value.Kind(), empty: hollow(value)}
		f.Set = p.set()
	}
	return err
}

// Read decodes the body of a response to the operation with a success status. The error is a *Failure, a *Malformed, or
// that of the context, which is asked between two passes over the body. A context that is a scan.Hider hides secrets in
// the names that records keep.
func Read[T any](ctx context.Context, op *api.Operation, contentType string, raw []byte) (Content[T], error) {
	content, _, err := read[T](ctx, op, contentType, raw)
	return content, err
}

// read is Read, and returns how many bytes its passes went through.
func read[T any](ctx context.Context, op *api.Operation, contentType string, raw []byte) (Content[T], int64, error) {
	var scanned int64
	if promised(op.Response) {
		hider, _ := ctx.(scan.Hider)
		content, n, ok := documentedPromise[T](newSource(contentType, raw), op, hider)
		if ok {
			return content, n, nil
		}
		scanned = n
	}
	b := NewBody(ctx, contentType, raw)
	b.Work = scanned
	content, err := readWithLibrary[T](b, op)
	return content, b.Work, err
}

// promised reports whether a kind of response has to bring something.
func promised(kind string) bool {
	switch kind {
	case api.ResponseEmpty, api.ResponseConfirm, api.ResponseNone, api.ResponseMaybe:
		return false
	}
	return true
}

// readWithLibrary reads a body of which it is not known yet that it is as documented.
func readWithLibrary[T any](b *Body, op *api.Operation) (Content[T], error) {
	switch op.Response {
	case api.ResponseEmpty:
		return Content[T]{}, b.emptyBody()
	case api.ResponseConfirm, api.ResponseNone: // A failure can come where nothing was to come at all.
		return Content[T]{}, b.confirmation()
	case api.ResponseMaybe:
		return readMaybe[T](b, op.Area == api.AreaAlerts)
	}
	return readPromised[T](b, op)
}

// found tells of what was decoded whether there is a payload, and whether an error stands beside it.
type found struct {
	data   presence
	failed bool
}

// undocumented decodes a body with the JSON library.
func undocumented[T any](b *Body, bare bool) (Content[T], found, error) {
	var e envelope[T]
	var into any = &e
	if bare {
		into = &e.Data
	}
	err := b.Decode(into, nil)
	if err != nil {
		return Content[T]{}, found{}, err
	}
	content := Content[T]{Data: e.Data.value, Page: e.PageInfo.Page}
	if err := keepExtra(b, bare, &content.Data); err != nil {
		return Content[T]{}, found{}, err
	}
	if e.Pagination.present && !e.Pagination.null {
		content.Page = &e.Pagination.value
	}
	if e.NextAt != nil {
		content.NextAt = *e.NextAt
	}
	return content, found{data: e.Data.presence, failed: e.Error.Set}, nil
}
