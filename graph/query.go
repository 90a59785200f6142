package graph

import (
	"context"
	"errors"

	"github.com/Khan/genqlient/graphql"
)

// Query sends a query of the caller's own and decodes the data of its response, once, into a T. The variables are a map
// or a record, or nil; they are written by encoding/json. T may contain records of this package.
//
// Names of fields in T match as encoding/json matches them: in any case, and what T has no field for is left out.
//
// Where the response has errors beside data, both the data and the error are returned. A field that the query asks for
// and that does not exist is null in the data, which is no error.
//
// A document of queries only is repeated like a read where an attempt fails; one with a mutation in it is not. An error
// carries the name of the first operation of the document, or "query" where it has none. A document with several
// operations goes through MakeRequest, with OpName set.
func Query[T any](ctx context.Context, client graphql.Client, query string, variables any) (T, error) {
	var data T
	if client == nil {
		return data, errors.New("graph: the client must not be nil")
	}
	err := client.MakeRequest(ctx, &graphql.Request{Query: query, Variables: variables}, &graphql.Response{Data: &data})
	return data, err
}
