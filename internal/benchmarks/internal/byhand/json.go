package byhand

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	v2 "github.com/go-json-experiment/json"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

// EncodingJSON is net/http with encoding/json, the reference of all comparisons.
var EncodingJSON = contestant.Contestant{
	Name:  "encoding-json",
	Title: "by hand, encoding/json",
	Calls: func(target contestant.Target) (contestant.Calls, error) {
		return calls(target, library{
			marshal: json.Marshal,
			read: func(resp *http.Response, into any) error {
				text, err := readAll(resp)
				if err != nil {
					return err
				}
				return json.Unmarshal(text, into)
			},
		}), nil
	},
}

// V2 is net/http with the second version of encoding/json.
var V2 = contestant.Contestant{
	Name:  "v2",
	Title: "by hand, v2 line",
	Calls: func(target contestant.Target) (contestant.Calls, error) {
		return calls(target, library{
			marshal: func(v any) ([]byte, error) { return v2.Marshal(v) },
			read:    func(resp *http.Response, into any) error { return v2.UnmarshalRead(resp.Body, into) },
		}), nil
	},
}

// library is a JSON library.
type library struct {
	marshal func(any) ([]byte, error)
	read    func(resp *http.Response, into any) error
}

// readAll reads a body into a buffer of its known length. A json.Decoder would need more memory.
func readAll(resp *http.Response) ([]byte, error) {
	if resp.ContentLength < 0 {
		return io.ReadAll(resp.Body)
	}
	text := make([]byte, resp.ContentLength)
	_, err := io.ReadFull(resp.Body, text)
	return text, err
}

func calls(target contestant.Target, lib library) contestant.Calls {
	c := NewClient(target)
	return contestant.Calls{
		payload.Endpoint: func(ctx context.Context) (contestant.Result, error) {
			return envelope[record.SingleEndpoint]{lib}.read(c.GetEndpoint(ctx))
		},
		payload.Create: func(ctx context.Context) (contestant.Result, error) {
			request, err := lib.marshal(record.NewEndpoint{Chain: payload.Chain, Network: payload.Network})
			if err != nil {
				return contestant.Result{}, err
			}
			return envelope[record.SingleEndpoint]{lib}.read(c.Post(ctx, "/v0/endpoints", request))
		},
		payload.Endpoints: func(ctx context.Context) (contestant.Result, error) {
			return envelope[[]record.Endpoint]{lib}.read(c.ListEndpoints(ctx))
		},
		payload.Logs: func(ctx context.Context) (contestant.Result, error) {
			return envelope[[]record.LogEntry]{lib}.read(c.ListLogs(ctx))
		},
		payload.Usage: func(ctx context.Context) (contestant.Result, error) {
			return envelope[record.Usage]{lib}.read(c.GetUsage(ctx))
		},
		payload.NFTs: func(ctx context.Context) (contestant.Result, error) { return listNFTs(ctx, c, lib) },
	}
}

// body reads bodies into records of one type.
type body[T any] struct{ lib library }

// read reads a response and closes it.
func (b body[T]) read(resp *http.Response, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	into := new(T)
	return into, b.lib.read(resp, into)
}

// envelope reads envelopes of the admin area with data of one type.
type envelope[T any] struct{ lib library }

// read reads a response and closes it.
func (e envelope[T]) read(resp *http.Response, err error) (contestant.Result, error) {
	read, err := body[record.Envelope[T]](e).read(resp, err)
	if err != nil {
		return contestant.Result{}, err
	}
	result := contestant.Result{Data: &read.Data}
	if read.Pagination != nil {
		result.Total = read.Pagination.Total
	}
	if read.NextAt != nil {
		result.Next = *read.NextAt
	}
	return result, nil
}
