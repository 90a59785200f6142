package graphapi

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// description makes the objects that describe the schema.
type description struct{ *ast.Schema }

// root makes the fields of the root that describe the schema.
func (d description) root() object {
	var types, directives []object
	for _, name := range slices.Sorted(maps.Keys(d.Types)) {
		types = append(types, d.named(name))
	}
	for _, name := range slices.Sorted(maps.Keys(d.Directives)) {
		of := d.Directives[name]
		directives = append(directives, object{
			"name": name, "description": of.Description, "locations": of.Locations, "isRepeatable": of.IsRepeatable,
			"args": nodes(of.Arguments, d.argument),
		})
	}
	return object{
		"__schema": object{"types": types, "directives": directives, "queryType": d.named(d.Query.Name)},
		"__type":   field(func(a arguments) (any, error) { return d.named(a.text("name")), nil }),
	}
}

// typeOf describes a type.
func (d description) typeOf(t *ast.Type) object {
	switch {
	case t.NonNull:
		inner := *t
		inner.NonNull = false
		return object{"kind": "NON_NULL", "ofType": d.typeOf(&inner)}
	case t.Elem != nil:
		return object{"kind": "LIST", "ofType": d.typeOf(t.Elem)}
	}
	return d.named(t.NamedType)
}

// named describes the type with a name, or is nil without one. Types contain each other, so their parts are made on
// demand.
func (d description) named(name string) object {
	is := d.Types[name]
	if is == nil {
		return nil
	}
	node := object{"kind": is.Kind, "name": name, "description": is.Description}
	switch is.Kind {
	case ast.InputObject:
		node["inputFields"] = field(func(arguments) (any, error) { return nodes(is.Fields, d.field), nil })
	case ast.Enum:
		node["enumValues"] = field(func(a arguments) (any, error) {
			return current(a, nodes(is.EnumValues, func(v *ast.EnumValueDefinition) object {
				return deprecated(v.Directives, object{"name": v.Name, "description": v.Description})
			})), nil
		})
	case ast.Object, ast.Interface:
		fields := slices.DeleteFunc(slices.Clone(is.Fields), func(f *ast.FieldDefinition) bool {
			return strings.HasPrefix(f.Name, "__")
		})
		node["fields"] = field(func(a arguments) (any, error) { return current(a, nodes(fields, d.field)), nil })
		node["interfaces"] = field(func(arguments) (any, error) { return nodes(is.Interfaces, d.named), nil })
	}
	if is.IsAbstractType() {
		node["possibleTypes"] = field(func(arguments) (any, error) {
			return nodes(d.GetPossibleTypes(is), func(of *ast.Definition) object { return d.named(of.Name) }), nil
		})
	}
	return node
}

func (d description) field(f *ast.FieldDefinition) object {
	return deprecated(f.Directives, object{
		"name": f.Name, "description": f.Description, "type": d.typeOf(f.Type), "args": nodes(f.Arguments, d.argument),
	})
}

func (d description) argument(a *ast.ArgumentDefinition) object {
	node := object{"name": a.Name, "description": a.Description, "type": d.typeOf(a.Type)}
	if a.DefaultValue != nil {
		node["defaultValue"] = a.DefaultValue.String()
	}
	return node
}

// deprecated adds whether and why something is deprecated.
func deprecated(directives ast.DirectiveList, node object) object {
	directive := directives.ForName("deprecated")
	node["isDeprecated"] = directive != nil
	if directive != nil && directive.Arguments.ForName("reason") != nil {
		node["deprecationReason"] = directive.Arguments.ForName("reason").Value.Raw
	}
	return node
}

// current removes what is deprecated, unless the arguments include it.
func current(a arguments, list []object) []object {
	if all, _ := a["includeDeprecated"].(bool); all {
		return list
	}
	return slices.DeleteFunc(list, func(o object) bool { return o["isDeprecated"] == true })
}
