package main

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// everyType is not the name of a type.
const everyType = "*"

// fields makes the fields of a struct: those selected themselves, and those selected of the types of one name only.
func (g *generator) fields(set ast.SelectionSet, of string) []field {
	var fields []field
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			fields = append(fields, g.outputField(s))
		case *ast.InlineFragment:
			if on := g.schema.Types[s.TypeCondition]; on == nil || on.Kind != ast.Object {
				g.refuse(s.Position, "`... on` must name an object")
			} else if of == on.Name || of == everyType {
				for _, inner := range g.fields(s.SelectionSet, of) {
					if !slices.Contains(fields, inner) {
						fields = append(fields, inner)
					}
				}
			}
		case *ast.FragmentSpread:
			g.refuse(s.Position, "a fragment must be all that is selected of a field")
		}
	}
	for i, f := range fields {
		if f.Name == "" || slices.ContainsFunc(fields[:i], func(other field) bool { return other.Name == f.Name }) {
			g.refuse(set[0].GetPosition(), "%s has no name of its own in Go", f.JSON)
		}
	}
	return fields
}

// structType is a struct type without a name for what is selected. What is selected of single types may be missing.
func (g *generator) structType(set ast.SelectionSet) string {
	var text strings.Builder
	for _, f := range g.fields(set, everyType) {
		text.WriteString(f.Name + " " + f.Type + " `json:\"" + f.JSON + "\"`\n")
	}
	return "struct {\n" + text.String() + "}"
}

// outputField is a field of a response. One that may be null is a pointer, a list or an interface. So is an element of a
// list; but one that is an interface must not be null, since a null is refused in its place.
func (g *generator) outputField(f *ast.Field) field {
	if f.Name == "__typename" {
		return field{goName(f.Alias), f.Alias, "string", "The name of the type in the schema."}
	}
	goType, pointer := g.selected(f)
	t, lists := f.Definition.Type, ""
	for ; t.Elem != nil; t = t.Elem {
		lists += "[]"
	}
	switch {
	case t.NonNull:
	case pointer:
		goType = "*" + goType
	case lists != "":
		g.refuse(f.Position, "%s is a list of interfaces with nulls in it", f.Alias)
	}
	return field{goName(f.Alias), f.Alias, lists + goType, f.Definition.Description}
}

// connection is the selection that package queries has a type for.
var connection = regexp.MustCompile(`^query \{ edges \{ cursor node \{ \.\.\. (\w+) \} \} pageInfo \{ hasNextPage endCursor hasPreviousPage startCursor \} totalCount \}$`)

// selected returns the Go type of what is selected of a field, and reports whether it takes a pointer to be null.
func (g *generator) selected(f *ast.Field) (goType string, pointer bool) {
	of := f.Definition.Type.Name()
	if len(f.SelectionSet) == 0 {
		return g.leafType(of, f.Position), true
	}
	outline := written(&ast.QueryDocument{Operations: ast.OperationList{{Operation: ast.Query, SelectionSet: f.SelectionSet}}})
	if page := connection.FindStringSubmatch(strings.Join(strings.Fields(outline), " ")); page != nil {
		return "*List[graph." + page[1] + "]", false
	}
	spread, ok := f.SelectionSet[0].(*ast.FragmentSpread)
	if !ok || len(f.SelectionSet) > 1 {
		return g.structType(f.SelectionSet), true
	}
	on := spread.Definition.Definition
	if on.Name != of && !slices.Contains(g.schema.Types[of].Interfaces, on.Name) {
		g.refuse(spread.Position, "fragment %s is not for every %s", spread.Name, of)
	}
	return "graph." + spread.Name, on.Kind == ast.Object
}

// inputField is a variable, or a field of an input. One that is not set is left out, so that nothing asks for null.
func (g *generator) inputField(name string, t *ast.Type, at *ast.Position, doc string) field {
	made := field{goName(name), name, g.leafType(t.Name(), at), doc}
	if t.Elem != nil {
		made.Type = "[]" + made.Type
	} else if !t.NonNull {
		made.Type = "*" + made.Type
	}
	if t.Elem != nil && t.Elem.Elem != nil {
		g.refuse(at, "%s is a list of lists", name)
	}
	if !t.NonNull {
		made.JSON += ",omitzero"
	}
	return made
}

// leafType is the Go type of a scalar, an enum or an input, and sees to it that there is one.
func (g *generator) leafType(name string, at *ast.Position) string {
	switch def := g.schema.Types[name]; def.Kind {
	case ast.Enum:
		g.Enums[name] = def
	case ast.InputObject:
		if _, done := g.Inputs[name]; !done {
			made := record{Doc: def.Description}
			g.Inputs[name] = made // An input may hold others of its kind.
			for _, f := range def.Fields {
				made.Fields = append(made.Fields, g.inputField(f.Name, f.Type, f.Position, f.Description))
			}
			g.Inputs[name] = made
		}
	default:
		if known := builtIn[name]; known != "" {
			return known
		}
		full, known := g.config.Scalars[name]
		if !known {
			g.refuse(at, "the configuration has no Go type for the scalar %s", name)
		}
		g.Imports[strings.TrimSuffix(full, path.Ext(full))] = true
		return path.Base(full)
	}
	return "graph." + goName(name)
}

var builtIn = map[string]string{"String": "string", "ID": "string", "Int": "int", "Float": "float64", "Boolean": "bool"}
