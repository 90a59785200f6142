// Package wire is what only the library itself calls of the areas: for each operation a builder and a row in a table.
// They are generated, from the OpenAPI files and, for the graph area, from the schema and the queries. A builder makes
// a [Request], which says what a call puts on the wire; [Request.HTTP] makes the *http.Request of it. The records that
// travel are those of packages admin, alerts and graph; those of the graph area are decoded here as well.
package wire

import "github.com/rpcfleet/rpcfleet-go/internal/operation"

// Areas are the operations of each area.
var Areas = map[string][]*operation.Operation{operation.AreaAdmin: Admin, operation.AreaAlerts: Alerts}
