package envelope

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// MaxDepth is the cap on nesting.
const MaxDepth = maxDepth

// WorkOfRead reads a body as Read does, and returns how many bytes its passes went through.
func WorkOfRead[T any](op *api.Operation, raw []byte) int64 {
	_, work, _ := read[T](context.Background(), op, "", raw)
	return work
}

// WorkOfReadGraph is that of ReadGraph.
func WorkOfReadGraph(variants Variants, into any, raw []byte) int64 {
	_, b, _ := readGraph(context.Background(), "", raw, variants, into)
	return b.read
}

// WorkOfExplain is that of what a failed response is asked: Explain, and GraphErrors.
func WorkOfExplain(raw []byte) int64 {
	words, errors := newBody(context.Background(), "", raw), newBody(context.Background(), "", raw)
	words.explain()
	errors.failedGraph()
	return words.read + errors.read
}

// WithoutRepeatsCounted takes the members out that later ones replace, and counts the bytes that were read.
// What is nested deeply is folded in unique, and there as it came in whole.
func WithoutRepeatsCounted(raw []byte) (unique, whole []byte, read int64, err error) {
	b := newBody(context.Background(), "", raw)
	if err := b.admit(); err != nil {
		return nil, nil, b.read, err
	}
	unique, err = b.withoutRepeats()
	whole, _ = b.whole(unique)
	return unique, whole, b.read, err
}

// Documented reads a body with the generated decoders, and reports whether they took it.
func Documented[T any](raw []byte, bare bool) (Content[T], bool) {
	content, _, ok := documented[T](newSource("", raw).raw, bare, nil)
	return content, ok
}

// Undocumented reads a body with the JSON library. The error is nil where there is a payload, and no error beside it.
func Undocumented[T any](raw []byte, bare bool) (Content[T], error) {
	b := newBody(context.Background(), "", raw)
	var err error
	if b.folded, err = fold(b.raw); err != nil {
		return Content[T]{}, err
	}
	content, it, err := undocumented[T](b, bare)
	if err == nil && (!it.data.present || it.data.null || it.failed) {
		err = &Malformed{Reason: NoData}
	}
	return content, err
}
