package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const healthPath = "/healthz"

// service is the receiver of a destination with its queue.
type service struct {
	options
	queue  *queue
	routes *http.ServeMux
}

func newService(o options, tokens []scalar.Secret, handle alerts.Callback, logger *slog.Logger) (*service, error) {
	verifier, err := alerts.NewHMACVerifier(tokens, alerts.HeaderNames{})
	if err != nil {
		return nil, err
	}
	memory, err := alerts.NewLocalReplayMemory(100_000) // For several replicas, one in Redis: see the README.
	if err != nil {
		return nil, err
	}
	s := &service{options: o, queue: newQueue(o.queue, o.workers, handle), routes: http.NewServeMux()}
	receiver, err := alerts.NewReceiver(verifier, s.queue.put, alerts.WithReplayMemory(memory), alerts.WithLogger(logger))
	if err != nil {
		return nil, err
	}
	s.routes.Handle(o.path, busyAware(receiver))
	s.routes.HandleFunc("GET "+healthPath, s.health)
	return s, nil
}

// health tells that the service is up, and how many deliveries wait.
func (s *service) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"status": "ok", "waiting": s.queue.waiting()})
}

// serve serves until the context ends. Then it takes no more connections and waits for the deliveries that are there,
// but not for longer than the time for that: what is left then is not acknowledged, and the sender has it.
func (s *service) serve(ctx context.Context, listener net.Listener) error {
	lives, end := context.WithCancel(context.WithoutCancel(ctx)) // Deliveries go on when ctx ends.
	defer end()
	server := &http.Server{
		Handler: s.routes, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return lives },
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(lives, s.drain)
	defer cancel()
	if err := server.Shutdown(within); err != nil {
		end() // Handlers that mind their context end.
		return errors.Join(fmt.Errorf("not all deliveries were handled within %s: the sender has the others", s.drain), server.Close())
	}
	s.queue.close()
	return nil
}
