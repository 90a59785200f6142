package graphapi

import (
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// object is an object of the schema: its fields by name. It may have more than the schema, such as the ones that only
// filters use. Objects of an interface have their type in __typename. Numbers that are compared are of type float64.
type object = map[string]any

// field is a field that is made on demand, from its arguments as execution.read returns them. A missing one is nil.
type field func(args object) any

// execution executes one query that the schema accepts.
type execution struct {
	*API
	ctx       context.Context
	fields    int // Of the response, so far.
	variables map[string]any
	errors    gqlerror.List
}

// object returns the selected fields of an object. It is nil if a field that must not be null failed.
func (x *execution) object(of object, is *ast.Definition, selected ast.SelectionSet, path ast.Path) any {
	if name, named := of["__typename"].(string); named {
		is = x.schema.Types[name]
	}
	result := object{}
	for _, f := range x.collect(selected, is, map[string]bool{}, nil) {
		if x.fields++; x.fields > maxFields || x.ctx.Err() != nil {
			return nil
		}
		if f.Name == "__typename" {
			result[f.Alias] = is.Name
			continue
		}
		at := append(slices.Clip(path), ast.PathName(f.Alias))
		resolved, failed := x.resolve(of, f)
		if failed != nil {
			failed.Path = at
			x.errors = append(x.errors, failed)
		}
		completed := x.complete(resolved, f, at)
		if completed == nil && f.Definition.Type.NonNull {
			return nil
		}
		result[f.Alias] = completed
	}
	return result
}

// collect appends the selected fields in order, and merges the ones that have one name in the response. Each fragment is
// spread once.
func (x *execution) collect(selected ast.SelectionSet, is *ast.Definition, spread map[string]bool,
	fields []*ast.Field) []*ast.Field {
	for _, selection := range selected {
		switch s := selection.(type) {
		case *ast.Field:
			if !x.included(s.Directives) {
				continue
			}
			at := slices.IndexFunc(fields, func(f *ast.Field) bool { return f.Alias == s.Alias })
			if at < 0 {
				fields = append(fields, s)
				continue
			}
			merged := *fields[at]
			merged.SelectionSet = slices.Concat(merged.SelectionSet, s.SelectionSet)
			fields[at] = &merged
		case *ast.InlineFragment:
			if x.included(s.Directives) && applies(s.TypeCondition, is) {
				fields = x.collect(s.SelectionSet, is, spread, fields)
			}
		case *ast.FragmentSpread:
			if !spread[s.Name] && x.included(s.Directives) && applies(s.Definition.TypeCondition, is) {
				spread[s.Name] = true
				fields = x.collect(s.Definition.SelectionSet, is, spread, fields)
			}
		}
	}
	return fields
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

// resolve returns the value of a field, which its arguments filter, order and divide into pages. A field of one object
// in the place of a list, such as collection in the place of collections, is the first that has the arguments.
func (x *execution) resolve(of object, f *ast.Field) (any, *gqlerror.Error) {
	args := object{}
	for _, a := range f.Arguments {
		value, _ := a.Value.Value(x.variables) // The schema accepts it.
		read, failed := x.read(a.Name, f.Definition.Arguments.ForName(a.Name).Type, value)
		if failed != nil {
			return nil, failed
		}
		args[a.Name] = read
	}
	value := of[f.Name]
	if value == nil && len(args) > 0 {
		value = of[f.Name+"s"]
	}
	if make, onDemand := value.(field); onDemand {
		value = make(args)
	}
	list, listed := value.([]object)
	result := f.Definition.Type
	switch {
	case x.schema.Types[result.Name()].Fields.ForName("edges") != nil && (listed || value == nil):
		list = ordered(filtered(list, args["filter"]), args["orderBy"], args["orderDirection"])
		return page(args, len(list), x.pageCap, func(i int) object { return list[i] }), nil
	case listed && result.Elem != nil:
		return ordered(filtered(list, args["filter"]), args["orderBy"], args["orderDirection"]), nil
	case listed:
		for _, one := range list {
			if passes(one, args) {
				return one, nil
			}
		}
		return nil, nil
	}
	return value, nil
}

// complete returns the response form of a value: each object in it with its selected fields.
func (x *execution) complete(value any, f *ast.Field, path ast.Path) any {
	is := x.schema.Types[f.Definition.Type.Name()]
	switch value := value.(type) {
	case object:
		if len(f.SelectionSet) > 0 { // Otherwise it is a scalar of JSON.
			return x.object(value, is, f.SelectionSet, path)
		}
	case []object:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = x.object(item, is, f.SelectionSet, append(slices.Clip(path), ast.PathIndex(i)))
		}
		return list
	case time.Time:
		return value.UTC().Format("2006-01-02T15:04:05.000Z")
	case *big.Int:
		if value.CmpAbs(big.NewInt(1<<53)) > 0 {
			return value.String() // Text beyond 2^53 (observed).
		}
	}
	return value
}

// read decodes the times, the periods, the cursors and the sizes of pages in an argument, and checks them: a field on
// demand cannot fail.
func (x *execution) read(name string, is *ast.Type, value any) (any, *gqlerror.Error) {
	if whole, is := value.(int64); is {
		value = float64(whole)
	}
	switch value := value.(type) {
	case object:
		read := make(object, len(value))
		for key, inner := range value {
			var failed *gqlerror.Error
			if read[key], failed = x.read(key, x.schema.Types[is.Name()].Fields.ForName(key).Type, inner); failed != nil {
				return nil, failed
			}
		}
		return read, nil
	case []any:
		read := make([]any, len(value))
		for i, inner := range value {
			var failed *gqlerror.Error
			if read[i], failed = x.read(name, is.Elem, inner); failed != nil {
				return nil, failed
			}
		}
		return read, nil
	case float64:
		if name != "first" && name != "last" {
			break
		}
		if value < 0 {
			return nil, failure("INVALID_ARGUMENT", name+" must not be negative")
		}
		return int(value), nil
	case string:
		switch {
		case is.Name() == "DateTime":
			at, err := time.Parse(time.RFC3339, value)
			if err != nil {
				return nil, failure("INVALID_ARGUMENT", name+" must be a time as RFC 3339 has it")
			}
			return at, nil
		case name == "timePeriod": // It ends with the last event.
			return object{"gt": ended.Add(-periods[value])}, nil
		case name == "after" || name == "before":
			return readCursor(name, value)
		}
	}
	return value, nil
}
