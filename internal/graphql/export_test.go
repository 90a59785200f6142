package graphql

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// WorkOfRead reads a body as Read does, and returns how many bytes the passes of the library went through.
func WorkOfRead(types Types, into any, raw []byte) int64 {
	_, _ = Read(context.Background(), "", raw, types, into)
	b := reply.NewBody(context.Background(), "", raw)
	_, _ = readWithLibrary(b, types, into)
	return b.Work
}

// WorkOfErrors is the work of Errors.
func WorkOfErrors(raw []byte) int64 {
	b := reply.NewBody(context.Background(), "", raw)
	if b.Admit() == nil {
		errorsIn(b.Errors())
	}
	return b.Work
}
