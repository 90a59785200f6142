package rpcfleet

import (
	"context"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/contract"
)

// Drift is one difference between a response and the contract. It contains no secrets: a value is described by its
// kind, and appears only if the contract lists the allowed values.
type Drift struct {
	// Operation is the operation's name in the contract; Method and Path are its HTTP method and path template.
	Operation, Method, Path string
	// StatusCode is the status code of the response.
	StatusCode int
	// Kind is the kind of difference.
	Kind DriftKind
	// Pointer is a JSON Pointer into the body, such as /data/0/status. It is empty for the whole body and for the status.
	Pointer string
	// Expected describes the contract at the pointer, Found the response.
	Expected, Found string
}

// DriftKind is a kind of difference between a response and the contract.
type DriftKind string

// The kinds of difference between a response and the contract.
const (
	// DriftUnknownMember is a field that is not in the contract, or in the graph area not in the query. The record keeps
	// it in its Extra.
	DriftUnknownMember = DriftKind(contract.UnknownMember)
	// DriftUnknownValue is a value that is not in the contract's list of values.
	DriftUnknownValue = DriftKind(contract.UnknownValue)
	// DriftUnknownStatus is a status that the contract does not document for the operation.
	DriftUnknownStatus = DriftKind(contract.UnknownStatus)
	// DriftMissing is a missing field that the contract requires. In the graph area every field of the query is required.
	DriftMissing = DriftKind(contract.Missing)
	// DriftNull is a null that the contract does not allow. In the graph area, a null in a record's list or for a number
	// is skipped like an unreadable value. A null that an error in the response explains is not drift.
	DriftNull = DriftKind(contract.Null)
	// DriftType is a value with another type than in the contract. It is decoded if nothing is lost, as for a number
	// instead of a string. If an id, a listing or a value outside a record cannot be decoded, it is not skipped: the call
	// fails as without the option.
	DriftType = DriftKind(contract.Type)
	// DriftUnread is a value that cannot be decoded as the contract's type. The record skips it and keeps it in its Extra:
	// see [scalar.Extra.Unread].
	DriftUnread = DriftKind(contract.Unread)
	// DriftTruncated stands for all differences of a response after the first 100. Found is their number.
	DriftTruncated = DriftKind("more")
)

// reportDrift reports the drift of the response, and replaces the response by a copy that can be decoded.
func (r *response) reportDrift(ctx context.Context, own bool) {
	var found contract.Report
	if r.op.Area == api.AreaGraph {
		found = contract.CheckGraph(r.op, own, r.Status, r.Body)
	} else {
		found = contract.Check(r.op, r.Status, r.Body)
	}
	drift := Drift{Operation: r.op.ID, Method: r.op.Method, Path: r.op.Path, StatusCode: r.Status}
	for _, d := range found.Drifts {
		drift.Kind, drift.Expected = DriftKind(d.Kind), d.Expected
		drift.Pointer, drift.Found = r.clean(d.Pointer), r.clean(d.Found)
		r.settings.drift(ctx, drift)
	}
	if found.More > 0 {
		drift.Kind, drift.Pointer, drift.Expected, drift.Found = DriftTruncated, "", "", strconv.Itoa(found.More)
		r.settings.drift(ctx, drift)
	}
	mended := *r.Response
	mended.Body = found.Body
	r.Response = &mended
}
