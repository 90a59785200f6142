package graph

import (
	"context"
	"errors"

	"github.com/Khan/genqlient/graphql"
)

// Query sends the caller's query and decodes the data of the response, once, into a T. The variables are a map, a
// record or nil, and are encoded by encoding/json. T may contain records of this package. Field names in T match as in
// encoding/json: case-insensitively, and unknown fields are ignored.
//
// If the response has both data and errors, Query returns both. If the query requests a field that does not exist, the
// field is null in the data, which is not an error.
//
// If a document contains only queries, it is retried like a read. With a mutation, or if it cannot be read to its end,
// it is not. An error contains the name of the document's first operation, or "query" if it has no name. If a document
// has several operations, use MakeRequest and set OpName.
func Query[T any](ctx context.Context, client graphql.Client, query string, variables any) (T, error) {
	var data T
	if client == nil {
		return data, errors.New("graph: the client must not be nil")
	}
	err := client.MakeRequest(ctx, &graphql.Request{Query: query, Variables: variables}, &graphql.Response{Data: &data})
	return data, err
}
