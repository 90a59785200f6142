package api

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/oapi-codegen/runtime"
)

// Query is the parameters of a request's query, in the order of the contract. A parameter that takes several values is
// there once for each; one that is not given is left out.
type Query []QueryParameter

// QueryParameter is a value of a query's parameter: a text, a number, a truth value or a time.
type QueryParameter struct {
	Name  string
	Value any
	// List is set for a parameter that takes several values.
	List bool
}

// ListStyle is how a query spells a parameter that takes several values.
type ListStyle int

// The styles.
const (
	// ListRepeated repeats the name: networks=a&networks=b.
	ListRepeated ListStyle = iota
	// ListBrackets puts brackets behind it, percent-encoded: networks[]=a&networks[]=b.
	ListBrackets
	// ListCommas joins the values: networks=a,b. A comma within a value is percent-encoded.
	ListCommas
)

// QueryOf makes a query of values that no parameters of the contract stand for, in the order of their names.
func QueryOf(values url.Values) (query Query) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			query = append(query, QueryParameter{Name: name, Value: value})
		}
	}
	return query
}

// encode returns the query in its escaped form.
func (q Query) encode(style ListStyle) (string, error) {
	var text strings.Builder
	for i, parameter := range q {
		if i > 0 && parameter.List && style == ListCommas && q[i-1].Name == parameter.Name {
			text.WriteByte(',')
		} else {
			if i > 0 {
				text.WriteByte('&')
			}
			name := parameter.Name
			if parameter.List && style == ListBrackets {
				name += "[]"
			}
			text.WriteString(url.QueryEscape(name))
			text.WriteByte('=')
		}
		value, err := spelled(parameter.Name, parameter.Value)
		if err != nil {
			return "", err
		}
		text.WriteString(url.QueryEscape(value))
	}
	return text.String(), nil
}

// spelled spells a value as the contract's parameters do: texts as they are, numbers, booleans and times in their usual
// forms.
func spelled(name string, value any) (string, error) {
	return runtime.StyleParamWithOptions("simple", false, name, value, runtime.StyleParamOptions{})
}

// optional returns the query with a parameter, unless it is nil.
func optional[T any](q Query, name string, value *T) Query {
	if value == nil {
		return q
	}
	return append(q, QueryParameter{Name: name, Value: *value})
}

// list returns the query with a parameter that takes several values.
func list[T any](q Query, name string, values []T) Query {
	for _, value := range values {
		q = append(q, QueryParameter{Name: name, Value: value, List: true})
	}
	return q
}
