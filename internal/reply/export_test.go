package reply

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// WorkOfRead reads a body as Read does, and returns how many bytes its passes went through.
func WorkOfRead[T any](op *api.Operation, raw []byte) int64 {
	_, work, _ := read[T](context.Background(), op, "", raw)
	return work
}

// WorkOfExplain is that of Explain.
func WorkOfExplain(raw []byte) int64 {
	b := NewBody(context.Background(), "", raw)
	b.explain()
	return b.Work
}

// WithoutRepeatsCounted takes the members out that later ones replace, and counts the bytes that were read.
// What is nested deeply is folded in unique, and there as it came in whole.
func WithoutRepeatsCounted(raw []byte) (unique, whole []byte, read int64, err error) {
	b := NewBody(context.Background(), "", raw)
	if err := b.Admit(); err != nil {
		return nil, nil, b.Work, err
	}
	unique, err = b.withoutRepeats()
	whole, _ = b.whole(unique)
	return unique, whole, b.Work, err
}

// Documented reads a body with the generated decoders, and reports whether they took it.
func Documented[T any](raw []byte, bare bool) (Content[T], bool) {
	content, _, ok := documented[T](newSource("", raw).raw, bare, nil)
	return content, ok
}

// Undocumented reads a body with the JSON library. The error is nil where there is a payload, and no error beside it.
func Undocumented[T any](raw []byte, bare bool) (Content[T], error) {
	b := NewBody(context.Background(), "", raw)
	if err := b.Fold(); err != nil {
		return Content[T]{}, err
	}
	content, it, err := undocumented[T](b, bare)
	if err == nil && (!it.data.present || it.data.null || it.failed) {
		err = &Malformed{Reason: NoData}
	}
	return content, err
}
