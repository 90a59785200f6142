package graphapi

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// object is an object of the schema: its fields by name. It may have more members than the schema has fields, such as
// the ones that only filters use. Objects of an interface have their type in __typename.
type object map[string]any

// field is a field that is made on demand.
type field func(arguments) (any, error)

// arguments are the arguments of a field, as decoded from JSON. A missing one is nil.
type arguments map[string]any

func (a arguments) text(name string) string {
	text, _ := a[name].(string)
	return text
}

// number returns a number, and whether it is there.
func (a arguments) number(name string) (float64, bool) { return numberOf(a[name]) }

// input returns an input object, which is nil if it is missing.
func (a arguments) input(name string) arguments {
	input, _ := a[name].(map[string]any)
	return input
}

// failure is an error with a code.
type failure struct{ code, message string }

// Error implements error.
func (f *failure) Error() string { return f.message }

// execution executes one query that the schema accepts.
type execution struct {
	schema    *ast.Schema
	variables map[string]any
	errors    gqlerror.List
}

// object returns the selected fields of an object. It is nil if a field that must not be null failed.
func (x *execution) object(of object, is *ast.Definition, selected ast.SelectionSet, path ast.Path) any {
	if name, named := of["__typename"].(string); named {
		is = x.schema.Types[name]
	}
	result := map[string]any{}
	for _, group := range x.collect(selected, is, nil) {
		first := group[0]
		if first.Name == "__typename" {
			result[first.Alias] = is.Name
			continue
		}
		at := append(slices.Clip(path), ast.PathName(first.Alias))
		var inner ast.SelectionSet
		for _, f := range group {
			inner = append(inner, f.SelectionSet...)
		}
		resolved, err := x.resolve(of, first)
		if err != nil {
			code := "INTERNAL_ERROR"
			if known, is := err.(*failure); is { //nolint:errorlint // Resolvers do not wrap their errors.
				code = known.code
			}
			x.errors = append(x.errors,
				&gqlerror.Error{Message: err.Error(), Path: at, Extensions: map[string]any{"code": code}})
		}
		fieldType := is.Fields.ForName(first.Name).Type
		completed := x.complete(resolved, x.schema.Types[fieldType.Name()], inner, at)
		if completed == nil && fieldType.NonNull {
			return nil
		}
		result[first.Alias] = completed
	}
	return result
}

// complete returns the response form of a value: each object in it with its selected fields.
func (x *execution) complete(value any, is *ast.Definition, selected ast.SelectionSet, path ast.Path) any {
	switch value := value.(type) {
	case object:
		if value == nil {
			return nil
		}
		return x.object(value, is, selected, path)
	case []object:
		if len(selected) == 0 {
			return value // A scalar of JSON.
		}
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = x.object(item, is, selected, append(slices.Clip(path), ast.PathIndex(i)))
		}
		return list
	}
	return value
}

// collect groups the selected fields by their names in the response, in order.
func (x *execution) collect(selected ast.SelectionSet, is *ast.Definition, groups [][]*ast.Field) [][]*ast.Field {
	for _, selection := range selected {
		switch s := selection.(type) {
		case *ast.Field:
			if !x.included(s.Directives) {
				continue
			}
			at := slices.IndexFunc(groups, func(g []*ast.Field) bool { return g[0].Alias == s.Alias })
			if at < 0 {
				at, groups = len(groups), append(groups, nil)
			}
			groups[at] = append(groups[at], s)
		case *ast.InlineFragment:
			if x.included(s.Directives) && applies(s.TypeCondition, is) {
				groups = x.collect(s.SelectionSet, is, groups)
			}
		case *ast.FragmentSpread:
			if x.included(s.Directives) && applies(s.Definition.TypeCondition, is) {
				groups = x.collect(s.Definition.SelectionSet, is, groups)
			}
		}
	}
	return groups
}

// included evaluates the directives skip and include.
func (x *execution) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		if condition := d.Arguments.ForName("if"); condition != nil {
			value, _ := condition.Value.Value(x.variables)
			if is, _ := value.(bool); is == (d.Name == "skip") {
				return false
			}
		}
	}
	return true
}

// applies reports whether a fragment on a type applies to objects of another.
func applies(condition string, is *ast.Definition) bool {
	return condition == "" || condition == is.Name || slices.Contains(is.Interfaces, condition)
}

// resolve returns the value of a field.
func (x *execution) resolve(of object, selected *ast.Field) (any, error) {
	resolve, onDemand := of[selected.Name].(field)
	if !onDemand {
		return of[selected.Name], nil
	}
	args := arguments{}
	for _, a := range selected.Arguments {
		value, err := a.Value.Value(x.variables)
		if err != nil {
			return nil, &failure{"INVALID_ARGUMENT", a.Name + ": " + err.Error()}
		}
		args[a.Name] = value
	}
	return resolve(args)
}
