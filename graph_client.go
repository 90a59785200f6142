package rpcfleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"github.com/Khan/genqlient/graphql"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/document"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

var _ graphql.Client = (*GraphService)(nil)

// MakeRequest implements graphql.Client of github.com/Khan/genqlient: it sends a query of the caller's own and decodes
// the data of the response into what response.Data points to. Where the response states errors, they are in
// response.Errors too, cleaned of secrets, beside the [*Error] that is returned.
//
// Names match exactly, capitals included. A field at the top of the data that was asked for and that the type has no
// member for is a [*DecodeError] with [ReasonNoMember], beside what was decoded, and so is data without a field for any
// member: a member with a wrong name would be left empty in silence. Further in, that holds for a field that differs
// from a member in capitals alone; others may be left out.
//
// POST /graphql
func (s *GraphService) MakeRequest(ctx context.Context, request *graphql.Request, response *graphql.Response) error {
	return graphClient{service: s}.MakeRequest(ctx, request, response)
}

// With returns a graphql.Client that sends every request with the options.
func (s *GraphService) With(opts ...CallOption) graphql.Client {
	return graphClient{s, opts}
}

// graphClient sends the requests of callers, all with the same options.
type graphClient struct {
	service *GraphService
	opts    []CallOption
}

// MakeRequest implements graphql.Client.
func (g graphClient) MakeRequest(ctx context.Context, request *graphql.Request, into *graphql.Response) error {
	if request == nil {
		request = &graphql.Request{} // The check of the query reports it.
	}
	if into != nil {
		into.Errors, into.Extensions = nil, nil // What an earlier call has left there is none of this one's.
	}
	variables, unsendable := writeVariables(request.Variables)
	body := queries.GraphBody{Query: request.Query, Variables: variables, OperationName: request.OpName}
	c := g.service.engine.call(body.To(g.service.operation(request)), g.opts,
		required("query", request.Query), decodable(into), unsendable)
	c.own, c.keepsBody = true, true // The data's own unmarshalers may be anybody's.
	err := c.send(ctx, func(r *response) error {
		stated, err := envelope.ReadGraph(r.reading(ctx), r.Header.Get("Content-Type"), r.Body, queries.AnyData, into.Data)
		switch {
		case err != nil:
			return r.readError(ctx, err)
		case len(stated) > 0:
			return r.graphError(stated)
		}
		into.Extensions = extensions(r.Body)
		if err := envelope.Unmatched(r.Body, document.Fields(request.Query), into.Data); err != nil {
			return r.contentError(err)
		}
		return nil
	})
	var failure *Error
	if errors.As(err, &failure) && failure.graph != nil {
		into.Errors, into.Extensions = failure.graph.Errors, failure.graph.Extensions
	}
	return err
}

// extensions returns what a good response says beside its data.
func extensions(body []byte) map[string]any {
	var stated graphql.BaseResponse[json.RawMessage]
	if !bytes.Contains(body, []byte(`"extensions"`)) || json.Unmarshal(body, &stated) != nil {
		return nil
	}
	return stated.Extensions
}

// writeVariables writes variables as genqlient's own client does, whose generated code counts on it.
func writeVariables(variables any) (any, *ValidationError) {
	if variables == nil {
		return nil, nil
	}
	text, err := json.Marshal(variables)
	if err != nil {
		return nil, &ValidationError{Field: "request", Rule: "cannot be built: " + shown(err.Error()), always: true}
	}
	return json.RawMessage(text), nil
}

// operation describes a request. It counts as a read if all that its document defines are queries.
func (s *GraphService) operation(request *graphql.Request) *api.Operation {
	op := api.Operation{
		ID:         request.OpName,
		Method:     http.MethodPost,
		Path:       s.path,
		Area:       api.AreaGraph,
		Tag:        "Graph",
		Source:     "observed",
		Idempotent: true,
		Paging:     api.PagingNone,
		Response:   api.ResponseData,
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
	return &op
}

// decodable checks that there is somewhere to put the response's data.
func decodable(response *graphql.Response) *ValidationError {
	if response != nil {
		if data := reflect.ValueOf(response.Data); data.Kind() == reflect.Pointer && !data.IsNil() {
			return nil
		}
	}
	return &ValidationError{Field: "response data", Rule: "must be a pointer to decode into", always: true}
}
