// Package graphql is genqlient's client of the graph area. Everything else in it is generated, and not committed.
package graphql

// What the generated file imports, so that go.mod is the same with and without it.
import _ "github.com/Khan/genqlient/graphql"
