package rpcfleet

import (
	"context"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/contract"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// driftTeller holds the responses to an operation against the contract.
type driftTeller struct {
	op    *api.Operation
	own   bool // The operation is a query of the caller's own.
	tell  func(context.Context, Drift)
	clean func(string) string // Takes secrets out of a text.
}

// read tells of the drift in a response, and returns what of it can be read. The response itself stays as it is.
func (t driftTeller) read(ctx context.Context, response *transport.Response) *transport.Response {
	found := t.check(response)
	drift := Drift{Operation: t.op.ID, Method: t.op.Method, Path: t.op.Path, StatusCode: response.Status}
	for _, d := range found.Drifts {
		drift.Kind, drift.Expected = DriftKind(d.Kind), d.Expected
		drift.Pointer, drift.Found = t.clean(d.Pointer), t.clean(d.Found)
		t.tell(ctx, drift)
	}
	if found.More > 0 {
		drift.Kind, drift.Pointer, drift.Expected, drift.Found = DriftMore, "", "", strconv.Itoa(found.More)
		t.tell(ctx, drift)
	}
	mended := *response
	mended.Body = found.Body
	return &mended
}

func (t driftTeller) check(response *transport.Response) contract.Report {
	if t.op.Area == api.AreaGraph {
		return contract.CheckGraph(t.op, t.own, response.Status, response.Body)
	}
	return contract.Check(t.op, response.Status, response.Body)
}
