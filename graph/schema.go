package graph

import _ "embed"

// Schema is the part of the service's schema that the queries of this package need, in the schema definition language.
// Its comments say what of it is contract and what was only observed.
//
//go:embed schema.graphql
var Schema string
