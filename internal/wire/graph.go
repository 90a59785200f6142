package wire

import (
	"errors"
	"regexp"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
)

// document is a query for any chain: what stands before the chain's name, and what stands after it. All chains have one
// type in the schema, so that what is valid for one is valid for all.
type document struct{ before, after string }

// GraphBody is the body of a request of the graph area.
type GraphBody struct {
	Query         string `json:"query"`
	Variables     any    `json:"variables,omitzero"`
	OperationName string `json:"operationName,omitzero"`
}

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

var name = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// IsName reports whether a text is a name in GraphQL.
func IsName(text string) bool { return name.MatchString(text) }

// onChain makes the request of a query. What is no name does not become a part of the document.
func onChain(op *operation.Operation, chain graph.Chain, of document, variables any) Request {
	request := Request{Operation: op, Chain: &chain}
	if !IsName(string(chain)) {
		request.Query.err = errors.New("the chain must be a name in GraphQL")
		return request
	}
	request.Body = GraphBody{of.before + string(chain) + of.after, variables, op.ID}
	return request
}
