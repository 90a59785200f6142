// Package api contains the operations of the admin and alerts areas, their requests, and decoders for their records,
// generated from the OpenAPI files. The records are in packages admin and alerts.
package api

// Operation is an operation of the service as its OpenAPI file defines it. The root package's Operation, which it is
// converted to, documents the fields.
type Operation struct {
	ID, Method, Path, Area, Tag, Source string
	Idempotent, Deprecated, Bearer      bool
	Paging, Response                    string
	Statuses                            []int
}

// The areas of the service.
const (
	AreaAdmin  = "admin"
	AreaAlerts = "alerts"
	AreaGraph  = "graph"
)

// The kinds of paging.
const (
	PagingNone   = "none"
	PagingOffset = "offset"
	PagingCursor = "cursor"
)

// The kinds of response. The first five are envelopes with the payload under "data". In the alerts area, the payload of
// ResponseMaybe is the whole body.
const (
	// ResponseData is a record. An operation that is not idempotent creates the record, and the response must contain its
	// id.
	ResponseData = "data"
	// ResponseList is an array. A null counts as an empty array.
	ResponseList = "list"
	// ResponsePage is a list with a pagination record.
	ResponsePage = "page"
	// ResponseCursor is a list with the cursor of the next page.
	ResponseCursor = "cursor"
	// ResponseMaybe is a record of the written object, or any other body that is not a failure. The write was executed in
	// both cases.
	ResponseMaybe = "maybe"
	// ResponseConfirm only reports whether something happened.
	ResponseConfirm = "confirm"
	// ResponseNone is a 204 without a body.
	ResponseNone = "none"
	// ResponseRecord is a record without an envelope.
	ResponseRecord = "record"
	// ResponseArray is an array without an envelope; some responses have an envelope (observed).
	ResponseArray = "array"
	// ResponseEmpty is a body without content in an area without envelopes. It may report a failure.
	ResponseEmpty = "empty"
)

// Areas maps each area with a table to its operations.
var Areas = map[string][]*Operation{AreaAdmin: Admin, AreaAlerts: Alerts}
