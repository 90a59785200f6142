package graphapi

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
