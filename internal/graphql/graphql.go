// Package graphql turns the body of a response of the graph area into data or into a typed failure, and reads the outline
// of GraphQL documents: the operations in one, and the fields that they ask for at the top.
package graphql

import (
	"context"
	"errors"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// graphContent is the body of a response of the graph area. It has a name because a body of another shape is reported
// with it.
type graphContent struct {
	Data   graphData      `json:"data"`
	Errors graphErrors    `json:"errors"`
	Error  jsontext.Value `json:"error"`
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
func readGraph(ctx context.Context, contentType string, raw []byte, variants Variants, into any) ([]GraphError, *reply.Body, error) {
	b := reply.NewBody(ctx, contentType, raw)
	if err := b.Admit(); err != nil {
		return nil, b, err
	}
	content := graphContent{Data: graphData{into: into}}
	err := b.Decode(&content, variants.unmarshalers(b, b.Text), variants.keepExtra)
	if err != nil {
		stated, err := graphFailure(b, b.Malformed(err))
		return stated, b, err
	}
	switch {
	case len(content.Errors) > 0:
		return content.Errors, b, nil
	case reply.IsFailure(content.Error):
		return nil, b, b.StatedError()
	case !content.Data.present:
		return nil, b, &reply.Malformed{Reason: reply.NoData}
	}
	return nil, b, nil
}

// graphFailure finds out what a body is whose data could not be decoded: a failure may carry data of any shape.
func graphFailure(b *reply.Body, fault error) ([]GraphError, error) {
	var malformed *reply.Malformed
	if !errors.As(fault, &malformed) || malformed.Reason != reply.Shape {
		return nil, fault
	}
	if stated, err := errorsOf(b); err != nil || len(stated) > 0 {
		return stated, err
	}
	if err := b.StatedError(); err != nil {
		return nil, err
	}
	return nil, fault
}

// GraphErrors returns the errors in the body of a failed response, or nil where it has none.
func GraphErrors(contentType string, raw []byte) []GraphError {
	return failedGraph(reply.NewBody(context.Background(), contentType, raw))
}

func failedGraph(b *reply.Body) []GraphError {
	if b.Admit() != nil {
		return nil
	}
	stated, _ := errorsOf(b)
	return stated
}

// errorsOf reads the errors of a body, and skips everything else.
func errorsOf(b *reply.Body) (stated graphErrors, err error) {
	err = Over(b, b.Text, func(in *Reading) { in.Field("errors", func() { stated.read(in) }) })
	if err != nil {
		return nil, err
	}
	return stated, nil
}

// KeepingExtra returns the variants with what they keep: the members that records have no field for. It takes one more
// pass over a body, which is for who asks for drift.
func (v Variants) KeepingExtra() Variants {
	v.keepExtra = true
	return v
}
