// Alertreceiver is a service that receives the webhooks of one alerts destination. Each delivery is verified and
// handled once, a few at a time behind a bounded queue.
//
//	go run ./examples/alertreceiver
//	DESTINATION_TOKEN=... go run ./examples/alertreceiver -listen :8080
//
// DESTINATION_TOKEN is the token that Destinations.Create returned. If it is not set, an emulator in this process
// delivers a few alerts to the service. After Ctrl-C, deliveries in progress have up to ten seconds to finish.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The queue is bounded: if it is full, a delivery is rejected, and the service retries it.
const workers, waiting = 4, 100

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "the `address` to listen on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, *listen, os.Getenv("DESTINATION_TOKEN"))
	if ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "alertreceiver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, listen, token string) error {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	fmt.Fprintln(os.Stderr, "Listening on", address)
	serving, stop := context.WithCancel(ctx)
	defer stop()
	delivered := make(chan error, 1)
	if token == "" {
		fmt.Fprintln(os.Stderr, "No DESTINATION_TOKEN: using an emulator")
		token = "made-up-destination-token"
		go func() {
			delivered <- deliver(ctx, address, token)
			stop()
		}()
	}
	verifier, err := alerts.NewHMACVerifier([]scalar.Secret{scalar.NewSecret(token)}, alerts.HeaderNames{})
	if err != nil {
		return err
	}
	receiver, err := alerts.NewReceiver(verifier, newQueue(handle))
	if err != nil {
		return err
	}
	if err := serve(serving, listener, receiver); err != nil || ctx.Err() != nil {
		return err
	}
	return <-delivered
}

// handle is your work. If it returns nil, the delivery is accepted. After any other error than one of alerts.Permanent,
// the service retries the delivery. %q escapes terminal control characters.
func handle(_ context.Context, delivery *alerts.Delivery) error {
	_, err := fmt.Printf("%q\n", delivery.Payload)
	return err
}

// newQueue returns a callback that handles some deliveries at a time, while others wait. A delivery is acknowledged
// after it is handled, so that none is lost if the process ends.
func newQueue(handle alerts.Callback) alerts.Callback {
	queue, running := make(chan struct{}, workers+waiting), make(chan struct{}, workers)
	return func(ctx context.Context, delivery *alerts.Delivery) (err error) {
		select {
		case queue <- struct{}{}:
			defer func() { <-queue }()
		default:
			return errors.New("the queue is full")
		}
		select {
		case running <- struct{}{}:
			defer func() { <-running }()
		case <-ctx.Done():
			return ctx.Err()
		}
		defer func() {
			if recover() != nil { // It fails this delivery only. The value may contain secrets, the stack does not.
				debug.PrintStack()
				err = errors.New("the work panicked")
			}
		}()
		return handle(ctx, delivery)
	}
}

// serve serves until the context ends, and then lets requests in progress finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return server.Shutdown(ending)
}

// deliver makes an emulator deliver three alerts, each twice. The service handles each once.
func deliver(ctx context.Context, address, token string) error {
	service := emulator.New()
	made, err := service.Populate(fleet.Fleet{
		Destinations: []fleet.Destination{{Name: "here", URL: address, Token: token}},
		Notifications: []fleet.Notification{{
			Name: "transfers", Network: "ethereum-mainnet", Expression: "tx_to =~ '^0x'", Destinations: []string{"here"},
		}},
	})
	for block := int64(100); block < 103 && err == nil; block++ {
		var outcomes []emulator.DeliveryOutcome
		if outcomes, err = service.Deliver(ctx, made.Notifications[0], block); err == nil {
			var again emulator.DeliveryOutcome
			again, err = service.Redeliver(ctx, outcomes[0].EventID)
			err = cmp.Or(err, outcomes[0].Err, again.Err)
		}
	}
	return err
}
