package envelope

import (
	"context"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// graphContent is the body of a response of the graph area. It has a name because a body of another shape is reported
// with it.
type graphContent struct {
	Data   graphData   `json:"data"`
	Errors graphErrors `json:"errors"`
	Error  flag        `json:"error"`
}

// graphData decodes the data of a response into the record that it points to.
type graphData struct {
	into    any
	present bool
}

// UnmarshalJSONFrom implements the JSON library's streaming interface.
func (d *graphData) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	reflect.ValueOf(d.into).Elem().SetZero() // A body that repeats a name is decoded a second time.
	d.present = dec.PeekKind() != 'n'
	if !d.present {
		return dec.SkipValue()
	}
	return json.UnmarshalDecode(dec, d.into)
}

// ReadGraph decodes the body of a response of the graph area with a success status into the record that into points to.
// Errors may stand beside data, of which then parts are missing. An error of its own is one of those that Read returns.
func ReadGraph(ctx context.Context, contentType string, raw []byte, variants Variants, into any) ([]GraphError, error) {
	stated, _, err := readGraph(ctx, contentType, raw, variants, into)
	return stated, err
}

// readGraph is ReadGraph, and returns the body with its account of the passes.
func readGraph(ctx context.Context, contentType string, raw []byte, variants Variants, into any) ([]GraphError, *body, error) {
	b := newBody(ctx, contentType, raw)
	if err := b.admit(); err != nil {
		return nil, b, err
	}
	content := graphContent{Data: graphData{into: into}}
	err := b.decode(&content, func(raw []byte) *json.Unmarshalers { return variants.unmarshalers(b, raw) })
	switch {
	case err != nil:
		stated, err := b.graphFailure(b.malformed(err))
		return stated, b, err
	case variants.keepExtra && content.Data.present:
		if err := b.keepGraphExtra(into); err != nil {
			return nil, b, err
		}
	}
	switch {
	case len(content.Errors) > 0:
		return content.Errors, b, nil
	case content.Error.set:
		return nil, b, b.stated()
	case !content.Data.present:
		return nil, b, &Malformed{Reason: NoData}
	}
	return nil, b, nil
}

// graphFailure finds out what a body is whose data could not be decoded: a failure may carry data of any shape.
func (b *body) graphFailure(fault error) ([]GraphError, error) {
	var malformed *Malformed
	if !errors.As(fault, &malformed) || malformed.Reason != Shape {
		return nil, fault
	}
	if stated, err := b.graphErrors(); err != nil || len(stated) > 0 {
		return stated, err
	}
	top, err := b.walk(nil)
	if err != nil {
		return nil, err
	}
	if top.inner != nil && top.inner.err.set() {
		return nil, &Failure{top.words}
	}
	return nil, fault
}

// GraphErrors returns the errors in the body of a failed response, or nil where it has none.
func GraphErrors(contentType string, raw []byte) []GraphError {
	return newBody(context.Background(), contentType, raw).failedGraph()
}

func (b *body) failedGraph() []GraphError {
	if b.admit() != nil {
		return nil
	}
	stated, _ := b.graphErrors()
	return stated
}

// graphErrors reads the errors of a body, and skips everything else.
func (b *body) graphErrors() (stated graphErrors, err error) {
	err = b.over(b.text, func(in *reading) { in.field("errors", func() { stated.read(in) }) })
	if err != nil {
		return nil, err
	}
	return stated, nil
}
