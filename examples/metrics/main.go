// Metrics measures and traces the calls of a client, with Prometheus and OpenTelemetry.
//
//	go run ./examples/metrics
//	go run ./examples/metrics -listen :9090    # lists the endpoints once a minute, and serves /metrics
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator in
// its own process that fails once. Spans are written to standard error; your program uses an exporter that sends them
// elsewhere.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	fleetotel "github.com/rpcfleet/rpcfleet-go/contrib/otel"
	fleetprometheus "github.com/rpcfleet/rpcfleet-go/contrib/prometheus"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	listen := flag.String("listen", "", "serve metrics on this `address` until Ctrl-C")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *listen); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "metrics:", err)
		os.Exit(1)
	}
}

// connect returns a client for the account in the environment, or for an emulator if no account is set.
func connect(options ...rpcfleet.ClientOption) (*rpcfleet.Client, error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		return rpcfleet.NewFromEnv(options...)
	}
	fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator")
	service := emulator.Start(emulator.WithFaults(emulator.Fault{Times: 1, Status: 503}))
	service.CreateEndpoints(5)
	return rpcfleet.New(append(options, rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))...)
}

func run(ctx context.Context, listen string) error {
	collector := fleetprometheus.NewCollector(fleetprometheus.Options{})
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector)
	metrics := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})

	exporter, err := stdouttrace.New(stdouttrace.WithWriter(os.Stderr))
	if err != nil {
		return err
	}
	spans := trace.NewTracerProvider(trace.WithBatcher(exporter))
	defer func() { _ = spans.Shutdown(context.WithoutCancel(ctx)) }() // It sends the remaining spans.
	tracing, err := fleetotel.New(fleetotel.Options{TracerProvider: spans})
	if err != nil {
		return err
	}

	client, err := connect(append(collector.ClientOptions(), tracing.ClientOptions()...)...)
	if err != nil {
		return err
	}
	if listen == "" {
		if err := count(ctx, client); err != nil {
			return err
		}
		page := httptest.NewRecorder()
		metrics.ServeHTTP(page, httptest.NewRequestWithContext(ctx, http.MethodGet, "/metrics", nil))
		_, err := page.Body.WriteTo(os.Stdout)
		return err
	}

	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	server := &http.Server{Addr: listen, Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()
	every := time.NewTicker(time.Minute)
	for {
		if err := count(ctx, client); err != nil {
			fmt.Fprintln(os.Stderr, "metrics:", err) // The metrics count it, too.
		}
		select {
		case <-every.C:
		case err := <-failed:
			return err
		case <-ctx.Done():
			return server.Close()
		}
	}
}

// count is the measured work. If the context has a span, it becomes the parent of the calls' spans.
func count(ctx context.Context, client *rpcfleet.Client) error {
	endpoints := 0
	for _, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
		if err != nil {
			return err
		}
		endpoints++
	}
	fmt.Fprintf(os.Stderr, "%d endpoints\n", endpoints)
	return nil
}
