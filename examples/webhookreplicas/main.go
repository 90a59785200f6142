// Webhookreplicas is a receiver of webhooks for several machines. It handles each delivery once, by a store in Redis.
//
//	go run ./examples/webhookreplicas
//	REDIS_ADDRESS=redis.internal:6379 SECURITY_TOKEN=... go run ./examples/webhookreplicas -listen :8080
//
// REDIS_PASSWORD is optional. Without REDIS_ADDRESS it starts redis-server and two replicas, and delivers to both.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "the `address` to listen on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *listen); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "webhookreplicas:", err)
		os.Exit(1)
	}
}

// newReceiver returns the receiver of a replica. All replicas of a webhook use the same name, such as its id.
func newReceiver(shared redis.UniversalClient, webhook, token string, handle webhooks.Callback) (http.Handler, error) {
	verifier, err := webhooks.NewVerifier([]scalar.Secret{scalar.NewSecret(token)})
	if err != nil {
		return nil, err
	}
	memory, err := fleetredis.NewDedupStore(shared, webhook, fleetredis.DedupOptions{})
	if err != nil {
		return nil, err
	}
	// If a replica is killed, its delivery is blocked until the timeout. Then another replica can claim it.
	return webhooks.NewReceiver(verifier, handle, webhooks.WithDedupStore(memory, 30*time.Second))
}

// handlePrinting returns your work. It should end with its context, or another replica may do the work, too.
func handlePrinting(replica string) webhooks.Callback {
	return func(_ context.Context, delivery *webhooks.Delivery) error {
		fmt.Printf("%s handled delivery %q\n", replica, delivery.Headers.Nonce)
		return nil
	}
}

// serve runs one replica.
func serve(ctx context.Context, listen string) error {
	if os.Getenv("REDIS_ADDRESS") == "" {
		return demonstrate(ctx)
	}
	shared := redis.NewClient(&redis.Options{Addr: os.Getenv("REDIS_ADDRESS"), Password: os.Getenv("REDIS_PASSWORD")})
	if err := shared.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("%w (is REDIS_ADDRESS right?)", err)
	}
	host, _ := os.Hostname()
	receiver, err := newReceiver(shared, "transfers", os.Getenv("SECURITY_TOKEN"), handlePrinting(host))
	if err != nil {
		return fmt.Errorf("%w (is SECURITY_TOKEN set?)", err)
	}
	server := &http.Server{Addr: listen, Handler: receiver, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		ended <- server.Shutdown(ending) // Requests in progress finish.
	})
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-ended
}

// demonstrate delivers each of four blocks to two replicas.
func demonstrate(ctx context.Context) error {
	fmt.Fprintln(os.Stderr, "No REDIS_ADDRESS: starting redis-server and two replicas")
	const token = "qnsec_made-up"
	folder, err := os.MkdirTemp("", "webhookreplicas")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	socket := filepath.Join(folder, "redis.sock")
	server := exec.CommandContext(ctx, "redis-server", "--port", "0", "--unixsocket", socket, "--dir", folder, "--save", "")
	if err := server.Start(); err != nil {
		return fmt.Errorf("%w (install redis-server, or set REDIS_ADDRESS)", err)
	}
	defer func() { _ = server.Process.Kill() }()
	for range 500 { // Wait until it has started.
		if _, err := os.Stat(socket); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	var replicas [2]http.Handler
	for i := range replicas {
		shared := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
		if replicas[i], err = newReceiver(shared, "transfers", token, handlePrinting(fmt.Sprintf("replica %d", i+1))); err != nil {
			return err
		}
	}
	requests, now := 0, time.Now()
	for block := range 4 {
		payload := fmt.Sprintf(`{"block_number":%d}`, block)
		for i := range replicas {
			request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(payload))
			signer := webhooks.Signer{Token: scalar.NewSecret(token)}
			if err := signer.Sign(request.Header, fmt.Sprint("nonce-", block), now, []byte(payload)); err != nil {
				return err
			}
			response := httptest.NewRecorder()
			replicas[(block+i)%2].ServeHTTP(response, request)
			if requests++; response.Code != http.StatusOK {
				return errors.New(response.Result().Status)
			}
		}
	}
	fmt.Printf("%d requests came for 4 deliveries\n", requests)
	return nil
}
