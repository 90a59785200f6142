// Package api is what the library knows of the areas, generated from the OpenAPI files: for each operation a row in a
// table, a builder of its request, and for each record that responses contain a decoder. A [Request] says what a call
// puts on the wire. The records that travel are those of packages admin and alerts. Decoders read what has the
// documented shape; package scan says what becomes of the rest.
package api

// Operation is one operation of the service, as its OpenAPI file states it. The root package's Operation, which it is
// converted to, describes the fields.
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

// The kinds of response. The first five are envelopes with the payload under "data"; in the alerts area, the payload of
// ResponseMaybe is the whole body.
const (
	// ResponseData is a record. An operation that is not idempotent creates it, and promises its id.
	ResponseData = "data"
	// ResponseList is an array; null stands for an empty one.
	ResponseList = "list"
	// ResponsePage is a list with a pagination record.
	ResponsePage = "page"
	// ResponseCursor is a list with the cursor of the next page.
	ResponseCursor = "cursor"
	// ResponseMaybe is a record of what was written, or anything else that is no failure. A write was carried out all
	// the same.
	ResponseMaybe = "maybe"
	// ResponseConfirm says only whether something happened.
	ResponseConfirm = "confirm"
	// ResponseNone is a 204 without a body.
	ResponseNone = "none"
	// ResponseRecord is a record without an envelope.
	ResponseRecord = "record"
	// ResponseArray is an array without an envelope, or in one all the same (observed).
	ResponseArray = "array"
	// ResponseEmpty is a body of an area without envelopes that says nothing, unless it states a failure.
	ResponseEmpty = "empty"
)

// Areas are the operations of the areas that have tables.
var Areas = map[string][]*Operation{AreaAdmin: Admin, AreaAlerts: Alerts}
