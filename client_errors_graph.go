package rpcfleet

import (
	"encoding/json"
	"slices"

	"github.com/Khan/genqlient/graphql"

	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// graphError describes a response with a success status that has errors in it.
func (r *response) graphError(stated []envelope.GraphError) *Error {
	failure := r.newError()
	r.addGraphErrors(failure, stated)
	failure.Message = failure.GraphQL[0].Message
	return failure
}

// notFound describes a good response that has a null in the place of what was asked for.
func (r *response) notFound() *Error {
	failure := r.newError()
	failure.notFound = true
	return failure
}

// addGraphErrors adds the errors of a response, cleaned of secrets.
func (r *response) addGraphErrors(failure *Error, stated []envelope.GraphError) {
	for _, e := range stated {
		failure.GraphQL = append(failure.GraphQL, GraphQLError{r.clean(e.Message), r.clean(e.Path), r.clean(e.Code)})
	}
	failure.graph = r.genqlient(failure.GraphQL)
}

// graphSize bounds the errors and extensions of a response that are kept as genqlient has them.
const graphSize = 64 << 10

// genqlient returns the errors and the extensions of a response as genqlient has them, cleaned of secrets. Where they
// have not the shape that GraphQL prescribes, or are too large, they are what was found of them.
func (r *response) genqlient(found []GraphQLError) *graphql.Response {
	type object = map[string]any
	var stated struct {
		Errors     any `json:"errors,omitempty"`
		Extensions any `json:"extensions,omitempty"`
	}
	var made graphql.Response
	if json.Unmarshal(r.Body, &stated) == nil {
		stated.Errors, stated.Extensions = r.cleanAll(stated.Errors), r.cleanAll(stated.Extensions)
		text, err := json.Marshal(stated)
		if err == nil && len(text) <= graphSize &&
			json.Unmarshal([]byte(redact.Text(string(text), r.secrets()...)), &made) == nil && !slices.Contains(made.Errors, nil) {
			return &made
		}
	}
	var errors []object
	for _, e := range found {
		errors = append(errors, object{"message": e.Message, "extensions": object{"code": e.Code}})
	}
	made = graphql.Response{}
	if text, err := json.Marshal(object{"errors": errors}); err == nil {
		_ = json.Unmarshal(text, &made) // It has the shape that was wanted.
	}
	return &made
}

// cleanAll cleans the texts in a decoded JSON value.
func (r *response) cleanAll(value any) any {
	switch value := value.(type) {
	case string:
		return r.clean(value)
	case []any:
		for i := range value {
			value[i] = r.cleanAll(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = r.cleanAll(value[name])
		}
	}
	return value
}
