package api

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/oapi-codegen/runtime"
)

// Query contains the parameters of a request's query, in the order of the contract. A parameter with several values is
// present once for each value. A parameter without a value is left out.
type Query []QueryParameter

// QueryParameter is one value of a parameter: a string, a number, a boolean or a time.
type QueryParameter struct {
	Name  string
	Value any
	// List is set if the parameter takes several values.
	List bool
}

// ListStyle is the format of a query parameter that takes several values.
type ListStyle int

// The styles.
const (
	// ListRepeated repeats the name: networks=a&networks=b.
	ListRepeated ListStyle = iota
	// ListBrackets appends percent-encoded brackets to the name: networks[]=a&networks[]=b.
	ListBrackets
	// ListCommas joins the values: networks=a,b. A comma within a value is percent-encoded.
	ListCommas
)

// QueryOf returns a query with values that are not parameters of the contract, sorted by name.
func QueryOf(values url.Values) (query Query) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			query = append(query, QueryParameter{Name: name, Value: value})
		}
	}
	return query
}

// encode returns the escaped query.
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
		value, err := format(parameter.Name, parameter.Value)
		if err != nil {
			return "", err
		}
		text.WriteString(url.QueryEscape(value))
	}
	return text.String(), nil
}

// format formats a value like the contract's parameters: strings unchanged; numbers, booleans and times in their usual
// formats.
func format(name string, value any) (string, error) {
	return runtime.StyleParamWithOptions("simple", false, name, value, runtime.StyleParamOptions{})
}

// optional appends a parameter if its value is not nil.
func optional[T any](q Query, name string, value *T) Query {
	if value == nil {
		return q
	}
	return append(q, QueryParameter{Name: name, Value: *value})
}

// unixTime appends a time in unix seconds if it is not zero.
func unixTime(q Query, name string, at time.Time) Query {
	if at.IsZero() {
		return q
	}
	return append(q, QueryParameter{Name: name, Value: at.Unix()})
}

// list appends a parameter that takes several values.
func list[T any](q Query, name string, values []T) Query {
	for _, value := range values {
		q = append(q, QueryParameter{Name: name, Value: value, List: true})
	}
	return q
}
