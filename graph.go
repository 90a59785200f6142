package rpcfleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"unicode"
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
// A GraphService is also a genqlient.Client of github.com/Khan/genqlient, which the code that genqlient generates from a
// caller's own queries takes.
//
// Every call is one POST to the same path, and is repeated like a read. A response that states errors is an [*Error]
// with them in its field GraphQL, whatever the status; where data came beside the errors, it is returned beside the
// [*Error], with zero values for what is missing. Of a page with a failing item, all others are returned beside the
// error: see [Connection]. A thing that does not exist is [ErrNotFound].
//
// A wallet is an address or an ENS name in every method. A call on [graph.DefaultChain] is put to the chain of
// [WithDefaultChain]. [QueryConnection] reads a listing in a caller's own query.
//
// Only Ethereum is part of the contract, and of it a collection's name, symbol and total supply; all else was observed.
type GraphService struct {
	engine *engine
	path   string
	// chain is the one of calls that name none. It may be empty.
	chain graph.Chain
}

// call makes a call of a query of this library.
func (s *GraphService) call(request queries.Request, opts []CallOption, checks ...*ValidationError) *call {
	return s.with(s.engine.with(opts), request, checks)
}

// with makes a call of a query of this library. What is no name does not become a part of a document, whatever the
// options say.
func (s *GraphService) with(c *caller, request queries.Request, checks []*ValidationError) *call {
	if request.Chain == graph.DefaultChain {
		request.Chain = s.chain
	}
	broken := oneOf("chain", request.Chain)
	if broken != nil {
		broken.always = !queries.IsName(string(request.Chain))
	}
	return c.call(request.At(s.path), append([]*ValidationError{broken}, checks...)...)
}

// fetchGraph carries out a call and returns what find finds in the data of its response. What it does not find in a
// response without errors does not exist.
func fetchGraph[T, D any](ctx context.Context, c *call, find func(data *D) (T, bool)) (T, error) {
	return readGraph(ctx, c, func(r *response, data *D) (T, error) {
		found, exists := find(data)
		if !exists {
			return found, r.notFound()
		}
		return found, nil
	})
}

// readGraph carries out a call and returns what read makes of the data of its response. The errors that the response
// states come before those of read.
func readGraph[T, D any](ctx context.Context, c *call, read func(r *response, data *D) (T, error)) (made T, err error) {
	return readGraphWith(ctx, c, queries.OwnData, read)
}

