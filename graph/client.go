package graph

import "context"

// Client carries out requests. The Graph service of rpcfleet.Client is one, and so is what its On and With return.
type Client interface {
	// MakeRequest sends the request and decodes the data of its answer into what response.Data points to. Where the
	// answer has errors beside data, the data is decoded and the error returned.
	MakeRequest(ctx context.Context, request *Request, response *Response) error
}

// Request is a query with its variables.
type Request struct {
	// OpName is the name of the operation, which must be one of the query's. Empty leaves it to the service, where the
	// query has one operation only.
	OpName string
	// Query is the document.
	Query string
	// Variables is a record or a map with the variables, or nil.
	Variables any
}

// Response is where the answer goes.
type Response struct {
	// Data points to the record that the answer's data is decoded into.
	Data any
}

// Operation is one operation of this package.
type Operation struct {
	// Name is the operation's name, which is also that of the function that sends it.
	Name string
	// Document is the query as it is sent, for the chain Ethereum.
	Document string
}
