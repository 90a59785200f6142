package graphql

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// WorkOfRead reads a body as Read does, and returns how many bytes its passes went through.
func WorkOfRead(types Types, into any, raw []byte) int64 {
	_, work, _ := read(context.Background(), "", raw, types, into)
	return work
}

// WorkOfErrors is the work of Errors.
func WorkOfErrors(raw []byte) int64 {
	b := reply.NewBody(context.Background(), "", raw)
	failed(b)
	return b.Work
}
