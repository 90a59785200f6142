// Package graphql is genqlient's client of the graph area. The rest of it is generated and not committed.
package graphql

// Imports of the generated code, so that go.mod is the same with and without it.
import _ "github.com/Khan/genqlient/graphql"
