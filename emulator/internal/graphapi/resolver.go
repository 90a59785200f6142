package graphapi

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
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
	variables map[string]any
	failed    gqlerror.List // Of the field that is being resolved.
	errors    gqlerror.List
}

// object returns the selected fields of an object. It is nil if a field that must not be null failed.
func (x *execution) object(of object, is *ast.Definition, selected ast.SelectionSet, path ast.Path) any {
	if name, named := of["__typename"].(string); named {
		is = x.schema.Types[name]
	}
	result := object{}
	for _, f := range x.collect(selected, is, map[string]bool{}, nil) {
		if x.ctx.Err() != nil {
			return nil // The client has gone away.
		}
		if f.Name == "__typename" {
			result[f.Alias] = is.Name
			continue
		}
		at := append(slices.Clip(path), ast.PathName(f.Alias))
		resolved := x.resolve(of, f)
		if x.failed != nil {
			x.failed[0].Path = at
			x.errors, x.failed = append(x.errors, x.failed...), nil
		}
		completed := x.complete(resolved, f, at)
		if completed == nil && f.Definition.Type.NonNull {
			return nil
		}
		result[f.Alias] = completed
	}
	return result
}

// collect appends the selected fields in order, and merges the ones that have one name in the response. Each fragment
// is spread once.
func (x *execution) collect(selected ast.SelectionSet, is *ast.Definition, spread map[string]bool,
	fields []*ast.Field) []*ast.Field {
	for _, selection := range selected {
		switch s := selection.(type) {
		case *ast.Field:
			at := slices.IndexFunc(fields, func(f *ast.Field) bool { return f.Alias == s.Alias })
			if !x.includes(s.Directives, "", is) {
				continue
			} else if at < 0 {
				fields = append(fields, s)
				continue
			}
			merged := *fields[at]
			merged.SelectionSet = slices.Concat(merged.SelectionSet, s.SelectionSet)
			fields[at] = &merged
		case *ast.InlineFragment:
			if x.includes(s.Directives, s.TypeCondition, is) {
				fields = x.collect(s.SelectionSet, is, spread, fields)
			}
		case *ast.FragmentSpread:
			if !spread[s.Name] && x.includes(s.Directives, s.Definition.TypeCondition, is) {
				spread[s.Name] = true
				fields = x.collect(s.Definition.SelectionSet, is, spread, fields)
			}
		}
	}
	return fields
}

// includes evaluates the directives skip and include, and the type that a fragment is about.
func (x *execution) includes(directives ast.DirectiveList, condition string, is *ast.Definition) bool {
	for _, d := range directives {
		if only := d.Arguments.ForName("if"); only != nil {
			if value, _ := only.Value.Value(x.variables); value == (d.Name == "skip") {
				return false
			}
		}
	}
	return condition == "" || condition == is.Name || slices.Contains(is.Interfaces, condition)
}

// resolve returns the value of a field, which its arguments filter, order and divide into pages. A field of one object
// in the place of a list, such as collection in the place of collections, is the first that has the arguments. A field
// that is made on demand may have its own use for them.
func (x *execution) resolve(of object, f *ast.Field) any {
	args := object{}
	for _, a := range f.Arguments {
		value, _ := a.Value.Value(x.variables) // The schema accepts it.
		args[a.Name] = x.read(a.Name, f.Definition.Arguments.ForName(a.Name).Type, value)
	}
	if x.failed != nil {
		return nil
	}
	value := of[f.Name]
	if value == nil && len(args) > 0 {
		value = of[f.Name+"s"]
	}
	made, onDemand := value.(field)
	if onDemand {
		value = made(args)
	}
	list, listed := value.([]object)
	switch is := f.Definition.Type; {
	case (listed || value == nil) && x.schema.Types[is.Name()].Fields.ForName("edges") != nil:
		list = arranged(list, args)
		return page(args, len(list), x.pageCap, func(i int) object { return list[i] })
	case listed && is.Elem != nil && !onDemand:
		return arranged(list, args)
	case listed && is.Elem == nil:
		if list = filtered(list, args); len(list) == 0 {
			return nil
		}
		return list[0]
	}
	return value
}

// complete returns the response form of a value: each object in it with its selected fields.
func (x *execution) complete(value any, f *ast.Field, path ast.Path) any {
	is := x.schema.Types[f.Definition.Type.Name()]
	switch value := value.(type) {
	case object:
		if is.IsCompositeType() { // Otherwise it is a scalar of JSON.
			return x.object(value, is, f.SelectionSet, path)
		}
	case []object:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = x.object(item, is, f.SelectionSet, append(slices.Clip(path), ast.PathIndex(i)))
		}
		return list
	}
	return value
}

