package graphql

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// Operation is an operation in a document.
type Operation struct {
	// Type is "query", "mutation" or "subscription", or empty if the rest of the document cannot be read.
	Type string
	// Name is empty if the operation is anonymous.
	Name string
}

// Operations returns the operations of a document, in order. It does not validate them.
func Operations(document string) (all []Operation) {
	parsed, err := parser.ParseQuery(&ast.Source{Input: document})
	if err != nil {
		return []Operation{{}}
	}
	for _, operation := range parsed.Operations {
		all = append(all, Operation{Type: string(operation.Operation), Name: operation.Name})
	}
	return all
}
