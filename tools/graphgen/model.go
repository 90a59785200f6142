package main

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// generator collects what the templates write.
type generator struct {
	config   *config
	schema   *ast.Schema
	queries  *ast.QueryDocument
	problems gqlerror.List

	Imports    map[string]bool
	Records    []record
	Interfaces []record
	Enums      map[string]*ast.Definition
	Inputs     map[string]record
	Operations []operation
	// Documents are the fragments in the syntax of GraphQL, by their names.
	Documents map[string]string
}

// field is a field of a struct.
type field struct{ Name, JSON, Type, Doc string }

// record is a struct that callers see, or an interface with getters for its fields.
type record struct {
	Name, Doc string
	Fields    []field
	// Types are the names in the schema of the types that implement an interface.
	Types []string
	// Implements is the interface that a struct implements, or nil.
	Implements *record
}

// operation is a query.
type operation struct {
	Name, Doc, Source, Paging string
	// Before and After are the document around the name of the chain.
	Before, After string
	// Fragments are the names of the fragments that belong to the document.
	Fragments []string
	Variables []field
	// Response is the Go type of the data in a response.
	Response string
}

func newGenerator(c *config, schema *ast.Schema, queries *ast.QueryDocument) *generator {
	return &generator{
		config: c, schema: schema, queries: queries,
		Imports: map[string]bool{"bytes": true, "encoding/json": true, "slices": true},
		Enums:   map[string]*ast.Definition{}, Inputs: map[string]record{}, Documents: map[string]string{},
	}
}

// addFragments makes a record of each fragment. For an interface it makes one of each type that implements it.
func (g *generator) addFragments() {
	for _, f := range g.queries.Fragments {
		g.Documents[f.Name] = written(&ast.QueryDocument{Fragments: ast.FragmentDefinitionList{f}})
		made := &record{Name: f.Name, Doc: g.comment(f.Name, f.Comment, f.Position), Fields: g.fields(f.SelectionSet, "")}
		if f.Definition.Kind == ast.Object {
			g.Records = append(g.Records, *made)
			continue
		}
		if f.Definition.Kind != ast.Interface || made.Fields[0].JSON != "__typename" {
			g.refuse(f.Position, "fragment %s must be of an object, or of an interface and begin with __typename", f.Name)
		}
		for _, implementing := range g.schema.GetPossibleTypes(f.Definition) {
			made.Types = append(made.Types, implementing.Name)
			g.Records = append(g.Records, record{
				Name: f.Name + goName(implementing.Name), Doc: "is the [" + f.Name + "] of the type " + implementing.Name + ".",
				Fields: g.fields(f.SelectionSet, implementing.Name), Implements: made,
			})
		}
		g.Interfaces = append(g.Interfaces, *made)
	}
}

// addOperations makes an operation of each query.
func (g *generator) addOperations() {
	for _, q := range g.queries.Operations {
		root, ok := q.SelectionSet[0].(*ast.Field)
		if !ok || len(q.SelectionSet) > 1 || q.Operation != ast.Query || root.Alias != "chain" || len(root.Arguments) > 0 {
			g.refuse(q.Position, "%s %s must be a query of one chain, under the alias chain", q.Operation, q.Name)
			continue
		}
		made := operation{Name: q.Name, Source: "observed", Paging: "none", Response: g.structType(q.SelectionSet)}
		var contract bool
		if made.Doc, contract = strings.CutSuffix(g.comment(q.Name, q.Comment, q.Position), " Source: contract."); contract {
			made.Source = "contract"
		}
		if strings.Contains(made.Response, "*List[") {
			made.Paging = "cursor"
		}
		for _, v := range q.VariableDefinitions {
			made.Variables = append(made.Variables, g.inputField(v.Variable, v.Type, v.Position, ""))
		}
		root.Name = "\x00" // It ends up in no file.
		document := written(&ast.QueryDocument{Operations: ast.OperationList{q}})
		made.Before, made.After, _ = strings.Cut(document, root.Name)
		made.Fragments = g.fragmentsIn(document, nil)
		g.Operations = append(g.Operations, made)
	}
}
