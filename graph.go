package rpcfleet

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/document"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/operation"
	"github.com/rpcfleet/rpcfleet-go/internal/wire"
)

// GraphService queries NFT and ERC-20 data. Its methods send the queries of package graph; graph.Query sends any other:
//
//	data, err := graph.Query[answer](ctx, client.Graph, query, variables)
//
// Every call is one POST to the same path, and is repeated like a read. An answer that states errors is an *Error with
// them in its field GraphQL, whatever the status; where data came beside the errors, it is returned beside the *Error,
// with zero values for what is missing. A thing that does not exist is ErrNotFound.
//
// Only Ethereum is part of the contract, and of it a collection's name, symbol and total supply; all else was observed.
type GraphService struct {
	engine *engine
	path   string
}

// MakeRequest implements graph.Client.
//
// POST /graphql
func (s *GraphService) MakeRequest(ctx context.Context, request *graph.Request, response *graph.Response) error {
	return s.With().MakeRequest(ctx, request, response)
}

// With returns a graph.Client that sends every request with the options.
func (s *GraphService) With(opts ...CallOption) graph.Client {
	return graphClient{s, graphCall{opts: opts}}
}

// On returns a graph.Client that puts the operations of package graph to another chain. See graph.Chain.Apply for what
// it needs of a query.
func (s *GraphService) On(chain graph.Chain, opts ...CallOption) graph.Client {
	return graphClient{s, graphCall{chain: &chain, opts: opts}}
}

// graphClient sends requests, all in the same way.
type graphClient struct {
	service *GraphService
	how     graphCall
}

// MakeRequest implements graph.Client.
func (c graphClient) MakeRequest(ctx context.Context, request *graph.Request, response *graph.Response) error {
	_, err := c.service.carryOut(ctx, request, response, c.how)
	return err
}

// graphQuery is a graph.Client for one call of a service method. It keeps what became of the call.
type graphQuery struct {
	service *GraphService
	how     graphCall
	report  *response
	// first and after say which page of a listing is asked for.
	first *int
	after *string
}

// query begins a call of a service method.
func (s *GraphService) query(chain graph.Chain, opts []CallOption, checks ...*ValidationError) *graphQuery {
	return &graphQuery{service: s, how: graphCall{&chain, checks, opts}}
}

// MakeRequest implements graph.Client.
func (q *graphQuery) MakeRequest(ctx context.Context, request *graph.Request, response *graph.Response) (err error) {
	q.report, err = q.service.carryOut(ctx, request, response, q.how)
	return err
}

// found returns what a query asked for. What is not there, in a good answer, does not exist.
func found[T any](q *graphQuery, thing T, there bool, err error) (T, error) {
	if err == nil && !there {
		err = q.report.absent()
	}
	return thing, err
}

// graphCall is how a request is to be sent.
type graphCall struct {
	// chain is the chain to put the query to, or nil to send it as it is.
	chain  *graph.Chain
	checks []*ValidationError
	opts   []CallOption
}

// check checks the chain and the arguments of the call. What could not be a chain's name does not become a part of
// a query. The results are the caller's own: a call can be carried out more than once.
func (c graphCall) check() []*ValidationError {
	var results []*ValidationError
	if c.chain != nil {
		if broken := oneOf("chain", *c.chain); broken != nil {
			broken.essential = !c.chain.Sound()
			results = append(results, broken)
		}
	}
	for _, broken := range c.checks {
		if broken != nil {
			own := *broken
			results = append(results, &own)
		}
	}
	return results
}

// carryOut sends a request and decodes its response, which is nil where no good one came.
func (s *GraphService) carryOut(
	ctx context.Context, request *graph.Request, into *graph.Response, how graphCall,
) (good *response, err error) {
	if request == nil {
		request = &graph.Request{} // The check of the query reports it.
	}
	body, broken := s.request(request, how.chain)
	c := s.engine.call(body, how.opts, append(how.check(), required("query", request.Query), decodable(into), broken)...)
	err = c.send(ctx, func(r *response) error {
		reading, cancel := r.reading(ctx)
		defer cancel()
		stated, err := envelope.ReadGraph(reading, r.Header.Get("Content-Type"), r.Body, graph.Variants, into.Data)
		switch {
		case err != nil:
			return r.unread(ctx, err)
		case len(stated) > 0:
			return r.contested(stated)
		}
		good = r
		return nil
	})
	return good, err
}

// operation describes a request. It counts as a read if all that its document defines are queries.
func (s *GraphService) operation(request *graph.Request) operation.Operation {
	op := operation.Operation{
		ID:         request.OpName,
		Method:     http.MethodPost,
		Path:       s.path,
		Area:       operation.AreaGraph,
		Tag:        "Graph",
		Source:     "observed",
		Idempotent: true,
		Paging:     operation.PagingNone,
		Answer:     operation.AnswerData,
		Statuses:   []int{http.StatusOK, http.StatusBadRequest},
	}
	for _, defined := range document.Operations(request.Query) {
		if op.ID == "" {
			op.ID = defined.Name
		}
		op.Idempotent = op.Idempotent && defined.Type == document.Query
	}
	if op.ID == "" {
		op.ID = "query"
	}
	return op
}

// decodable checks that there is somewhere to put the answer's data.
func decodable(response *graph.Response) *ValidationError {
	if response != nil {
		if data := reflect.ValueOf(response.Data); data.Kind() == reflect.Pointer && !data.IsNil() {
			return nil
		}
	}
	return &ValidationError{Field: "response data", Rule: "must be a pointer to decode into", essential: true}
}

// request describes a request to the engine.
func (s *GraphService) request(request *graph.Request, chain *graph.Chain) (wire.Request, *ValidationError) {
	query, err := request.Query, error(nil)
	if chain != nil {
		query, err = chain.Apply(query)
	}
	var broken *ValidationError
	if err != nil {
		broken = &ValidationError{Field: "request", Rule: "cannot be built: " + shown(err.Error()), essential: true}
	}
	variables, err := json.Marshal(request.Variables)
	if err != nil && broken == nil {
		broken = &ValidationError{Field: "request", Rule: "cannot be built: " + shown(err.Error()), essential: true}
	}
	if request.Variables == nil {
		variables = nil
	}
	op := s.operation(request)
	return wire.Request{Operation: &op, Body: struct {
		Query         string         `json:"query"`
		Variables     jsontext.Value `json:"variables,omitzero"`
		OperationName string         `json:"operationName,omitzero"`
	}{query, variables, request.OpName}}, broken
}
