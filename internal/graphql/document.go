package graphql

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"
)

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

// VariableNames returns the names of the variables that a document defines or uses, without duplicates, in order.
func VariableNames(document string) []string {
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
