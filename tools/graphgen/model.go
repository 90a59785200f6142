package main

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// redactPackage prints records.
const redactPackage = "github.com/rpcfleet/rpcfleet-go/internal/redact"

// scalarPackage is what has the type of what records keep beside their fields.
const scalarPackage = "github.com/rpcfleet/rpcfleet-go/scalar"

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
	// Shapes are what the schema says of the fragments, and Data of the data of the queries.
	Shapes []objectShape
	Data   []dataShape
	// Listed are the enums of responses.
	Listed map[string]*ast.Definition
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
	// Typename is the name in the schema of the type of a struct that implements an interface.
	Typename string
	// HoldsInterfaces is set for a struct with a field that encoding/json cannot read.
	HoldsInterfaces bool
}

// operation is a query.
type operation struct {
	Name, Doc, Source, Paging string
	// Before and After are the document around the name of the chain, and around the field that looks the wallet up.
	// Between is what stands between the two, and empty where the query looks up no wallet.
	Before, Between, After string
	// Fragments are the names of the fragments that belong to the document.
	Fragments []string
	Variables []field
	// Response is the Go type of the data in a response.
	Response string
}

// jsontext is the package of the decoder that records with interfaces in them read from.
const jsontext = "github.com/go-json-experiment/json/jsontext"

func newGenerator(c *config, schema *ast.Schema, queries *ast.QueryDocument) *generator {
	return &generator{
		config: c, schema: schema, queries: queries,
		Imports: map[string]bool{"bytes": true, "encoding/json": true, "fmt": true, "slices": true, jsontext: true, redactPackage: true, scalarPackage: true},
		Enums:   map[string]*ast.Definition{}, Inputs: map[string]record{}, Documents: map[string]string{},
		Listed: map[string]*ast.Definition{},
	}
}

// extra is the field of a record for what it has no other field for.
var extra = field{
	"Extra", "$extra,omitzero", "scalar.Extra",
	"What came with the record and was not asked for, and what could not be read. It is kept where drift is asked for.",
}

// recordFields are the fields of a record.
func (g *generator) recordFields(f *ast.FragmentDefinition, of string) []field {
	fields := g.fields(f.SelectionSet, of)
	if slices.ContainsFunc(fields, func(other field) bool { return other.Name == extra.Name }) {
		g.refuse(f.Position, "fragment %s has a field with the name %s, which is taken", f.Name, extra.Name)
	}
	return append(fields, extra)
}

// addFragments makes a record of each fragment. For an interface it makes one of each type that implements it.
func (g *generator) addFragments() {
	for _, f := range g.queries.Fragments {
		g.Documents[f.Name] = written(&ast.QueryDocument{Fragments: ast.FragmentDefinitionList{f}})
		made := &record{Name: f.Name, Doc: g.comment(f.Name, f.Comment, f.Position), Fields: g.recordFields(f, "")}
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
				Fields: g.recordFields(f, implementing.Name), Implements: made, Typename: implementing.Name,
			})
		}
		g.Interfaces = append(g.Interfaces, *made)
	}
	for i := range g.Records {
		g.Records[i].HoldsInterfaces = slices.ContainsFunc(g.Records[i].Fields, g.isInterface)
	}
}

// isInterface reports whether a field is an interface, or a list of them.
func (g *generator) isInterface(f field) bool {
	name := strings.TrimPrefix(strings.TrimLeft(f.Type, "[]"), "graph.")
	return slices.ContainsFunc(g.Interfaces, func(made record) bool { return made.Name == name })
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
		made.Variables = g.variables(q)
		root.Name = "\x00" // It ends up in no file.
		document := written(&ast.QueryDocument{Operations: ast.OperationList{q}})
		made.Before, made.After, _ = strings.Cut(document, root.Name)
		if between, after, found := strings.Cut(made.After, byAddress); found {
			made.Between, made.After = between, after
		}
		made.Fragments = g.fragmentsIn(document, nil)
		g.Operations = append(g.Operations, made)
	}
}

// byAddress is how a query looks up the wallet that it is about. Package queries puts another field in its place for a
// wallet that is named.
const byAddress = "walletByAddress(address: $wallet)"

// window are the variables that select a page of a listing. Package queries has one record for all four.
var window = []string{"first", "after", "last", "before"}

// variables makes the fields of a query's variables. The four that select a page become one, in the place of the first.
func (g *generator) variables(q *ast.OperationDefinition) []field {
	var made []field
	paging := 0
	for _, v := range q.VariableDefinitions {
		if !slices.Contains(window, v.Variable) {
			made = append(made, g.inputField(v.Variable, v.Type, v.Position, ""))
			continue
		}
		if paging++; paging == 1 {
			made = append(made, field{Type: "Window"})
		}
	}
	if paging != 0 && paging != len(window) {
		g.refuse(q.Position, "query %s must have all of the variables %s, or none", q.Name, strings.Join(window, ", "))
	}
	return made
}
