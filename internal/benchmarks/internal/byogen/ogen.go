//go:build contestants

// Package byogen calls the service with ogen's client.
package byogen

import (
	"context"
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/generated/ogenapi"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
)

// Contestant is ogen's client.
var Contestant = contestant.Contestant{Name: "ogen", Title: "ogen client", Calls: calls}

// key supplies the API key to ogen's client.
type key string

func (k key) ApiKeyHeader(context.Context, ogenapi.OperationName) (ogenapi.ApiKeyHeader, error) {
	return ogenapi.ApiKeyHeader{APIKey: string(k)}, nil
}

// as returns one of the variants of a response.
func as[T any](response any, err error) (T, error) {
	read, ok := response.(T)
	if err == nil && !ok {
		err = fmt.Errorf("the response is %T: %v", response, response)
	}
	return read, err
}

func single(response any, err error) (contestant.Result, error) {
	read, err := as[*ogenapi.SingleEndpointEnvelope](response, err)
	if err != nil {
		return contestant.Result{}, err
	}
	return contestant.Result{Data: &read.Data}, nil
}

func calls(target contestant.Target) (contestant.Calls, error) {
	client, err := ogenapi.NewClient(target.BaseURL, key(target.Key), ogenapi.WithClient(target.HTTP))
	if err != nil {
		return nil, err
	}
	return contestant.Calls{
		payload.Endpoint: func(ctx context.Context) (contestant.Result, error) {
			response, err := client.GetEndpoint(ctx, ogenapi.GetEndpointParams{ID: payload.EndpointID})
			return single(response, err)
		},
		payload.Create: func(ctx context.Context) (contestant.Result, error) {
			response, err := client.CreateEndpoint(ctx, &ogenapi.CreateEndpointRequest{Chain: payload.Chain, Network: payload.Network})
			return single(response, err)
		},
		payload.Endpoints: func(ctx context.Context) (contestant.Result, error) {
			response, err := client.ListEndpoints(ctx, ogenapi.ListEndpointsParams{Limit: ogenapi.NewOptInt(payload.PageSize)})
			read, err := as[*ogenapi.EndpointPageEnvelope](response, err)
			if err != nil {
				return contestant.Result{}, err
			}
			return contestant.Result{Data: &read.Data, Total: read.Pagination.Total}, nil
		},
		payload.Logs: func(ctx context.Context) (contestant.Result, error) {
			response, err := client.ListLogs(ctx, ogenapi.ListLogsParams{
				ID: payload.EndpointID, From: payload.From, To: payload.To,
				IncludeDetails: ogenapi.NewOptBool(true), Limit: ogenapi.NewOptInt(payload.LogSize),
			})
			read, err := as[*ogenapi.LogPageEnvelope](response, err)
			if err != nil {
				return contestant.Result{}, err
			}
			return contestant.Result{Data: &read.Data, Next: read.NextAt.Value}, nil
		},
		payload.Usage: func(ctx context.Context) (contestant.Result, error) {
			response, err := client.GetUsageByMethod(ctx, ogenapi.GetUsageByMethodParams{
				StartTime: ogenapi.NewOptInt(int(payload.From.Unix())),
				EndTime:   ogenapi.NewOptInt(int(payload.To.Unix())),
			})
			read, err := as[*ogenapi.UsageByMethodEnvelope](response, err)
			if err != nil {
				return contestant.Result{}, err
			}
			return contestant.Result{Data: &read.Data}, nil
		},
	}, nil
}
