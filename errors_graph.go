package rpcfleet

import "github.com/rpcfleet/rpcfleet-go/internal/envelope"

// GraphQLError is one of the errors in an answer of the graph area.
type GraphQLError struct {
	// Message is the service's explanation, cleaned of secrets.
	Message string
	// Path leads to the field that failed, such as "chain.collection.stats": names and indices, from the root of the
	// data. It is empty where the whole query failed.
	Path string
	// Code is the service's name for the kind of error, such as "INVALID_FIELD", or empty.
	Code string
}

// graphErrors cleans the errors of an answer.
func (r *response) graphErrors(stated []envelope.GraphError) []GraphQLError {
	var errors []GraphQLError
	for _, e := range stated {
		errors = append(errors, GraphQLError{r.clean(e.Message), r.clean(e.Path), r.clean(e.Code)})
	}
	return errors
}

// contested describes an answer with a success status that has errors in it.
func (r *response) contested(stated []envelope.GraphError) *Error {
	fault := r.fault()
	fault.GraphQL = r.graphErrors(stated)
	fault.Message = fault.GraphQL[0].Message
	return fault
}

// absent describes a good answer that has a null in the place of what was asked for.
func (r *response) absent() *Error {
	fault := r.fault()
	fault.absent = true
	return fault
}
