package graph

import _ "embed"

// Schema is the schema of the service, in the schema definition language, for generators such as genqlient. Its
// comments distinguish the contract from observed parts.
//
//go:embed schema.graphql
var Schema string
