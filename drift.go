package rpcfleet

import (
	"context"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/contract"
	"github.com/rpcfleet/rpcfleet-go/internal/transport"
)

// Drift is one way in which a response strayed from the contract. It shows no secret: of values it tells the kind, and
// the value itself only where the contract lists those that it may have.
type Drift struct {
	// Operation is the operation's name in the contract, Method and Path are its HTTP method and path template.
	Operation, Method, Path string
	// StatusCode is that of the response.
	StatusCode int
	// Kind is the way of straying.
	Kind DriftKind
	// Pointer is a JSON Pointer to the place in the body, such as /data/0/status. It is empty for the whole body and
	// for the status.
	Pointer string
	// Expected is what the contract says of the place, Found is what was there instead.
	Expected, Found string
}

// DriftKind is a way of straying from the contract.
type DriftKind string

// The ways in which a response can stray from the contract.
const (
	// DriftUnknownMember is a member that the contract does not have, or in the graph area one that was not asked for.
	// The record keeps it in its Extra.
	DriftUnknownMember = DriftKind(contract.UnknownMember)
	// DriftUnknownValue is a value that is not one of those that the contract lists.
	DriftUnknownValue = DriftKind(contract.UnknownValue)
	// DriftUnknownStatus is a status that the contract does not document for the operation.
	DriftUnknownStatus = DriftKind(contract.UnknownStatus)
	// DriftMissing is a member that the contract requires and that is not there. In the graph area that is all that was
	// asked for.
	DriftMissing = DriftKind(contract.Missing)
	// DriftNull is a null where the contract allows none. In the graph area, one in a list of a record or in the place of
	// a number is left out, as what cannot be read is; one that an error of the response is about is no drift.
	DriftNull = DriftKind(contract.Null)
	// DriftType is a value of another type than the contract says. It was read where nothing is lost by that, such as a
	// number for a text. An id, a listing, and what is in no record are not left out if they cannot be read: the call
	// fails then as it does without the option.
	DriftType = DriftKind(contract.Type)
	// DriftUnread is a value that cannot be read as what the contract says. It was left out of its record, whose Extra
	// keeps it: see [scalar.Extra.Unread].
	DriftUnread = DriftKind(contract.Unread)
	// DriftTruncated stands for all that comes after the first 100 drifts of a response. Found is their number.
	DriftTruncated = DriftKind("more")
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
		drift.Kind, drift.Pointer, drift.Expected, drift.Found = DriftTruncated, "", "", strconv.Itoa(found.More)
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
