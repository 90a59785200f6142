package envelope

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

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
	Error      flag          `json:"error"`
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

// flag reports whether an error field holds an error. Its words are read where it does.
type flag struct{ set bool }

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (f *flag) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err == nil {
		p := part{kind: value.Kind(), empty: hollow(value)}
		f.set = p.set()
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
	b := newBody(ctx, contentType, raw)
	b.read = scanned
	content, err := readWithLibrary[T](b, op)
	return content, b.read, err
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
func readWithLibrary[T any](b *body, op *api.Operation) (Content[T], error) {
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
func undocumented[T any](b *body, bare bool) (Content[T], found, error) {
	var e envelope[T]
	var into any = &e
	if bare {
		into = &e.Data
	}
	err := b.decode(into, nil)
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
	return content, found{data: e.Data.presence, failed: e.Error.set}, nil
}
