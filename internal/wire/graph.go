package wire

import (
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// graphQuery is a query for any chain: its document is before, the chain's name, and after. All chains have one type in
// the schema, so that what is valid for one is valid for all. A query about a wallet has the field that looks the wallet
// up behind between.
type graphQuery struct {
	operation              operation.Operation
	before, between, after string
}

// document returns the document for a chain and a wallet. A name of a wallet has a dot in it, and an address has none.
func (q *graphQuery) document(chain graph.Chain, wallet string) string {
	lookup := ""
	if q.between != "" {
		lookup = "walletByAddress(address: $wallet)"
		if strings.Contains(wallet, ".") {
			lookup = "walletByENS(ensName: $wallet)"
		}
	}
	return q.before + string(chain) + q.between + lookup + q.after
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

// on makes the request of the query for a chain and, where it is about one, a wallet. The chain can be changed until
// the request is sent.
func (q *graphQuery) on(chain graph.Chain, wallet string, variables any) Request {
	return Request{Operation: &q.operation, Chain: &chain, body: func(chain graph.Chain) (GraphBody, error) {
		if !IsName(string(chain)) { // What is no name does not become a part of the document.
			return GraphBody{}, errors.New("the chain must be a name in GraphQL")
		}
		return GraphBody{q.document(chain, wallet), variables, q.operation.ID}, nil
	}}
}

var syntaxOfNames = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// IsName reports whether a text is a name in GraphQL.
func IsName(text string) bool { return syntaxOfNames.MatchString(text) }

// How the data of responses is decoded, with the interfaces of package graph. In a list of the schema that may hold a
// null, and for a number that may be one, this library's own types have a place for it: a null must not pass for 0. Of
// callers' types nothing is known but their records of package graph.
var (
	OwnData = envelope.JoinVariants(
		GraphVariants.NotNull(func(reflect.Type) bool { return true }),
		envelope.NotNullOf[scalar.BigInt](), envelope.NotNullOf[int](), envelope.NotNullOf[float64](),
	)
	AnyData = GraphVariants.NotNull(func(element reflect.Type) bool { return element.PkgPath() == recordsPath })
)

var recordsPath = reflect.TypeFor[graph.Chain]().PkgPath()
