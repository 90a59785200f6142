package graphapi

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// compare compares a value of an object with a value of the same field, or with one in the query. Case does not matter.
func compare(value, with any) int {
	switch value := value.(type) {
	case time.Time:
		other, _ := with.(time.Time)
		return value.Compare(other)
	case float64:
		other, _ := with.(float64)
		return cmp.Compare(value, other)
	case *big.Int:
		if other, is := with.(*big.Int); is {
			return value.Cmp(other)
		}
	}
	return cmp.Compare(strings.ToLower(fmt.Sprint(value)), strings.ToLower(fmt.Sprint(with)))
}

// holds reports whether an operator of a filter holds between a value and the one in the query.
func holds(value any, operator string, with any) bool {
	switch operator {
	case "notIn":
		return !passes(value, with)
	case "gt":
		return compare(value, with) > 0
	case "gte":
		return compare(value, with) >= 0
	case "lt":
		return compare(value, with) < 0
	case "lte":
		return compare(value, with) <= 0
	}
	return passes(value, with) // eq and in.
}

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
		inner, nested := value.(object)
		for name, with := range condition {
			if nested && !passes(inner[name], with) || !nested && with != nil && !holds(value, name, with) {
				return false
			}
		}
		return true
	}
	return value != nil && compare(value, condition) == 0
}

// filtered returns the objects that pass a condition.
func filtered(list []object, condition any) []object {
	found := []object{}
	for _, one := range list {
		if passes(one, condition) {
			found = append(found, one)
		}
	}
	return found
}

// ordered sorts a list by the field that has the name of the order, such as NAME. Lists without it are in order already.
func ordered(list []object, by, direction any) []object {
	key, _ := by.(string)
	slices.SortStableFunc(list, func(a, b object) int { return compare(a[key], b[key]) })
	if direction == "DESC" {
		slices.Reverse(list)
	}
	return list
}

// defaultPage is the size of a page if the query has none (assumed).
const defaultPage = 20

// page returns a page of a list of n items, and makes only the items on it.
func page(args object, n, limit int, item func(i int) object) object {
	start, end := window(args, n, limit)
	edges := []object{}
	for i := start; i < end; i++ {
		edges = append(edges, object{"cursor": cursorAt(i), "node": item(i)})
	}
	info := object{"hasNextPage": end < n, "hasPreviousPage": start > 0}
	if len(edges) > 0 {
		info["startCursor"], info["endCursor"] = edges[0]["cursor"], edges[len(edges)-1]["cursor"]
	}
	return object{"edges": edges, "pageInfo": info, "totalCount": n}
}

// window returns the beginning and the end of a page: the first items between the cursors, and the last ones of these.
func window(args object, n, limit int) (start, end int) {
	end = n
	if after, is := args["after"].(int); is {
		start = min(after+1, n)
	}
	if before, is := args["before"].(int); is {
		end = min(before, n)
	}
	first, hasFirst := args["first"].(int)
	last, hasLast := args["last"].(int)
	if !hasFirst && !hasLast {
		first, hasFirst = defaultPage, true
	}
	if hasFirst {
		end = min(end, start+min(first, limit))
	}
	if hasLast {
		start = max(start, end-min(last, limit))
	}
	return start, end
}

const cursorPrefix = "at:"

func cursorAt(i int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s%d", cursorPrefix, i))
}

// readCursor returns the position of the item with a cursor.
func readCursor(argument, cursor string) (any, *gqlerror.Error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	number, known := strings.CutPrefix(string(text), cursorPrefix)
	position, malformed := strconv.ParseUint(number, 10, 31)
	if err != nil || !known || malformed != nil {
		return nil, failure("INVALID_CURSOR", argument+" is not a cursor of this listing")
	}
	return int(position), nil
}
