package graphapi

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bigInt is the schema's BigInt.
type bigInt struct{ *big.Int }

func newBigInt(v int64) bigInt { return bigInt{big.NewInt(v)} }

// MarshalJSON writes a number up to 2^53, and text beyond (observed).
func (b bigInt) MarshalJSON() ([]byte, error) {
	if b.CmpAbs(big.NewInt(1<<53)) <= 0 {
		return []byte(b.String()), nil
	}
	return json.Marshal(b.String())
}

// dateTime is the schema's DateTime.
type dateTime struct{ time.Time }

// MarshalJSON writes RFC 3339 with milliseconds.
func (d dateTime) MarshalJSON() ([]byte, error) {
	return json.Marshal(d.UTC().Format("2006-01-02T15:04:05.000Z"))
}

func numberOf(value any) (float64, bool) {
	switch n := value.(type) {
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case float64:
		return n, true
	case bigInt:
		f, _ := new(big.Float).SetInt(n.Int).Float64()
		return f, true
	}
	return 0, false
}

// compare compares a value of an object with a value of the same field, or with one in the query. Case does not matter.
func compare(value, with any) (int, error) {
	if at, is := value.(dateTime); is {
		if other, is := with.(dateTime); is {
			return at.Compare(other.Time), nil
		}
		text, _ := with.(string)
		other, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return 0, &failure{"INVALID_ARGUMENT", "a DateTime must be a time as RFC 3339 has it"}
		}
		return at.Compare(other), nil
	}
	if a, is := value.(bigInt); is {
		if b, is := with.(bigInt); is {
			return a.Cmp(b.Int), nil
		}
	}
	if a, is := numberOf(value); is {
		b, _ := numberOf(with)
		return cmp.Compare(a, b), nil
	}
	return cmp.Compare(strings.ToLower(fmt.Sprint(value)), strings.ToLower(fmt.Sprint(with))), nil
}

// conditions are the operators of filters. Each gets the result of compare.
var conditions = map[string]func(int) bool{
	"eq": func(c int) bool { return c == 0 },
	"gt": func(c int) bool { return c > 0 }, "gte": func(c int) bool { return c >= 0 },
	"lt": func(c int) bool { return c < 0 }, "lte": func(c int) bool { return c <= 0 },
}

// passes reports whether a value passes a condition of a filter: an object of operators, a list of alternatives, or a
// single value. A missing condition lets all pass. One of a list of values is enough.
func passes(value, condition any) (bool, error) {
	if values, is := value.([]string); is {
		for _, v := range values {
			if ok, err := passes(v, condition); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	}
	switch condition := condition.(type) {
	case nil:
		return true, nil
	case []any:
		for _, one := range condition {
			if ok, err := passes(value, one); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	case map[string]any:
		if inner, is := value.(object); is {
			return inner.passes(condition)
		}
		for operator, with := range condition {
			ok, err := true, error(nil)
			if holds := conditions[operator]; with == nil {
				continue
			} else if holds != nil {
				var compared int
				compared, err = compare(value, with)
				ok = holds(compared)
			} else if list, is := with.([]any); is { // This is in or notIn.
				ok, err = passes(value, list)
				ok = ok == (operator == "in")
			}
			if !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	}
	compared, err := compare(value, condition)
	return compared == 0, err
}

// passes reports whether an object passes all conditions of a filter, each for the member of the same name.
func (o object) passes(filter arguments) (bool, error) {
	for name, condition := range filter {
		if ok, err := passes(o[name], condition); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func filtered(list []object, filter arguments) ([]object, error) {
	var kept []object
	for _, o := range list {
		ok, err := o.passes(filter)
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, o)
		}
	}
	return kept, nil
}

// ordered sorts a list by the member that orderBy names, such as "by NAME". Without it, the list is in order already.
// Equal objects keep their places.
func ordered(list []object, by, direction string) []object {
	sign := 1
	if direction == "DESC" {
		sign = -1
	}
	key := "by " + by
	if len(list) > 0 && list[0][key] == nil {
		if sign < 0 {
			slices.Reverse(list)
		}
		return list
	}
	slices.SortStableFunc(list, func(a, b object) int {
		compared, _ := compare(a[key], b[key]) // Both are values of the data.
		return sign * compared
	})
	return list
}

// defaultPage is the size of a page if the query has none (assumed).
const defaultPage = 20

// list returns a page of a list, filtered and ordered as the arguments ask for.
func (c *chain) list(args arguments, list []object) (any, error) {
	found, err := filtered(list, args.input("filter"))
	if err != nil {
		return nil, err
	}
	found = ordered(found, args.text("orderBy"), args.text("orderDirection"))
	return c.page(args, len(found), func(i int) object { return found[i] })
}

// page returns a page of a list of n items, and makes only the items on it.
func (c *chain) page(args arguments, n int, item func(i int) object) (any, error) {
	start, end, err := window(args, n, c.pageCap)
	if err != nil {
		return nil, err
	}
	edges := []object{}
	for i := start; i < end; i++ {
		edges = append(edges, object{"cursor": cursorAt(i), "node": item(i)})
	}
	info := object{"hasNextPage": end < n, "hasPreviousPage": start > 0}
	if len(edges) > 0 {
		info["startCursor"], info["endCursor"] = edges[0]["cursor"], edges[len(edges)-1]["cursor"]
	}
	return object{"edges": edges, "pageInfo": info, "totalCount": n}, nil
}

// window returns the beginning and the end of a page: the first items between the cursors, and the last ones of these.
func window(args arguments, n, limit int) (start, end int, err error) {
	end = n
	if args["after"] != nil {
		if start, err = readCursor("after", args.text("after")); err != nil {
			return 0, 0, err
		}
		start = min(start+1, n)
	}
	if args["before"] != nil {
		if end, err = readCursor("before", args.text("before")); err != nil {
			return 0, 0, err
		}
		end = min(end, n)
	}
	first, hasFirst := args.number("first")
	last, hasLast := args.number("last")
	switch {
	case args["first"] != nil && !hasFirst || args["last"] != nil && !hasLast:
		return 0, 0, &failure{"INVALID_ARGUMENT", "first and last must be numbers"}
	case first < 0:
		return 0, 0, &failure{"INVALID_ARGUMENT", "first must not be negative"}
	case last < 0:
		return 0, 0, &failure{"INVALID_ARGUMENT", "last must not be negative"}
	case !hasFirst && !hasLast:
		first, hasFirst = defaultPage, true
	}
	if hasFirst {
		end = min(end, start+min(int(first), limit))
	}
	if hasLast {
		start = max(start, end-min(int(last), limit))
	}
	return start, end, nil
}

const cursorPrefix = "at:"

func cursorAt(i int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s%d", cursorPrefix, i))
}

// readCursor returns the position of the item with a cursor.
func readCursor(argument, cursor string) (int, error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	number, known := strings.CutPrefix(string(text), cursorPrefix)
	position, malformed := strconv.ParseUint(number, 10, 31)
	if err != nil || !known || malformed != nil {
		return 0, &failure{"INVALID_CURSOR", argument + " is not a cursor of this listing"}
	}
	return int(position), nil
}
