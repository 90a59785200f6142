// Apiserver is an internal HTTP service in front of the client: other teams list, pause and activate endpoints without
// an API key of the account.
//
//	go run ./examples/apiserver -listen 127.0.0.1:8080
//	curl -i 127.0.0.1:8080/endpoints
//	curl -i -X POST 127.0.0.1:8080/endpoints/1003/pause
//
// Errors of the service are mapped to statuses. Each response has an X-Request-Id, the caller's if it sent one, which
// is logged together with the service's. If a caller disconnects, its call is canceled.
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
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, *listen)
	if ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	}
	fmt.Fprintln(os.Stderr, "apiserver:", err)
	os.Exit(1)
}

// connect returns a client for the account in the environment, or for an emulator if no account is set.
func connect() (*rpcfleet.Client, error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		return rpcfleet.NewFromEnv()
	}
	service := emulator.Start()
	service.CreateEndpoints(3)
	fmt.Println("No RPCFLEET_BASE_URL: using an emulator at", service.URL)
	return rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
}

func run(ctx context.Context, listen string) error {
	client, err := connect()
	if err != nil {
		return err
	}
	if _, err := client.Account.Info(ctx); err != nil {
		return fmt.Errorf("%w (are RPCFLEET_BASE_URL and RPCFLEET_API_KEY right?)", err)
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Printf("Listening on http://%s\n", listener.Addr())
	server := &http.Server{Handler: routes(client), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() }) // This ends requests in progress, too.
	return server.Serve(listener)
}

func routes(client *rpcfleet.Client) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /endpoints", handle(func(r *http.Request) (any, error) {
		endpoints := []endpoint{} // A separate type: callers see only the fields they need, and no address.
		for e, err := range client.Endpoints.All(r.Context(), admin.ListEndpointsParams{}) {
			if err != nil {
				return nil, err
			}
			endpoints = append(endpoints, endpoint{e.ID, e.Label, e.Network, e.Status})
		}
		return endpoints, nil
	}))
	mux.Handle("POST /endpoints/{id}/pause", handle(func(r *http.Request) (any, error) {
		return struct{}{}, client.Endpoints.Pause(r.Context(), r.PathValue("id"))
	}))
	mux.Handle("POST /endpoints/{id}/activate", handle(func(r *http.Request) (any, error) {
		return struct{}{}, client.Endpoints.Activate(r.Context(), r.PathValue("id"))
	}))
	return mux
}

type endpoint struct {
	ID      string               `json:"id"`
	Label   string               `json:"label"`
	Network string               `json:"network"`
	Status  admin.EndpointStatus `json:"status"`
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
			status, service := statusOf(err), new(rpcfleet.Error)
			errors.As(err, &service)
			slog.Error("call failed", "request", id, "service_request", service.RequestID, "status", status, "error", err)
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
