package graphapi

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	schema "github.com/graph-gophers/graphql-go/ast"
	gqlerrors "github.com/graph-gophers/graphql-go/errors"
	"github.com/vektah/gqlparser/v2/ast"
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
	schema    *schema.Schema
	fragments ast.FragmentDefinitionList
	variables map[string]any
	errors    []*gqlerrors.QueryError
}

// setDefaults sets the variables that were left out to their defaults.
func (x *execution) setDefaults(operation *ast.OperationDefinition) error {
	if x.variables == nil {
		x.variables = map[string]any{}
	}
	for _, v := range operation.VariableDefinitions {
		value, sent := x.variables[v.Variable]
		if !sent && v.DefaultValue != nil {
			var err error
			if value, err = v.DefaultValue.Value(nil); err != nil {
				return err
			}
			x.variables[v.Variable] = value
		}
		if value == nil && v.Type.NonNull {
			return fmt.Errorf("variable %q must be set", v.Variable)
		}
	}
	return nil
}

// object returns the selected fields of an object. It is nil if a field that must not be null failed.
func (x *execution) object(value any, typeName string, selected ast.SelectionSet, path []any) any {
	if node, is := value.(object); is && node["__typename"] != nil {
		typeName = node["__typename"].(string)
	}
	result := map[string]any{}
	for _, group := range x.collect(selected, typeName, nil) {
		first := group[0]
		at := append(slices.Clip(path), first.Alias)
		if first.Name == "__typename" {
			result[first.Alias] = typeName
			continue
		}
		var inner ast.SelectionSet
		for _, f := range group {
			inner = append(inner, f.SelectionSet...)
		}
		named, nonNull := x.typeOf(typeName, first.Name)
		resolved, err := x.resolve(value, first)
		if err != nil {
			code := "INTERNAL_ERROR"
			if known, is := err.(*failure); is { //nolint:errorlint // Resolvers do not wrap their errors.
				code = known.code
			}
			x.errors = append(x.errors,
				&gqlerrors.QueryError{Message: err.Error(), Path: at, Extensions: map[string]any{"code": code}})
		}
		completed := x.complete(resolved, named, inner, at)
		if completed == nil && nonNull {
			return nil
		}
		result[first.Alias] = completed
	}
	return result
}

// complete returns the response form of a value: each object in it with its selected fields.
func (x *execution) complete(value any, typeName string, selected ast.SelectionSet, path []any) any {
	v := reflect.ValueOf(value)
	if !v.IsValid() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Map) && v.IsNil() {
		return nil
	}
	if len(selected) == 0 {
		return value // A scalar, or a list of scalars.
	}
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Slice {
		v = v.Elem() // A list in introspection.
	}
	if v.Kind() != reflect.Slice {
		return x.object(value, typeName, selected, path)
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i] = x.object(v.Index(i).Interface(), typeName, selected, append(slices.Clip(path), i))
	}
	return list
}

// collect groups the selected fields by their names in the response, in order.
func (x *execution) collect(selected ast.SelectionSet, typeName string, groups [][]*ast.Field) [][]*ast.Field {
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
			if x.included(s.Directives) && x.applies(s.TypeCondition, typeName) {
				groups = x.collect(s.SelectionSet, typeName, groups)
			}
		case *ast.FragmentSpread:
			if f := x.fragments.ForName(s.Name); f != nil && x.included(s.Directives) && x.applies(f.TypeCondition, typeName) {
				groups = x.collect(f.SelectionSet, typeName, groups)
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
func (x *execution) applies(condition, typeName string) bool {
	is, _ := x.schema.Types[typeName].(*schema.ObjectTypeDefinition)
	return condition == "" || condition == typeName || is != nil && slices.Contains(is.InterfaceNames, condition)
}

// typeOf returns the name of the type of a field, and whether it must not be null.
func (x *execution) typeOf(typeName, name string) (string, bool) {
	switch name {
	case "__schema":
		return "__Schema", true
	case "__type":
		return "__Type", false
	}
	is, _ := x.schema.Types[typeName].(*schema.ObjectTypeDefinition)
	if is == nil {
		return "", false
	}
	of := is.Fields.Get(name).Type
	_, nonNull := of.(*schema.NonNull)
	for {
		switch t := of.(type) {
		case *schema.NonNull:
			of = t.OfType
		case *schema.List:
			of = t.OfType
		default:
			return of.String(), nonNull
		}
	}
}

// resolve returns the value of a field. Introspection has methods for its fields.
func (x *execution) resolve(of any, selected *ast.Field) (any, error) {
	args := arguments{}
	for _, a := range selected.Arguments {
		value, err := a.Value.Value(x.variables)
		if err != nil {
			return nil, &failure{"INVALID_ARGUMENT", a.Name + ": " + err.Error()}
		}
		args[a.Name] = value
	}
	node, is := of.(object)
	if !is {
		method := reflect.ValueOf(of).MethodByName(strings.ToUpper(selected.Name[:1]) + selected.Name[1:])
		var in []reflect.Value
		if method.Type().NumIn() == 1 {
			deprecated, _ := args["includeDeprecated"].(bool)
			in = []reflect.Value{reflect.ValueOf(&struct{ IncludeDeprecated bool }{deprecated})}
		}
		return method.Call(in)[0].Interface(), nil
	}
	if resolve, ok := node[selected.Name].(field); ok {
		return resolve(args)
	}
	return node[selected.Name], nil
}
