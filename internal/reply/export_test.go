package reply

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// WorkOfRead reads a body like Read, and returns the number of bytes in the passes after the generated decoders.
func WorkOfRead[T any](op *api.Operation, raw []byte) int64 {
	_, _ = Read[T](context.Background(), op, "", raw)
	b := NewBody(context.Background(), "", raw)
	_, _ = readUndocumented[T](b, op)
	return b.Work
}

// Explain returns the text of the body of a failed response.
func Explain(contentType string, raw []byte) string {
	return NewBody(context.Background(), contentType, raw).Explain()
}

// WorkOfExplain returns the work that Explain does.
func WorkOfExplain(raw []byte) int64 {
	b := NewBody(context.Background(), "", raw)
	b.Explain()
	return b.Work
}

// Documented reads a body with the generated decoders, and reports whether they took it.
func Documented[T any](raw []byte, bare bool) (Content[T], bool) {
	return decodeFast[T](raw, bare, nil)
}

// Undocumented reads a body with the JSON library. The error is nil if there is a payload, and no error beside it.
func Undocumented[T any](raw []byte, bare bool) (Content[T], error) {
	b := NewBody(context.Background(), "", raw)
	top, err := b.failureInfo()
	if err != nil {
		return Content[T]{}, err
	}
	if kind := top.payload(bare).Kind(); kind == 0 || kind == 'n' || !bare && IsFailure(top.Error) {
		return Content[T]{}, &Malformed{Reason: NoData}
	}
	return decode[T](b, bare)
}
