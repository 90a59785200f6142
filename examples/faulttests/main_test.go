package main

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// start returns an emulator with three endpoints of a tag, and a client for it. There is no port, so that both work in
// a bubble of testing/synctest, in which hours pass in milliseconds.
func start(t *testing.T, faults ...emulator.Fault) (*emulator.Emulator, *rpcfleet.Client) {
	t.Helper()
	service := emulator.New(emulator.WithFaults(faults...))
	t.Cleanup(service.Close)
	for range 3 {
		_, err := service.AddEndpoint(
			emulator.EndpointSpec{Chain: "base", Network: "base-sepolia", Tags: []string{"staging"}})
		if err != nil {
			t.Fatal(err)
		}
	}
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithHTTPClient(service.Client()),
		rpcfleet.WithAPIKey(service.APIKey))
	if err != nil {
		t.Fatal(err)
	}
	return service, client
}

func TestPauseAll_survivesFaults(t *testing.T) {
	for name, fault := range map[string]emulator.Fault{
		"nothing":               {Latency: time.Millisecond},
		"an overloaded service": {Times: 2, Status: http.StatusServiceUnavailable, RetryAfter: "30"},
		"a limit": {Operation: "listEndpoints", Times: 1, Status: http.StatusTooManyRequests,
			RetryAfter: "1"},
		"a lost response":          {Operation: "bulkSetEndpointStatus", Times: 1, Effect: emulator.EffectLoseResponse},
		"a response that is cut":   {Operation: "listEndpoints", Times: 1, Effect: emulator.EffectTruncate},
		"pages smaller than asked": {Operation: "listEndpoints", Effect: emulator.EffectLowerLimit, Limit: 1},
		"a slow service":           {Latency: 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service, client := start(t, fault)
				if err := pauseAll(t.Context(), client, "staging"); err != nil {
					t.Fatal(err)
				}
				if calls := service.Calls("bulkSetEndpointStatus"); len(calls) == 0 || !calls[0].Executed {
					t.Errorf("the endpoints were not paused: %v", calls)
				}
			})
		})
	}
}

func TestPauseAll_returnsErrors(t *testing.T) {
	for name, test := range map[string]struct {
		fault  emulator.Fault
		wanted error
	}{
		"a service that is down": {emulator.Fault{Status: http.StatusBadGateway}, rpcfleet.ErrServer},
		"a key without rights": {emulator.Fault{Operation: "bulkSetEndpointStatus", Status: http.StatusForbidden},
			rpcfleet.ErrForbidden},
		"a refused connection": {emulator.Fault{Effect: emulator.EffectCloseConnection}, rpcfleet.ErrConnection},
		"a deadline":           {emulator.Fault{Latency: time.Hour}, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, client := start(t, test.fault)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				if err := pauseAll(ctx, client, "staging"); !errors.Is(err, test.wanted) {
					t.Errorf("%v is not %v", err, test.wanted)
				}
			})
		})
	}
}

func TestPauseAll_namesUnpausedEndpoints(t *testing.T) {
	_, client := start(t, emulator.Fault{
		Operation: "bulkSetEndpointStatus", Effect: emulator.EffectSetField, Pointer: "/data/results/1/success", Value: false,
	})
	if err := pauseAll(t.Context(), client, "staging"); err == nil {
		t.Error("an endpoint was not paused, and nobody is told")
	}
}
