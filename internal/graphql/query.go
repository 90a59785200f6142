package graphql

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// Query is a query of this library with its variables. R is the type of the response data.
type Query[R any] interface {
	AnyQuery
	Response() R
}

// AnyQuery is a query without the type of its response data.
type AnyQuery interface {
	Operation() *api.Operation
	Document(chain graph.Chain) string
}

// Found is response data that contains a T or nothing.
type Found[T any] interface {
	Found() (found T, exists bool)
}

// Row returns the table row of a query.
func Row(id, source, paging string) *api.Operation {
	return &api.Operation{
		ID: id, Method: http.MethodPost, Path: "/graphql", Area: api.AreaGraph, Tag: "Graph", Source: source,
		Idempotent: true, Paging: paging, Response: api.ResponseData, Statuses: []int{http.StatusOK, http.StatusBadRequest},
	}
}

// Table contains the operations of all queries.
var Table = rows()

func rows() []*api.Operation {
	var all []*api.Operation
	for _, q := range Queries {
		all = append(all, q.Operation())
	}
	return all
}

// onChain changes the chain of a document. All chains have the same type in the schema, so a document is valid for all
// of them. The caller has checked that the chain is a valid name.
func onChain(document string, chain graph.Chain) string {
	return strings.Replace(document, "chain: "+string(graph.ChainEthereum)+" ", "chain: "+string(chain)+" ", 1)
}

// ofWallet changes a document to look up a wallet by name if the wallet is a name. Names contain a dot; addresses do
// not.
func ofWallet(document, wallet string) string {
	if !strings.Contains(wallet, ".") {
		return document
	}
	return strings.Replace(document, "walletByAddress(address: $wallet)", "walletByENS(ensName: $wallet)", 1)
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

// Request returns the request of a query.
func Request(q AnyQuery, chain graph.Chain) api.Request {
	op := q.Operation()
	return GraphBody{q.Document(chain), q, op.ID}.To(op)
}

var syntaxOfNames = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// IsName reports whether a text is a valid GraphQL name.
func IsName(text string) bool { return syntaxOfNames.MatchString(text) }

// Operation is an operation in a document.
type Operation struct {
	// Type is "query", "mutation" or "subscription", or empty if the rest of the document cannot be read.
	Type string
	// Name is empty if the operation is anonymous.
	Name string
}

// Operations returns the operations of a document, in order. It reads the outline only and does not validate the
// document.
func Operations(document string) []Operation {
	var found []Operation
	depth := 0    // of braces, brackets and parentheses
	begin := true // a definition may begin here
	tokens := tokensOf(document)
	for i, token := range tokens {
		if depth == 0 && begin {
			switch {
			case token.Kind == lexer.BraceL:
				found = append(found, Operation{Type: "query"})
			case token.Value == "query", token.Value == "mutation", token.Value == "subscription":
				operation := Operation{Type: token.Value}
				if next := tokens[i+1]; next.Kind == lexer.Name {
					operation.Name = next.Value
				}
				found = append(found, operation)
			}
		}
		begin = false
		switch token.Kind {
		case lexer.BraceL, lexer.ParenL, lexer.BracketL:
			depth++
		case lexer.BraceR, lexer.ParenR, lexer.BracketR:
			depth = max(depth-1, 0)
			begin = token.Kind == lexer.BraceR && depth == 0
		case lexer.Invalid:
			found = append(found, Operation{})
		}
	}
	return found
}

// Variables returns the names of the variables that a document defines or uses, without duplicates, in order.
func Variables(document string) []string {
	var found []string
	tokens := tokensOf(document)
	for i, token := range tokens {
		if token.Kind != lexer.Dollar {
			continue
		}
		if name := tokens[i+1]; name.Kind == lexer.Name && !slices.Contains(found, name.Value) {
			found = append(found, name.Value)
		}
	}
	return found
}

// tokensOf returns the tokens of a document without strings and comments. The last one is the end, or not valid.
func tokensOf(document string) (tokens []lexer.Token) {
	input := lexer.New(&ast.Source{Input: document})
	for {
		token, _ := input.ReadToken() // The error is that the token is not valid.
		switch token.Kind {
		case lexer.String, lexer.BlockString, lexer.Comment:
			continue
		}
		if tokens = append(tokens, token); token.Kind == lexer.EOF || token.Kind == lexer.Invalid {
			return tokens
		}
	}
}
