package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// objectShape is what the schema says of the objects that a fragment selects from. The texts are code of package
// contract.
type objectShape struct {
	Name string
	// Members are those of every type that the fragment is for, and Variants those of each, or empty for one type only.
	Members, Variants string
}

// dataShape is what the schema says of the data of a query.
type dataShape struct{ Operation, Shape string }

// member is a field of a response.
type member struct {
	name     string
	required bool
	shape    string
}

// addShapes makes the shapes of the fragments and of the queries' data.
func (g *generator) addShapes() {
	for _, f := range g.queries.Fragments {
		g.Shapes = append(g.Shapes, objectShape{
			f.Name, g.members(f.SelectionSet, f.Definition, ""), g.variants(f.SelectionSet, f.Definition),
		})
	}
	for _, q := range g.queries.Operations {
		shape := g.object(q.SelectionSet, g.schema.Query, "")
		g.Data = append(g.Data, dataShape{q.Name, shape})
	}
}

// object is the shape of an object whose fields are selected without a fragment. Callers see none of it as a record, so
// that there is nothing to leave a value out of; but a listing does without its total.
func (g *generator) object(set ast.SelectionSet, def *ast.Definition, nullable string) string {
	envelope := "Envelope: true, "
	if slices.ContainsFunc(set, func(s ast.Selection) bool { f, ok := s.(*ast.Field); return ok && f.Alias == "pageInfo" }) {
		envelope = ""
	}
	shape := "&Shape{Kinds: \"{\", " + nullable + envelope + "Members: " + g.members(set, def, "")
	if variants := g.variants(set, def); variants != "" {
		shape += ", Variants: " + variants
	}
	return shape + "}"
}

// variants are the members of each type that an object may have, or nothing where its type is certain or not asked for.
func (g *generator) variants(set ast.SelectionSet, def *ast.Definition) string {
	asked := slices.ContainsFunc(set, func(s ast.Selection) bool { f, ok := s.(*ast.Field); return ok && f.Alias == "__typename" })
	if !asked || def.Kind == ast.Object {
		return ""
	}
	var text strings.Builder
	for _, possible := range g.schema.GetPossibleTypes(def) {
		fmt.Fprintf(&text, "{%q, %s},\n", possible.Name, g.members(set, def, possible.Name))
	}
	return "[]Variant{\n" + text.String() + "}"
}

// members are those of an object of one type, in the order of their names. Without a type they are those of all, and
// what is selected of single types may be missing.
func (g *generator) members(set ast.SelectionSet, def *ast.Definition, of string) string {
	all := g.addMembers(nil, set, def, of)
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.name, b.name) })
	var text strings.Builder
	for _, m := range all {
		fmt.Fprintf(&text, "{%q, %t, %s},\n", m.name, m.required, m.shape)
	}
	return "[]Member{\n" + text.String() + "}"
}

// addMembers adds the members that are selected of a type to those that there are.
func (g *generator) addMembers(all []member, set ast.SelectionSet, def *ast.Definition, of string) []member {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if !slices.ContainsFunc(all, func(m member) bool { return m.name == s.Alias }) {
				all = append(all, member{s.Alias, true, g.fieldShape(s, def)})
			}
		case *ast.InlineFragment:
			if of != "" && of != s.TypeCondition {
				continue
			}
			before := len(all)
			all = g.addMembers(all, s.SelectionSet, g.schema.Types[s.TypeCondition], of)
			for i := before; i < len(all) && of == "" && def.Name != s.TypeCondition; i++ {
				all[i].required = false
			}
		}
	}
	return all
}

// fieldShape is the shape of a field of a type.
func (g *generator) fieldShape(f *ast.Field, of *ast.Definition) string {
	if f.Name == "__typename" {
		names := []string{of.Name}
		if of.Kind != ast.Object {
			names = names[:0]
			for _, possible := range g.schema.GetPossibleTypes(of) {
				names = append(names, possible.Name)
			}
		}
		return fmt.Sprintf("&Shape{Kinds: `\"`, Identity: true, Enum: %#v, Reads: reads[string]}", names)
	}
	return g.typeShape(f, f.Definition.Type)
}

// typeShape is the shape of a field's value, or of an item of the lists that it is.
func (g *generator) typeShape(f *ast.Field, t *ast.Type) string {
	nullable := "Nullable: true, "
	if t.NonNull {
		nullable = ""
	}
	if t.Elem != nil {
		return "&Shape{Kinds: `[`, " + nullable + "Items: " + g.typeShape(f, t.Elem) + "}"
	}
	if len(f.SelectionSet) == 0 {
		return g.leafShape(f, t, nullable)
	}
	spread, ok := f.SelectionSet[0].(*ast.FragmentSpread)
	if !ok {
		return g.object(f.SelectionSet, g.schema.Types[t.Name()], nullable)
	}
	shape := "&Shape{Kinds: `{`, " + nullable + "Members: graph" + spread.Name
	if spread.Definition.Definition.Kind != ast.Object {
		shape += ", Variants: graph" + spread.Name + "Variants"
	}
	return shape + "}"
}

// kinds are the kinds of JSON in package contract, by their names.
var kinds = map[string]string{"integer": "0", "number": "0", "string": `"`, "boolean": "t", "object": "{", "array": "["}

// builtInKinds are those of the types that every schema has.
var builtInKinds = map[string]string{
	"String": "string", "ID": "string", "Int": "integer", "Float": "number", "Boolean": "boolean",
}

// leafShape is the shape of a scalar or an enum.
func (g *generator) leafShape(f *ast.Field, t *ast.Type, more string) string {
	name := t.Name()
	goType := g.leafType(name, f.Position)
	said := builtInKinds[name]
	switch {
	case g.schema.Types[name].Kind == ast.Enum:
		g.Listed[name] = g.schema.Types[name]
		said, more = "string", more+"Enum: graph"+name+"Values, "
	case said == "":
		if said = g.config.Kinds[name]; said == "" {
			return "nil"
		}
		more += fmt.Sprintf("Format: %q, ", name)
	}
	written := ""
	for kind := range strings.SplitSeq(said, " or ") {
		if kinds[kind] == "" {
			g.refuse(f.Position, "the configuration has no kind of JSON for the scalar %s, but %q", name, kind)
		}
		written += kinds[kind]
	}
	if strings.Contains(said, "integer") {
		more += "Integer: true, "
	}
	if t.NonNull && slices.Contains(g.config.Identities, f.Alias) {
		more += "Identity: true, "
	}
	return fmt.Sprintf("&Shape{Kinds: `%s`, %sReads: reads[%s]}", written, more, goType)
}