// read decodes the times, the periods, the cursors and the sizes of pages in an argument. If it cannot decode one, the
// field fails.
func (x *execution) read(name string, is *ast.Type, value any) any {
	switch value := value.(type) {
	case object:
		read := object{}
		for key, inner := range value {
			read[key] = x.read(key, x.schema.Types[is.Name()].Fields.ForName(key).Type, inner)
		}
		return read
	case []any:
		read := make([]any, len(value))
		for i, inner := range value {
			read[i] = x.read(name, is, inner)
		}
		return read
	case int64:
		return x.read(name, is, float64(value))
	case float64:
		if name == "first" || name == "last" {
			if value < 0 {
				x.failed = failure("INVALID_ARGUMENT", name+" must not be negative")
			}
			return int(value)
		}
	case string:
		switch {
		case is.Name() == "DateTime":
			at, err := time.Parse(time.RFC3339, value)
			if err != nil {
				x.failed = failure("INVALID_ARGUMENT", name+" must be a time as RFC 3339 has it")
			}
			return stamp(at)
		case name == "timePeriod": // It ends with the last event.
			return object{"gt": stamp(ended.Add(-periods[value]))}
		case name == "after" || name == "before":
			number, known := strings.CutPrefix(value, cursorPrefix)
			position, err := strconv.ParseUint(number, 10, 31)
			if err != nil || !known {
				x.failed = failure("INVALID_CURSOR", name+" is not a cursor of this listing")
			}
			return int(position)
		}
	}
	return value
}

// compare compares a value of an object with a value of the same field, or with one in the query. Case does not matter.
func compare(value, with any) int {
	if number, is := value.(float64); is {
		other, _ := with.(float64)
		return cmp.Compare(number, other)
	}
	return cmp.Compare(strings.ToLower(fmt.Sprint(value)), strings.ToLower(fmt.Sprint(with)))
}

// comparisons are the results of compare that an operator of a filter accepts.
var comparisons = map[string][]int{"gt": {1}, "gte": {0, 1}, "lt": {-1}, "lte": {-1, 0}}

// passes reports whether a value passes a condition of a filter: a condition for each field of an object, an object of
// operators, a list of alternatives, or a single value. A missing condition lets all pass. One of a list of values is
// enough.
func passes(value, condition any) bool {
	if values, several := value.([]any); several {
		return slices.ContainsFunc(values, func(v any) bool { return passes(v, condition) })
	}
	switch condition := condition.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(condition, func(one any) bool { return passes(value, one) })
	case object:
		for name, with := range condition {
			passed := true
			if inner, nested := value.(object); nested {
				passed = passes(inner[name], with)
			} else if accepted, known := comparisons[name]; known && with != nil {
				passed = slices.Contains(accepted, compare(value, with))
			} else if with != nil {
				passed = passes(value, with) != (name == "notIn")
			}
			if !passed {
				return false
			}
		}
		return true
	}
	return value != nil && compare(value, condition) == 0
}

// filtered returns the objects that pass a condition.
func filtered(list []object, condition any) []object {
	return slices.DeleteFunc(slices.Clone(list), func(one object) bool { return !passes(one, condition) })
}

// arranged filters a list, and sorts it by the field that has the name of the order, such as NAME. A list without such
// a field is in order already.
func arranged(list []object, args object) []object {
	found := filtered(list, args["filter"])
	by, _ := args["orderBy"].(string)
	slices.SortStableFunc(found, func(a, b object) int { return compare(a[by], b[by]) })
	if args["orderDirection"] == "DESC" {
		slices.Reverse(found)
	}
	return found
}

const (
	defaultPage  = 20 // If the query has no size (assumed).
	cursorPrefix = "at:"
)

// page returns a page of a list of n items, and makes only the items on it.
func page(args object, n, limit int, item func(i int) object) object {
	start, end := window(args, n, limit)
	edges := []object{}
	for i := start; i < end; i++ {
		edges = append(edges, object{"cursor": cursorPrefix + strconv.Itoa(i), "node": item(i)})
	}
	info := object{"hasNextPage": end < n, "hasPreviousPage": start > 0}
	if len(edges) > 0 {
		info["startCursor"], info["endCursor"] = edges[0]["cursor"], edges[len(edges)-1]["cursor"]
	}
	return object{"edges": edges, "pageInfo": info, "totalCount": n}
}

// window returns the beginning and the end of a page: the first items between the cursors, and the last ones of these.
func window(args object, n, limit int) (start, end int) {
	number := func(name string, missing int) int {
		if sent, is := args[name].(int); is {
			return sent
		}
		return missing
	}
	start, end = min(number("after", -1)+1, n), min(number("before", n), n)
	if args["first"] != nil || args["last"] == nil {
		end = min(end, start+min(number("first", defaultPage), limit))
	}
	if args["last"] != nil {
		start = max(start, end-min(number("last", 0), limit))
	}
	return start, end
}
