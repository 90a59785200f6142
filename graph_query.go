package rpcfleet

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"regexp"
	"unicode/utf8"

	genqlient "github.com/Khan/genqlient/graphql"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// GraphService queries NFT and ERC-20 data with the library's queries; [graph.Query] sends any other query. It is a
// graphql.Client of genqlient.
//
// Every call is a POST, and is retried like a read. A wallet is an address (0x and 40 hexadecimal digits) or an ENS
// name. Prices are in the chain's native coin. A zero filter
// selects everything. If a collection, token, contract, wallet or transaction does not exist, the error is
// [ErrNotFound]. If a response has errors, the call returns an [*Error] with the errors in GraphQL, whatever the
// status, and the data that came. Missing values, and nulls that the schema does not permit, are zero. A value of a
// wrong type in an item of a listing is zero too, and the page comes with a [*DecodeError]. An object of a new type is
// a [*DecodeError]. The contract covers only Ethereum and a collection's name, symbol and total supply; all else is
// observed.
// POST /graphql
//
// Deprecated: The graph area has ended (observed). NFT and token data are now JSON-RPC methods of add-ons to endpoints,
// with names that begin with qn_.
type GraphService struct {
	engine *engine
	// opts are the options of requests of callers.
	opts []CallOption
}

// settings returns the settings of a method call, which reports an error of the options itself. s may be nil.
func (s *GraphService) settings(opts []CallOption) *callSettings {
	settings, _ := orNew(s).engine.settings(opts)
	return settings
}

// newGraphCall makes a call of a query of this library. A chain that is not a valid name is never put into a document,
// even without validation.
func newGraphCall[T any](s *GraphService, chain graph.Chain, variables any, query *graphql.Query[T], opts []CallOption,
	checks []*ValidationError) *call {
	violation := oneOf("chain", chain)
	if violation != nil {
		violation.always = !graphql.IsName(string(chain))
	}
	checks = append([]*ValidationError{violation}, checks...)
	return orNew(s).engine.newCall(query.Request(variables, chain), opts, checks...)
}

// fetchGraph executes a query and returns its result.
func fetchGraph[T any](ctx context.Context, s *GraphService, chain graph.Chain, variables graphql.Variables[T],
	opts []CallOption, checks ...*ValidationError) (found T, err error) {
	query := variables.Query()
	c := newGraphCall(s, chain, variables, query, opts, checks)
	err = c.sendGraph(ctx, query, func(*response) (err error) {
		found, err = query.Found()
		return err
	})
	return found, err
}

// sendGraph executes a call, decodes the data of the response into data, and calls read. Errors in the response take
// precedence over an error of read. If a response without errors lacks the result, it does not exist.
func (c *call) sendGraph(ctx context.Context, data graphql.Data, read func(r *response) error) error {
	return c.send(ctx, func(r *response) error {
		stated, err := graphql.Read(r.Header.Get("Content-Type"), r.Body, r, data)
		if err != nil {
			return r.contentError(err)
		}
		switch err = read(r); {
		case len(stated) > 0:
			return r.graphError(stated)
		case errors.Is(err, graphql.ErrAbsent):
			return r.notFound()
		case err != nil:
			return r.contentError(err)
		}
		return nil
	})
}

var _ genqlient.Client = (*GraphService)(nil)

// With returns a graphql.Client that sends every request with the options.
func (s *GraphService) With(opts ...CallOption) genqlient.Client {
	with := *orNew(s)
	with.opts = opts
	return &with
}

// MakeRequest implements graphql.Client of genqlient. It sets only resp.Data: errors in the response are in the
// [*Error]. Names match as in encoding/json.
func (s *GraphService) MakeRequest(ctx context.Context, request *genqlient.Request, resp *genqlient.Response) error {
	s, request, resp = orNew(s), orNew(request), orNew(resp)
	var unusable *ValidationError
	if data := reflect.ValueOf(resp.Data); data.Kind() != reflect.Pointer || data.IsNil() {
		unusable = &ValidationError{Field: "response data", Rule: "must be a pointer to decode into", always: true}
	}
	body := graphql.GraphBody{Query: request.Query, Variables: request.Variables, OperationName: request.OpName}
	c := s.engine.newCall(body.To(ownOperation(request)), s.opts, required("query", body.Query), unusable)
	c.own = true
	return c.sendGraph(ctx, graphql.Own{Into: resp.Data}, func(*response) error { return nil })
}

// ownOperation describes a request. It counts as a read if its document defines only queries.
func ownOperation(request *genqlient.Request) *api.Operation {
	op := graphql.NewOperation(request.OpName, "observed", api.PagingNone)
	for _, defined := range graphql.Operations(request.Query) {
		op.ID = cmp.Or(op.ID, defined.Name)
		op.Idempotent = op.Idempotent && defined.Type == "query"
	}
	op.ID = cmp.Or(op.ID, "query")
	return op
}

// Ownership returns the number of pieces of a token in a wallet: 0 if there are none, which is not [ErrNotFound], and
// nil if the service does not report it.
func (s *GraphService) Ownership(ctx context.Context, chain graph.Chain, wallet, address string,
	tokenID scalar.BigInt, opts ...CallOption) (*graph.WalletNFT, error) {
	query := &graphql.GetOwnership{Wallet: wallet, ContractAddress: address, TokenID: tokenID.String()}
	held, err := fetchGraph(ctx, s, chain, query, opts,
		walletID("wallet", wallet), required("contractAddress", address), notNegative("tokenId", tokenID))
	if err == nil && held == nil { // In a response with errors, a missing value may still exist.
		return &graph.WalletNFT{NFTsCount: new(0)}, nil
	}
	return held, err
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
