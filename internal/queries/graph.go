// Package queries is what only the library calls of the graph area: for each of its queries a builder, the data of the
// response and a row in a table, generated from the schema and the queries. The records that travel are those of package
// graph.
package queries

import (
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// graphQuery is a query for any chain: its document is before, the chain's name, and after. All chains have one type in
// the schema, so that what is valid for one is valid for all. A query about a wallet has the field that looks the wallet
// up behind between.
type graphQuery struct {
	operation              api.Operation
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
func row(id, source, paging string) api.Operation {
	return api.Operation{
		ID: id, Method: http.MethodPost, Path: "/graphql", Area: api.AreaGraph, Tag: "Graph", Source: source,
		Idempotent: true, Paging: paging, Response: api.ResponseData, Statuses: []int{http.StatusOK, http.StatusBadRequest},
	}
}

// Graph lists the queries of the graph area.
var Graph = rows()

func rows() []*api.Operation {
	var all []*api.Operation
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

// To makes the request of an operation that has the body.
func (b GraphBody) To(op *api.Operation) api.Request {
	request := api.NewRequest(op)
	request.Body = b
	return request
}

// Request is a query of this library that is put to a chain. The chain can be changed until At makes what is sent.
type Request struct {
	Chain     graph.Chain
	query     *graphQuery
	wallet    string
	variables any
}

// Operation returns the row of the query in the table of operations.
func (r Request) Operation() *api.Operation { return &r.query.operation }

// At makes what is sent of a query, to the path of the area. The chain becomes a part of the document: the caller has
// refused what is no name.
func (r Request) At(path string) api.Request {
	op := r.query.operation
	op.Path = path
	return GraphBody{r.query.document(r.Chain, r.wallet), r.variables, op.ID}.To(&op)
}

// on makes the request of the query for a chain and, if it is about one, a wallet.
func (q *graphQuery) on(chain graph.Chain, wallet string, variables any) Request {
	return Request{chain, q, wallet, variables}
}

var syntaxOfNames = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// IsName reports whether a text is a name in GraphQL.
func IsName(text string) bool { return syntaxOfNames.MatchString(text) }

// How the data of responses is decoded, with the interfaces of package graph. In a list of the schema that may hold a
// null, and for a number that may be one, this library's own types have a place for it: a null must not pass for 0. Of
// callers' types nothing is known but their records of package graph.
var (
	OwnData = graphql.JoinVariants(
		GraphVariants.NotNull(func(reflect.Type) bool { return true }),
		graphql.NotNullOf[scalar.BigInt](), graphql.NotNullOf[int](), graphql.NotNullOf[float64](),
	)
	AnyData = GraphVariants.NotNull(func(element reflect.Type) bool { return element.PkgPath() == recordsPath })
)

var recordsPath = reflect.TypeFor[graph.Chain]().PkgPath()
