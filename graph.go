package rpcfleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"unicode/utf8"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// GraphService queries NFT and ERC-20 data. Its methods send queries of this library; [graph.Query] sends any other:
//
//	data, err := graph.Query[response](ctx, client.Graph, query, variables)
//
// A GraphService is also a graphql.Client of github.com/Khan/genqlient, which the code that genqlient generates from a
// caller's own queries takes.
//
// Every call is one POST to the same path, /graphql or that of [WithGraphPath], and is retried like a read. A response
// that states errors is an [*Error] with them in its field GraphQL, whatever the status; where data came beside the
// errors, it is returned beside the [*Error], with zero values for what is missing. Of a page with a failing item, all
// others are returned beside the error: see [Connection]. A thing that does not exist is [ErrNotFound].
//
// A wallet is an address or an ENS name in every method. A call on [graph.DefaultChain] is put to the chain of
// [WithDefaultChain]. [QueryConnection] reads a listing in a caller's own query.
//
// Only Ethereum is part of the contract, and of it a collection's name, symbol and total supply; all else was observed.
//
// POST /graphql
type GraphService struct {
	engine *engine
	path   string
	// chain is the one of calls that name none. It may be empty.
	chain graph.Chain
}

// call makes a call of a query of this library. What is no name does not become a part of a document, whatever the
// options say.
func (s *GraphService) call(chain graph.Chain, q queries.Asked, c *caller, checks ...*ValidationError) *call {
	if chain == graph.DefaultChain {
		chain = s.chain
	}
	broken := oneOf("chain", chain)
	if broken != nil {
		broken.always = !queries.IsName(string(chain))
	}
	return c.call(queries.Request(q, chain, s.path), append([]*ValidationError{broken}, checks...)...)
}

// find carries out a call of a query, and returns what it asks for. What is not in a response without errors does not
// exist.
func find[T any, R queries.Found[T]](
	ctx context.Context, s *GraphService, chain graph.Chain, q queries.Query[R], opts []CallOption,
	checks ...*ValidationError,
) (T, error) {
	c := s.call(chain, q, s.engine.with(opts), checks...)
	return readGraph(ctx, c, q.Response(), func(r *response, data R) (T, error) {
		found, exists := data.Found()
		if !exists {
			return found, r.notFound()
		}
		return found, nil
	})
}

// readGraph carries out a call, decodes the data of its response into data, and returns what read makes of it. The
// errors that the response states come before those of read.
func readGraph[T, R any](
	ctx context.Context, c *call, data R, read func(r *response, data R) (T, error),
) (made T, err error) {
	types := queries.OwnTypes
	if c.own {
		types = queries.AnyTypes
	}
	types.KeepExtra = c.settings.drift != nil && !c.own
	err = c.send(ctx, func(r *response) error {
		stated, err := graphql.Read(r.reading(ctx), r.Header.Get("Content-Type"), r.Body, types, data)
		if err != nil {
			return r.readError(ctx, err)
		}
		if made, err = read(r, data); len(stated) > 0 {
			return r.graphError(stated)
		}
		return err
	})
	return made, err
}

// orNothing returns the record, or for nil an empty one, in which nothing is found.
func orNothing[T any](record *T) *T {
	if record == nil {
		return new(T)
	}
	return record
}

var _ genqlient.Client = (*GraphService)(nil)

// MakeRequest implements graphql.Client of github.com/Khan/genqlient: it sends a query of the caller's own and decodes
// the data of the response into what response.Data points to. Where the response states errors, they are in
// response.Errors too, cleaned of secrets, beside the [*Error] that is returned.
//
// Names of members match as encoding/json matches them, in any case, and a field without a member is left out.
func (s *GraphService) MakeRequest(ctx context.Context, request *genqlient.Request, response *genqlient.Response) error {
	return graphClient{service: s}.MakeRequest(ctx, request, response)
}

// With returns a graphql.Client that sends every request with the options.
func (s *GraphService) With(opts ...CallOption) genqlient.Client {
	return graphClient{s, opts}
}

// graphClient sends the requests of callers, all with the same options.
type graphClient struct {
	service *GraphService
	opts    []CallOption
}

// MakeRequest implements graphql.Client.
func (g graphClient) MakeRequest(ctx context.Context, request *genqlient.Request, into *genqlient.Response) error {
	if request == nil {
		request = &genqlient.Request{} // The check of the query reports it.
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
		stated, err := graphql.Read(r.reading(ctx), r.Header.Get("Content-Type"), r.Body, queries.AnyTypes, into.Data)
		switch {
		case err != nil:
			return r.readError(ctx, err)
		case len(stated) > 0:
			return r.graphError(stated)
		}
		into.Extensions = extensions(r.Body)
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
	var stated genqlient.BaseResponse[json.RawMessage]
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
func (s *GraphService) operation(request *genqlient.Request) *api.Operation {
	op := queries.Row(request.OpName, "observed", api.PagingNone)
	op.Path = s.path
	for _, defined := range graphql.Operations(request.Query) {
		if op.ID == "" {
			op.ID = defined.Name
		}
		op.Idempotent = op.Idempotent && defined.Type == graphql.Query
	}
	if op.ID == "" {
		op.ID = "query"
	}
	return op
}

// decodable checks that there is somewhere to put the response's data.
func decodable(response *genqlient.Response) *ValidationError {
	if response != nil {
		if data := reflect.ValueOf(response.Data); data.Kind() == reflect.Pointer && !data.IsNil() {
			return nil
		}
	}
	return &ValidationError{Field: "response data", Rule: "must be a pointer to decode into", always: true}
}

// WithDefaultChain sets the chain of the graph area's methods where a call names none, that is for
// [graph.DefaultChain]. It must be one that this version knows. Queries of the caller's own name their chains
// themselves.
func WithDefaultChain(chain graph.Chain) ClientOption {
	return clientOption{oneOf("default chain", chain), func(s *clientSettings) { s.graphChain = chain }}
}

// wallets matches the addresses of accounts, and ENS names: labels in any script, pictures included, with dots between
// them.
var wallets = regexp.MustCompile(`^(0[xX][0-9a-fA-F]{40}|[^\pZ\p{Cc}.]+(\.[^\pZ\p{Cc}.]+)+)$`)

// walletID checks what names a wallet.
func walletID(field, value string) *ValidationError {
	if value == "" {
		return required(field, value)
	}
	if utf8.ValidString(value) && wallets.MatchString(value) {
		return nil
	}
	const rule = "must be an address (0x and 40 hexadecimal digits) or an ENS name (such as name.eth)"
	return &ValidationError{Field: field, Rule: rule, Value: shown(value)}
}

// pageOf makes a page of a list in a response, which was asked for backward or not. If the list lacks a part of what
// the schema promises, the page is returned beside an error that names the first one. A list that does not say whether
// it goes on would pass for the whole listing, if nothing were said.
func pageOf[T any](r *response, list *queries.List[T], backward bool) (*CursorPage[T], error) {
	if list == nil {
		return nil, r.notFound()
	}
	if backward {
		list.Reverse()
	}
	nodes, cursors, lost := list.Items()
	page := &CursorPage[T]{Total: valueOr(list.TotalCount, -1), Items: nodes, edges: cursors, NextCursor: list.Next()}
	if missing := list.Missing(lost); missing != "" {
		return page, r.contentError(&reply.Malformed{Reason: reply.Shape, Detail: missing})
	}
	return page, nil
}
