package wire

import (
	"errors"
	"net/url"
	"strings"

	"github.com/oapi-codegen/runtime"
)

// Query is the parameters of a request's query, in the order of the contract. Parameters that are not there are left
// out.
type Query struct {
	parameters []QueryParameter
	err        error
}

// QueryParameter is one parameter of a query.
type QueryParameter struct {
	Name   string
	Values []string
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

// encode returns the query in its escaped form.
func (q *Query) encode(style ListStyle) (string, error) {
	var text strings.Builder
	for _, parameter := range q.parameters {
		name := url.QueryEscape(parameter.Name)
		if parameter.List && style == ListBrackets {
			name = url.QueryEscape(parameter.Name + "[]")
		}
		for i, value := range parameter.Values {
			if parameter.List && style == ListCommas && i > 0 {
				text.WriteByte(',')
			} else {
				if text.Len() > 0 {
					text.WriteByte('&')
				}
				text.WriteString(name)
				text.WriteByte('=')
			}
			text.WriteString(url.QueryEscape(value))
		}
	}
	return text.String(), q.err
}

// required adds a parameter that is always sent.
func required[T any](q *Query, name string, value T) {
	q.add(QueryParameter{Name: name}, value)
}

// optional adds a parameter unless it is nil.
func optional[T any](q *Query, name string, value *T) {
	if value != nil {
		required(q, name, *value)
	}
}

// list adds a parameter that takes several values. Where there are none, nothing is sent.
func list[T any](q *Query, name string, values []T) {
	boxed := make([]any, len(values))
	for i, value := range values {
		boxed[i] = value
	}
	q.add(QueryParameter{Name: name, List: true}, boxed...)
}

// add spells the values and adds the parameter.
func (q *Query) add(parameter QueryParameter, values ...any) {
	for _, value := range values {
		text, err := spelled(parameter.Name, value)
		q.err = errors.Join(q.err, err)
		parameter.Values = append(parameter.Values, text)
	}
	q.parameters = append(q.parameters, parameter)
}

// spelled spells a value as the contract's parameters do: texts as they are, numbers, booleans and times in their usual
// forms.
func spelled(name string, value any) (string, error) {
	return runtime.StyleParamWithOptions("simple", false, name, value, runtime.StyleParamOptions{})
}
