package rpcfleet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	genqlient "github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
)

// GraphService queries NFT and ERC-20 data with the library's own queries; [graph.Query] sends any other query,
// [QueryConnection] reads a listing in one, and GraphService is a graphql.Client of genqlient for generated code.
//
// Every call is a POST, and is retried like a read. A wallet is an address (0x and 40 hexadecimal digits) or an ENS
// name. Prices are in the chain's native coin. [graph.DefaultChain] is the chain of [WithDefaultChain]. If a response
// has errors, the call returns an [*Error] with the errors in GraphQL, whatever the status, and the data that came.
// Missing values, and nulls that the schema does not permit, are zero. A value of a wrong type in an item of a listing is
// zero too, and the page comes with a [*DecodeError]. An object of a new type is a [*DecodeError]. The contract covers
// only Ethereum and a collection's name, symbol and total supply; all else is observed.
// POST /graphql
type GraphService struct {
	engine *engine
	// chain is used if a call names no chain. It may be empty.
	chain graph.Chain
}

// call makes a call of a query of this library. A chain that is not a valid name is never put into a document, even
// without validation.
func (s *GraphService) call(
	chain graph.Chain, q graphql.AnyQuery, opts []CallOption, checks ...*ValidationError,
) *call {
	s = orNew(s)
	chain = cmp.Or(chain, s.chain)
	violation := oneOf("chain", chain)
	if violation != nil {
		violation.always = !graphql.IsName(string(chain))
	}
	return s.engine.newCall(graphql.Request(q, chain), opts, append([]*ValidationError{violation}, checks...)...)
}

// fetchGraph executes a query and returns its result. If a response without errors lacks the object, the object does
// not exist.
func fetchGraph[T any, R graphql.Found[T]](
	ctx context.Context, s *GraphService, chain graph.Chain, q graphql.Query[R], opts []CallOption,
	checks ...*ValidationError,
) (T, error) {
	c := s.call(chain, q, opts, checks...)
	return readGraph(ctx, c, q.Response(), func(r *response, data R) (T, error) {
		found, exists := data.Found()
		if !exists {
			return found, r.notFound()
		}
		return found, nil
	})
}

