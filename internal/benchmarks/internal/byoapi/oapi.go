//go:build contestants

// Package byoapi calls the service with oapi-codegen's ClientWithResponses.
package byoapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/generated/oapi"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
)

// Contestant is oapi-codegen's client.
var Contestant = contestant.Contestant{Name: "oapi-codegen", Title: "oapi-codegen ClientWithResponses", Calls: calls}

func calls(target contestant.Target) (contestant.Calls, error) {
	client, err := oapi.NewClientWithResponses(target.BaseURL, oapi.WithHTTPClient(target.HTTP),
		oapi.WithRequestEditorFn(func(_ context.Context, req *http.Request) error {
			req.Header.Set("x-api-key", target.Key)
			return nil
		}))
	if err != nil {
		return nil, err
	}
	return contestant.Calls{
		payload.Endpoint: func(ctx context.Context) (contestant.Result, error) {
			resp, err := client.GetEndpointWithResponse(ctx, payload.EndpointID)
			if err != nil {
				return contestant.Result{}, err
			}
			if resp.JSON200 == nil {
				return contestant.Result{}, errors.New(resp.Status())
			}
			return contestant.Result{Data: &resp.JSON200.Data}, nil
		},
		payload.Create: func(ctx context.Context) (contestant.Result, error) {
			resp, err := client.CreateEndpointWithResponse(ctx,
				oapi.CreateEndpointRequest{Chain: payload.Chain, Network: payload.Network})
			if err != nil {
				return contestant.Result{}, err
			}
			if resp.JSON200 == nil {
				return contestant.Result{}, errors.New(resp.Status())
			}
			return contestant.Result{Data: &resp.JSON200.Data}, nil
		},
		payload.Endpoints: func(ctx context.Context) (contestant.Result, error) {
			resp, err := client.ListEndpointsWithResponse(ctx, &oapi.ListEndpointsParams{Limit: new(payload.PageSize)})
			if err != nil {
				return contestant.Result{}, err
			}
			if resp.JSON200 == nil {
				return contestant.Result{}, errors.New(resp.Status())
			}
			return contestant.Result{Data: resp.JSON200.Data, Total: resp.JSON200.Pagination.Total}, nil
		},
		payload.Logs: func(ctx context.Context) (contestant.Result, error) {
			resp, err := client.ListLogsWithResponse(ctx, payload.EndpointID, &oapi.ListLogsParams{
				From: payload.From, To: payload.To, IncludeDetails: new(true), Limit: new(payload.LogSize),
			})
			if err != nil {
				return contestant.Result{}, err
			}
			if resp.JSON200 == nil {
				return contestant.Result{}, errors.New(resp.Status())
			}
			return contestant.Result{Data: &resp.JSON200.Data, Next: *resp.JSON200.NextAt}, nil
		},
		payload.Usage: func(ctx context.Context) (contestant.Result, error) {
			resp, err := client.GetUsageByMethodWithResponse(ctx, &oapi.GetUsageByMethodParams{
				StartTime: new(int(payload.From.Unix())), EndTime: new(int(payload.To.Unix())),
			})
			if err != nil {
				return contestant.Result{}, err
			}
			if resp.JSON200 == nil {
				return contestant.Result{}, errors.New(resp.Status())
			}
			return contestant.Result{Data: &resp.JSON200.Data}, nil
		},
	}, nil
}
