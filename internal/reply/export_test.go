package reply

import (
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// WorkOfRead reads a body like Read, and returns the number of bytes in its passes.
func WorkOfRead(op *api.Operation, raw []byte, into Payload) int64 {
	b := NewBody("", raw, nil)
	_, _ = read(b, op, into)
	return b.Work
}

// Explain returns the text of the body of a failed response.
func Explain(contentType string, raw []byte) string {
	return NewBody(contentType, raw, nil).Explain()
}

// WorkOfExplain returns the work that Explain does.
func WorkOfExplain(raw []byte) int64 {
	b := NewBody("", raw, nil)
	b.Explain()
	return b.Work
}

// Cut returns a text without values that are too deep.
func Cut(text []byte) []byte { return cut(text, scan.MaxDepth) }
