// Apiserver is an internal HTTP service in front of the client: other teams create, list, pause and activate endpoints
// without an API key of the account.
//
//	go run ./examples/apiserver -listen 127.0.0.1:8080
//	curl -i 127.0.0.1:8080/endpoints
//	curl -i -X PUT 127.0.0.1:8080/endpoints/1003/paused
//	curl -i -X PUT '127.0.0.1:8080/new/checkout?chain=eth&network=mainnet'
//
// A name creates one endpoint: a create without a response can be repeated. Errors of the service are mapped to
// statuses. Each response has an X-Request-Id, the caller's if it sent one, which is logged with the service's. If a
// caller disconnects, its call is canceled. After Ctrl-C, calls in progress have ten seconds to finish.
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator in
// its own process.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "the `address` to listen on")
	state := flag.String("state", ".", "the `folder` of the files that record creates")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *listen, rpcfleet.FileCheckpointStore{Dir: *state}); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, listen string, creates rpcfleet.CheckpointStore) error {
	client, err := rpcfleet.NewFromEnv()
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		service := emulator.Start()
		service.CreateEndpoints(3)
		fmt.Println("No RPCFLEET_BASE_URL: using an emulator at", service.URL)
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	}
	if err == nil {
		_, err = client.Account.Info(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w (are RPCFLEET_BASE_URL and RPCFLEET_API_KEY right?)", err)
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Printf("Listening on http://%s\n", listener.Addr())
	server := &http.Server{Handler: routes(client, creates), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		ended <- server.Shutdown(ending) // Calls in progress finish.
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-ended
}

func routes(client *rpcfleet.Client, creates rpcfleet.CheckpointStore) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /endpoints", handle(func(r *http.Request) (any, error) {
		endpoints := []admin.Endpoint{} // Their JSON has no token: addresses are redacted.
		for e, err := range client.Endpoints.All(r.Context(), admin.ListEndpointsParams{}) {
			if err != nil {
				return nil, err
			}
			endpoints = append(endpoints, e)
		}
		return endpoints, nil
	}))
	mux.Handle("PUT /new/{name}", handle(func(r *http.Request) (any, error) {
		request := admin.CreateEndpointRequest{Chain: r.FormValue("chain"), Network: r.FormValue("network")}
		once := rpcfleet.WithCreateJournal(creates, r.PathValue("name"))
		return client.Endpoints.Create(r.Context(), request, once)
	}))
	mux.Handle("PUT /endpoints/{id}/{status}", handle(func(r *http.Request) (any, error) {
		status := admin.EndpointStatus(r.PathValue("status"))
		return struct{}{}, client.Endpoints.SetStatus(r.Context(), r.PathValue("id"), status)
	}))
	return mux
}

// handle writes the result of an operation as JSON, or its error as a status.
func handle(operation func(*http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if len(id) == 0 || len(id) > 64 {
			id = rand.Text()
		}
		w.Header().Set("X-Request-Id", id)
		w.Header().Set("Content-Type", "application/json")
		result, err := operation(r)
		if err != nil {
			status := statusOf(err)
			slog.Error("call failed", "request", id, "status", status, "error", err) // With the service's request id.
			w.WriteHeader(status)
			result = map[string]string{"error": http.StatusText(status), "request_id": id} // The log has the reason.
		}
		_ = json.NewEncoder(w).Encode(result) // The caller may be gone.
	})
}

// statusOf maps an error of the client to a status for our callers. If our own key or limit is the cause, it is not the
// caller's fault.
func statusOf(err error) int {
	switch {
	case errors.Is(err, rpcfleet.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, rpcfleet.ErrInvalidRequest):
		return http.StatusBadRequest
	case errors.Is(err, rpcfleet.ErrConflict):
		return http.StatusConflict
	case errors.Is(err, rpcfleet.ErrRateLimited):
		return http.StatusServiceUnavailable
	case errors.Is(err, context.Canceled):
		return 499 // The caller disconnected.
	}
	return http.StatusBadGateway
}
