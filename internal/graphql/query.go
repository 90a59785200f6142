package graphql

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// Variables are the variables of a query of this library with a result of type T.
type Variables[T any] interface {
	// Query returns the query, with room for its result.
	Query() *Query[T]
}

// Row is a row of the generated table of queries.
type Row struct {
	Operation *api.Operation
	document  string
	// path are the names that lead to the result in the data of a response.
	path []string
	// types are the types that have the result, or nil if all types of its object have it.
	types []string
	// nullable is set if a null is a result, provided that its object exists.
	nullable bool
}

// Document returns the query on a chain. All chains have the same type in the schema, so a document is valid for all of
// them. The caller has checked that the chain is a valid name. A wallet is looked up by name if it is a name, which has
// a dot; addresses have none.
func (r *Row) Document(chain graph.Chain, wallet string) string {
	document := strings.Replace(r.document, "chain: "+string(graph.ChainEthereum)+" ", "chain: "+string(chain)+" ", 1)
	if strings.Contains(wallet, ".") {
		return strings.Replace(document, "walletByAddress(address: $wallet)", "walletByENS(ensName: $wallet)", 1)
	}
	return document
}

// Query is a query for a T, and its result: the value at a path in the data of a response. Everything beside the path
// is skipped, and a null on the path ends it.
type Query[T any] struct {
	*Row
	// wallet is the wallet that the query is about, or empty.
	wallet string
	read   func(*scan.Scanner, *T)
	// single is the name of a field with a single record, which some types have in place of a list.
	single     string
	readSingle func(*scan.Scanner, *T)

	value T
	// depth is the number of steps on the path that exist, and typename the type of the last object.
	depth    int
	typename string
}

// Request returns the request of the query.
func (q *Query[T]) Request(variables any, chain graph.Chain) api.Request {
	return GraphBody{q.Document(chain, q.wallet), variables, q.Operation.ID}.To(q.Operation)
}

// Read reads the data of a response, which replaces data that was read before.
func (q *Query[T]) Read(s *scan.Scanner) {
	q.value, q.depth, q.typename = *new(T), 0, ""
	q.readAt(s, 0)
}

// readAt reads the value after a number of steps on the path.
func (q *Query[T]) readAt(s *scan.Scanner, step int) {
	if s.Null() {
		q.value, q.depth = *new(T), step-1
		return
	}
	if q.depth = max(q.depth, step); step == len(q.path) {
		q.read(s, &q.value)
		return
	}
	for s.Open('{'); s.Member(); {
		switch {
		case string(s.Name) == q.path[step]:
			q.readAt(s, step+1)
		case step == len(q.path)-1 && q.readSingle != nil && string(s.Name) == q.single:
			q.depth = len(q.path)
			q.readSingle(s, &q.value)
		case string(s.Name) == "__typename":
			api.ReadText(s, &q.typename)
		default:
			s.Skip()
		}
	}
}

// malformed returns the error for a value of the wrong shape.
func malformed(format string, args ...any) error {
	return &reply.Malformed{Reason: reply.Shape, Detail: fmt.Sprintf(format, args...)}
}

// ErrAbsent is the error if a response lacks the result.
var ErrAbsent = errors.New("the response has no result")

// Found returns the result. It is an error if the query does not know the type of the object with the result.
func (q *Query[T]) Found() (found T, err error) {
	switch end := len(q.path); {
	case q.depth >= end-1 && q.types != nil && !slices.Contains(q.types, q.typename):
		return found, malformed("the %s is of a type that is newer than this version", q.path[end-2])
	case q.depth == end, q.depth == end-1 && q.nullable:
		return q.value, nil
	}
	return found, ErrAbsent
}

// NewOperation returns the operation of a query.
func NewOperation(id, source, paging string) *api.Operation {
	return &api.Operation{
		ID: id, Method: http.MethodPost, Path: "/graphql", Area: api.AreaGraph, Tag: "Graph", Source: source,
		Idempotent: true, Paging: paging, Response: api.ResponseData, Statuses: []int{http.StatusOK, http.StatusBadRequest},
	}
}

// Table returns the operations of all queries. No variable has them: a program links the queries that it uses.
func Table() (all []*api.Operation) {
	for _, row := range Rows {
		all = append(all, row.Operation)
	}
	return all
}

// GraphBody is the body of a request of the graph area.
type GraphBody struct {
	Query         string `json:"query"`
	Variables     any    `json:"variables,omitzero"`
	OperationName string `json:"operationName,omitzero"`
}

// To returns a request of an operation with the body.
func (b GraphBody) To(op *api.Operation) api.Request {
	request := api.NewRequest(op)
	request.Body = b
	return request
}

var syntaxOfNames = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// IsName reports whether a text is a valid GraphQL name.
func IsName(text string) bool { return syntaxOfNames.MatchString(text) }
