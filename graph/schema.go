package graph

import _ "embed"

// Schema is the schema of the service, in the schema definition language, for generators such as genqlient. Its
// comments say what of it is contract and what was only observed.
//
//go:embed schema.graphql
var Schema string