// readGraphWith is readGraph for data that take more to decode than the records of package graph.
func readGraphWith[T, D any](
	ctx context.Context, c *call, variants graphql.Variants, read func(r *response, data *D) (T, error),
) (made T, err error) {
	err = c.send(ctx, func(r *response) error {
		var data D
		if c.settings.drift != nil {
			variants = variants.KeepingExtra()
		}
		stated, err := graphql.ReadGraph(r.reading(ctx), r.Header.Get("Content-Type"), r.Body, variants, &data)
		if err != nil {
			return r.readError(ctx, err)
		}
		if made, err = read(r, &data); len(stated) > 0 {
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

// MakeRequest implements genqlient.Client of github.com/Khan/genqlient: it sends a query of the caller's own and decodes
// the data of the response into what response.Data points to. Where the response states errors, they are in
// response.Errors too, cleaned of secrets, beside the [*Error] that is returned.
//
// Names match exactly, capitals included. A field at the top of the data that was asked for and that the type has no
// member for is a [*DecodeError] with [ReasonNoMember], beside what was decoded, and so is data without a field for any
// member: a member with a wrong name would be left empty in silence. Further in, that holds for a field that differs
// from a member in capitals alone; others may be left out.
//
// POST /graphql
func (s *GraphService) MakeRequest(ctx context.Context, request *genqlient.Request, response *genqlient.Response) error {
	return graphClient{service: s}.MakeRequest(ctx, request, response)
}

// With returns a genqlient.Client that sends every request with the options.
func (s *GraphService) With(opts ...CallOption) genqlient.Client {
	return graphClient{s, opts}
}

// graphClient sends the requests of callers, all with the same options.
type graphClient struct {
	service *GraphService
	opts    []CallOption
}

// MakeRequest implements genqlient.Client.
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
		stated, err := graphql.ReadGraph(r.reading(ctx), r.Header.Get("Content-Type"), r.Body, queries.AnyData, into.Data)
		switch {
		case err != nil:
			return r.readError(ctx, err)
		case len(stated) > 0:
			return r.graphError(stated)
		}
		into.Extensions = extensions(r.Body)
		if err := graphql.Unmatched(r.Body, graphql.Fields(request.Query), into.Data); err != nil {
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
	for _, defined := range graphql.Operations(request.Query) {
		if op.ID == "" {
			op.ID = defined.Name
		}
		op.Idempotent = op.Idempotent && defined.Type == graphql.Query
	}
	if op.ID == "" {
		op.ID = "query"
	}
	return &op
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
func WithDefaultChain(chain graph.Chain) Option {
	return clientOption{oneOf("default chain", chain), func(s *clientSettings) { s.graphChain = chain }}
}

// addressShape matches the addresses of accounts and contracts, in any case.
var addressShape = regexp.MustCompile(`^0[xX][0-9a-fA-F]{40}$`)

// walletID checks what names a wallet: an address or an ENS name. Which of the two it is depends on the dot that every
// name has in it.
func walletID(field, value string) *ValidationError {
	switch {
	case value == "":
		return required(field, value)
	case addressShape.MatchString(value) || isENSName(value):
		return nil
	}
	return &ValidationError{
		Field: field, Rule: "must be an address (0x and 40 hexadecimal digits) or an ENS name (such as name.eth)", Value: shown(value),
	}
}

// isENSName reports whether a text has the form of a name: labels with dots between them. A label may be in any script,
// pictures included.
func isENSName(text string) bool {
	labels := strings.Split(text, ".")
	for _, label := range labels {
		if label == "" {
			return false
		}
	}
	return len(labels) > 1 && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	})
}

// pageOf makes a page of a list in a response. Where the list lacks a part of what the schema promises, the page is
// returned beside an error that names the first one: an item, or the cursor to the page that comes next. A list that
// does not say whether it goes on would pass for the whole listing, if nothing were said.
func pageOf[T any](r *response, list *queries.List[T]) (*CursorPage[T], error) {
	if list == nil {
		return nil, r.notFound()
	}
	page := &CursorPage[T]{Total: valueOr(list.TotalCount, -1)}
	if count := len(list.Edges); count > 0 {
		page.Items, page.edges = make([]T, 0, count), make([]string, 0, count)
	}
	var first string // What is in the place of the first item that is lost.
	lost := 0
	for i := range list.Edges {
		edge := &list.Edges[i]
		page.edges = append(page.edges, edge.Value.Cursor)
		if edge.Value.Node.Read {
			page.Items = append(page.Items, edge.Value.Node.Value)
		} else {
			if lost++; lost == 1 {
				first = inPlaceOfItem(edge, list.Index(i))
			}
		}
	}
	if list.PageInfo.HasNextPage != nil && *list.PageInfo.HasNextPage {
		page.NextAt = *orNothing(list.PageInfo.EndCursor)
		if page.NextAt == "" && len(page.edges) > 0 {
			page.NextAt = page.edges[len(page.edges)-1]
		}
	}
	ahead, said := "next", "pageInfo.hasNextPage"
	if list.Reversed {
		ahead, said = "previous", "pageInfo.hasPreviousPage"
	}
	var missing string
	switch {
	case lost == 1:
		missing = first
	case lost > 1:
		missing = fmt.Sprintf("%s, and %d more are missing", first, lost-1)
	case list.Edges == nil:
		missing = "the list has no edges"
	case list.PageInfo.HasNextPage == nil:
		missing = "the list does not say whether there is a " + ahead + " page: there is no " + said
	case page.NextAt == "" && *list.PageInfo.HasNextPage:
		missing = "there is a " + ahead + " page, and no cursor that leads to it"
	default:
		return page, nil
	}
	return page, r.contentError(&reply.Malformed{Reason: reply.Shape, Detail: missing})
}

// inPlaceOfItem says what an edge of a page has in the place of an item.
func inPlaceOfItem[T any](edge *graphql.Element[queries.Edge[T]], index int) string {
	fault, place := edge.Fault, edge.Place
	if edge.Read {
		fault, place = edge.Value.Node.Fault, edge.Value.Node.Place
	}
	switch {
	case fault != nil:
		return fault.Detail
	case place != "":
		return fmt.Sprintf("a null at %q is in the place of an item", place)
	}
	return fmt.Sprintf("edge %d of the list has no node", index)
}
