// Webhookreceiver is a service that receives the deliveries of one webhook or stream. Each delivery is verified and
// handled once, a few at a time behind a bounded queue.
//
//	go run ./examples/webhookreceiver
//	SECURITY_TOKEN=... go run ./examples/webhookreceiver -listen :8080
//
// SECURITY_TOKEN is the security_token of the webhook or the stream. If it is not set, this process delivers a few
// blocks to itself. After Ctrl-C, deliveries in progress have up to ten seconds to finish.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// The queue is bounded: if it is full, a delivery is rejected, and the service retries it.
const workers, waiting = 4, 100

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "the `address` to listen on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *listen, scalar.NewSecret(os.Getenv("SECURITY_TOKEN"))); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "webhookreceiver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, listen string, token scalar.Secret) error {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String()
	fmt.Fprintln(os.Stderr, "Listening on", address)
	serving, stop := context.WithCancel(ctx)
	defer stop()
	delivered := make(chan error, 1)
	if token.IsZero() {
		fmt.Fprintln(os.Stderr, "No SECURITY_TOKEN: delivering a few blocks to itself")
		token = scalar.NewSecret("qnsec_made-up")
		go func() {
			delivered <- deliver(ctx, address, token)
			stop()
		}()
	}
	verifier, err := webhooks.NewVerifier([]scalar.Secret{token}) // Two while a token is rotated.
	if err != nil {
		return err
	}
	receiver, err := webhooks.NewReceiver(verifier, newQueue(handle), webhooks.WithMaxBody(16<<20))
	if err != nil {
		return err
	}
	if err := serve(serving, listener, receiver); err != nil || ctx.Err() != nil {
		return err
	}
	return <-delivered
}

// handle is your work. If it returns nil, the delivery is accepted. After an error, except one of webhooks.Permanent,
// the service retries the delivery. %q escapes terminal control characters.
func handle(_ context.Context, delivery *webhooks.Delivery) error {
	_, err := fmt.Printf("%q\n", delivery.Payload)
	return err
}

// newQueue returns a callback that handles some deliveries at a time, while others wait. A delivery is acknowledged
// after it is handled, so that none is lost if the process ends.
func newQueue(handle webhooks.Callback) webhooks.Callback {
	queue, running := make(chan struct{}, workers+waiting), make(chan struct{}, workers)
	return func(ctx context.Context, delivery *webhooks.Delivery) error {
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

// deliver delivers three blocks as the service does, each twice. The receiver handles each once.
func deliver(ctx context.Context, address string, token scalar.Secret) error {
	for i, now := 0, time.Now(); i < 6; i++ {
		block := 100 + i/2
		payload := fmt.Appendf(nil, `{"block_number":%d}`, block)
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(payload))
		if err == nil {
			err = webhooks.Signer{Token: token}.Sign(request.Header, fmt.Sprint("nonce-", block), now, payload)
		}
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return errors.New(response.Status)
		}
	}
	return nil
}
