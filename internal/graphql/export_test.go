package graphql

import (
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// WorkOfRead reads a body as Read does, and returns how many bytes the passes went through.
func WorkOfRead(into any, raw []byte) int64 {
	b := reply.NewBody("", raw, nil)
	_, _ = read(b, into)
	return b.Work
}

// WorkOfErrors is the work of Errors.
func WorkOfErrors(raw []byte) int64 {
	b := reply.NewBody("", raw, nil)
	errorsOf(b)
	return b.Work
}
