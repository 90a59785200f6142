package graphql

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// WorkOfRead reads a body as ReadGraph does, and returns how many bytes its passes went through.
func WorkOfRead(variants Variants, into any, raw []byte) int64 {
	_, b, _ := readGraph(context.Background(), "", raw, variants, into)
	return b.Work
}

// WorkOfErrors is that of GraphErrors.
func WorkOfErrors(raw []byte) int64 {
	b := reply.NewBody(context.Background(), "", raw)
	failedGraph(b)
	return b.Work
}
