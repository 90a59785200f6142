package wire

import (
	"maps"
	"net/url"
	"slices"
)

// NewQuery makes a query of values that no parameters of the contract stand for, in the order of their names.
func NewQuery(values url.Values) Query {
	var query Query
	for _, name := range slices.Sorted(maps.Keys(values)) {
		query.parameters = append(query.parameters, QueryParameter{Name: name, Values: slices.Clone(values[name])})
	}
	return query
}
