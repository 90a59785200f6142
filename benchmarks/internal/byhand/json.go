package byhand

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	v2 "github.com/go-json-experiment/json"

	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/record"
)

// EncodingJSON is net/http with encoding/json, which all else is compared with.
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

// readAll reads a body, into no more memory than it needs where its length is known. A json.Decoder would need more.
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
			resp, err := c.GetEndpoint(ctx)
			return envelope[record.SingleEndpoint](lib, resp, err)
		},
		payload.Create: func(ctx context.Context) (contestant.Result, error) {
			body, err := lib.marshal(record.NewEndpoint{Chain: payload.Chain, Network: payload.Network})
			if err != nil {
				return contestant.Result{}, err
			}
			resp, err := c.Post(ctx, "/v0/endpoints", body)
			return envelope[record.SingleEndpoint](lib, resp, err)
		},
		payload.Endpoints: func(ctx context.Context) (contestant.Result, error) {
			resp, err := c.ListEndpoints(ctx)
			return envelope[[]record.Endpoint](lib, resp, err)
		},
		payload.Logs: func(ctx context.Context) (contestant.Result, error) {
			resp, err := c.ListLogs(ctx)
			return envelope[[]record.LogEntry](lib, resp, err)
		},
		payload.Usage: func(ctx context.Context) (contestant.Result, error) {
			resp, err := c.GetUsage(ctx)
			return envelope[record.Usage](lib, resp, err)
		},
		payload.NFTs: func(ctx context.Context) (contestant.Result, error) { return listNFTs(ctx, c, lib) },
	}
}

// decode reads a response into a record and closes it.
func decode[T any](lib library, resp *http.Response, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	into := new(T)
	return into, lib.read(resp, into)
}

// envelope reads an envelope of the admin area.
func envelope[T any](lib library, resp *http.Response, err error) (contestant.Result, error) {
	read, err := decode[record.Envelope[T]](lib, resp, err)
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
