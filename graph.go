package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/envelope"
	"github.com/rpcfleet/rpcfleet-go/internal/queries"
)

// GraphService queries NFT and ERC-20 data. Its methods send queries of this library; [graph.Query] sends any other:
//
//	data, err := graph.Query[response](ctx, client.Graph, query, variables)
//
// A GraphService is also a graphql.Client of github.com/Khan/genqlient, which the code that genqlient generates from a
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
	ctx context.Context, c *call, variants envelope.Variants, read func(r *response, data *D) (T, error),
) (made T, err error) {
	err = c.send(ctx, func(r *response) error {
		var data D
		if c.settings.drift != nil {
			variants = variants.KeepingExtra()
		}
		stated, err := envelope.ReadGraph(r.reading(ctx), r.Header.Get("Content-Type"), r.Body, variants, &data)
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