// readGraph executes a call, decodes the data of the response into data, and returns the result of read. Errors in the
// response take precedence over an error of read.
func readGraph[T, R any](
	ctx context.Context, c *call, data R, read func(r *response, data R) (T, error),
) (made T, err error) {
	err = c.send(ctx, func(r *response) error {
		stated, err := graphql.Read(&r.reading, r.Header.Get("Content-Type"), r.Body, data)
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

var _ genqlient.Client = (*GraphService)(nil)

// MakeRequest implements graphql.Client of genqlient. Errors in the response are also in response.Errors: the message,
// redacted, the path and the code. Names match as in encoding/json.
func (s *GraphService) MakeRequest(ctx context.Context, request *genqlient.Request, resp *genqlient.Response) error {
	return graphClient{service: s}.MakeRequest(ctx, request, resp)
}

// With returns a graphql.Client that sends every request with the options.
func (s *GraphService) With(opts ...CallOption) genqlient.Client {
	return graphClient{s, opts}
}

// graphClient sends requests of callers with fixed options.
type graphClient struct {
	service *GraphService
	opts    []CallOption
}

// MakeRequest implements graphql.Client.
func (g graphClient) MakeRequest(ctx context.Context, request *genqlient.Request, into *genqlient.Response) error {
	request, into = orNew(request), orNew(into)
	variables, unsendable := writeVariables(request.Variables)
	body := graphql.GraphBody{Query: request.Query, Variables: variables, OperationName: request.OpName}
	c := orNew(g.service).engine.newCall(body.To(g.service.operation(request)), g.opts,
		required("query", request.Query), decodable(into.Data), unsendable)
	c.own = true
	stated, err := readGraph(ctx, c, into.Data, func(r *response, _ any) (map[string]any, error) {
		return extensions(r.Body), nil
	})
	into.Errors, into.Extensions = nil, stated
	if failure, ok := errors.AsType[*Error](err); ok {
		into.Errors = genqlientErrors(failure.GraphQL)
	}
	return err
}

// genqlientErrors converts redacted errors of a response.
func genqlientErrors(stated []GraphQLError) (all gqlerror.List) {
	for _, e := range stated {
		made := &gqlerror.Error{Message: e.Message}
		for _, step := range strings.FieldsFunc(e.Path, func(r rune) bool { return r == '.' }) {
			if index, err := strconv.Atoi(step); err == nil {
				made.Path = append(made.Path, ast.PathIndex(index))
			} else {
				made.Path = append(made.Path, ast.PathName(step))
			}
		}
		if e.Code != "" {
			made.Extensions = map[string]any{"code": e.Code}
		}
		all = append(all, made)
	}
	return all
}

// extensions returns the extensions of a successful response.
func extensions(body []byte) map[string]any {
	var stated struct {
		Extensions map[string]any `json:"extensions"`
	}
	if !bytes.Contains(body, []byte(`"extensions"`)) || json.Unmarshal(body, &stated) != nil {
		return nil
	}
	return stated.Extensions
}

// writeVariables encodes variables as genqlient's own client does, because the generated code relies on it.
func writeVariables(variables any) (any, *ValidationError) {
	if variables == nil {
		return nil, nil
	}
	text, err := json.Marshal(variables)
	if err != nil {
		return nil, &ValidationError{Field: "request", Rule: "cannot be built: " + redactArg(err.Error()), always: true}
	}
	return json.RawMessage(text), nil
}

// operation describes a request. It counts as a read if its document defines only queries.
func (*GraphService) operation(request *genqlient.Request) *api.Operation {
	op := graphql.Row(request.OpName, "observed", api.PagingNone)
	for _, defined := range graphql.Operations(request.Query) {
		op.ID = cmp.Or(op.ID, defined.Name)
		op.Idempotent = op.Idempotent && defined.Type == "query"
	}
	op.ID = cmp.Or(op.ID, "query")
	return op
}

// decodable checks that data can be decoded into.
func decodable(data any) *ValidationError {
	if value := reflect.ValueOf(data); value.Kind() == reflect.Pointer && !value.IsNil() {
		return nil
	}
	return &ValidationError{Field: "response data", Rule: "must be a pointer to decode into", always: true}
}

// WithDefaultChain sets the chain that replaces [graph.DefaultChain].
func WithDefaultChain(chain graph.Chain) ClientOption {
	return clientOption(func(s *clientSettings) *ValidationError {
		s.graphChain = chain
		return oneOf("default chain", chain)
	})
}

// wallets matches account addresses and ENS names. Labels of an ENS name can be in any script and can contain emoji.
var wallets = regexp.MustCompile(`^(0[xX][0-9a-fA-F]{40}|[^\pZ\p{Cc}.]+(\.[^\pZ\p{Cc}.]+)+)$`)

// walletID checks that a value is an address or an ENS name.
func walletID(field, value string) *ValidationError {
	switch {
	case value == "":
		return required(field, value)
	case utf8.ValidString(value) && wallets.MatchString(value):
		return nil
	}
	const rule = "must be an address (0x and 40 hexadecimal digits) or an ENS name (such as name.eth)"
	return &ValidationError{Field: field, Rule: rule, Value: redactArg(value)}
}

// pageOf makes a page from a list in a response. If the list lacks a part that the schema promises, the page is
// returned with an error that names the first missing part. Without the error, a list that lacks its page info would
// pass for the whole listing.
func pageOf[T any](r *response, list *graphql.List[T], backward bool) (*Page[T], error) {
	if list == nil {
		return nil, r.notFound()
	}
	if backward {
		list.Reverse()
	}
	if err := r.checkCursors(append([]string{list.Next()}, list.Cursors...)...); err != nil {
		return nil, r.contentError(err)
	}
	page := &Page[T]{
		Total: *cmp.Or(list.TotalCount, new(-1)), Items: list.Nodes, ids: list.Cursors, NextCursor: list.Next(),
	}
	if missing := list.Missing(); missing != "" {
		return page, r.contentError(&reply.Malformed{Reason: reply.Shape, Detail: missing})
	}
	return page, nil
}

func (s *GraphService) pageSize(opts []CallOption) int {
	settings, _ := s.engine.settings(opts)
	return settings.pageSize
}
