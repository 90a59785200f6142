package graph

import (
	"context"
	"errors"

	"github.com/Khan/genqlient/graphql"
)

// Query sends a query of the caller's own and decodes the data of its response, once, into a T. The variables are a map
// or a record, or nil; they are written by encoding/json. T may contain records of this package.
//
// Names of fields in T match exactly, capitals included. A field at the top of the data that the query asked for and
// that T has no member for is an error, and so is data without a field for any member of T. Further in, a field may be
// left out of T; one that differs from a member in capitals alone is an error as well. With the client's Graph service,
// that is a DecodeError with ReasonNoMember, and the data beside it is what was read.
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
