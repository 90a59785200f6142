package wire

import (
	"errors"
	"net/http"
	"regexp"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// graphQuery is a query for any chain: its document is before, the chain's name, and after. All chains have one type in
// the schema, so that what is valid for one is valid for all.
type graphQuery struct {
	operation     operation.Operation
	before, after string
}

// row is the row of a query in the table of operations.
func row(id, source, paging string) operation.Operation {
	return operation.Operation{
		ID: id, Method: http.MethodPost, Path: "/graphql", Area: operation.AreaGraph, Tag: "Graph", Source: source,
		Idempotent: true, Paging: paging, Response: operation.ResponseData, Statuses: []int{http.StatusOK, http.StatusBadRequest},
	}
}

// Graph lists the queries of the graph area.
var Graph = rows()

func rows() []*operation.Operation {
	var all []*operation.Operation
	for _, q := range queries {
		all = append(all, &q.operation)
	}
	return all
}

// GraphBody is the body of a request of the graph area.
type GraphBody struct {
	Query         string `json:"query"`
	Variables     any    `json:"variables,omitzero"`
	OperationName string `json:"operationName,omitzero"`
}

// on makes the request of the query for a chain. What is no name does not become a part of the document.
func (q *graphQuery) on(chain graph.Chain, variables any) Request {
	request := Request{Operation: &q.operation, Chain: &chain}
	if !IsName(string(chain)) {
		request.Query.err = errors.New("the chain must be a name in GraphQL")
		return request
	}
	request.Body = GraphBody{q.before + string(chain) + q.after, variables, q.operation.ID}
	return request
}

var syntaxOfNames = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// IsName reports whether a text is a name in GraphQL.
func IsName(text string) bool { return syntaxOfNames.MatchString(text) }

// List is a page of a connection. A service may leave a null in the place of a node.
type List[N any] struct {
	Edges []struct {
		Cursor string `json:"cursor"`
		Node   *N     `json:"node"`
	} `json:"edges"`
	PageInfo struct {
		HasNextPage bool    `json:"hasNextPage"`
		EndCursor   *string `json:"endCursor"`
	} `json:"pageInfo"`
	TotalCount *int `json:"totalCount"`
}
