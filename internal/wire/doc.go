// Package wire is what only the library itself calls: the request builders and the tables of operations, generated from
// the OpenAPI files, and for the graph area from the schema and the queries. A builder says what a call puts on the wire;
// Request.HTTP makes the *http.Request of it.
package wire

import "github.com/rpcfleet/rpcfleet-go/internal/operation"

// Areas are the operations of each area.
var Areas = map[string][]*operation.Operation{operation.AreaAdmin: Admin, operation.AreaAlerts: Alerts}
