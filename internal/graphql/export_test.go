package graphql

import (
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// ListAt is a query for the list at a path.
func ListAt[N any](path ...string) *Query[*List[N]] {
	return &Query[*List[N]]{Row: &Row{path: path}, read: func(s *scan.Scanner, into **List[N]) {
		readList(s, into, func(s *scan.Scanner, node *N) { reply.ReadOwn(s, node) })
	}}
}
