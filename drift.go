package rpcfleet

import (
	"context"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/contract"
)

// Drift is a difference of a response from the contract, without secrets.
type Drift struct {
	Operation, Method, Path string
	StatusCode              int
	Kind                    DriftKind
	Pointer                 string // A JSON Pointer into the body, such as /data/0/status, or empty for all of it.
	Expected, Found         string // Expected describes the contract at the pointer, Found the response.
}

// DriftKind is a kind of difference between a response and the contract.
type DriftKind string

// The kinds of difference from the contract, or, in the graph area, the query.
const (
	DriftUnknownField  = DriftKind(contract.UnknownField) // A field that is not in the contract: see Extra.
	DriftUnknownValue  = DriftKind(contract.UnknownValue)
	DriftUnknownStatus = DriftKind(contract.UnknownStatus)
	DriftMissing       = DriftKind(contract.Missing) // A missing field that is required.
	DriftNull          = DriftKind(contract.Null)    // A null that is not allowed.
	DriftType          = DriftKind(contract.Type)    // Another type, decoded if nothing is lost.
	DriftUnread        = DriftKind(contract.Unread)  // A value that cannot be decoded, kept in Extra.
	DriftTruncated     = DriftKind("more")           // All differences after the first 100. Found is their number.
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
