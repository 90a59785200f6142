// Alertreplicas is a receiver of webhooks for several machines. It handles each delivery once, by a store in Redis.
//
//	go run ./examples/alertreplicas
//	REDIS_ADDRESS=redis.internal:6379 DESTINATION_TOKEN=... go run ./examples/alertreplicas -listen :8080
//
// REDIS_PASSWORD is optional. Without REDIS_ADDRESS it starts redis-server, two replicas, and an emulator that alerts both.
package main

import (
	"cmp"
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
	"sync/atomic"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "the `address` to listen on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := serve(ctx, *listen)
	if ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "alertreplicas:", err)
		os.Exit(1)
	}
}

// newReceiver returns the receiver of a replica. All replicas of a webhook use the same name, such as the destination's
// id.
func newReceiver(shared redis.UniversalClient, webhook, token string, handle alerts.Callback) (http.Handler, error) {
	verifier, err := alerts.NewHMACVerifier([]scalar.Secret{scalar.NewSecret(token)}, alerts.HeaderNames{})
	if err != nil {
		return nil, err
	}
	memory, err := fleetredis.NewDedupStore(shared, webhook, fleetredis.DedupOptions{})
	if err != nil {
		return nil, err
	}
	// If a replica is killed, its delivery is blocked until the timeout. Then another replica can claim it.
	return alerts.NewReceiver(verifier, handle, alerts.WithDedupStore(memory, 30*time.Second))
}

// handlePrinting returns your work. It should end with its context, or another replica may do the work, too.
func handlePrinting(replica string) alerts.Callback {
	return func(_ context.Context, delivery *alerts.Delivery) error {
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
	receiver, err := newReceiver(shared, "transfers", os.Getenv("DESTINATION_TOKEN"), handlePrinting(host))
	if err != nil {
		return fmt.Errorf("%w (is DESTINATION_TOKEN set?)", err)
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

// demonstrate delivers each alert twice, to two replicas in turn.
func demonstrate(ctx context.Context) error {
	fmt.Fprintln(os.Stderr, "No REDIS_ADDRESS: starting redis-server, and using an emulator")
	const token = "made-up-destination-token"
	folder, err := os.MkdirTemp("", "alertreplicas")
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
	var requests atomic.Int64
	balancer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		replicas[requests.Add(1)%2].ServeHTTP(w, r)
	}))
	defer balancer.Close()
	service := emulator.New()
	made, err := service.Populate(fleet.Fleet{
		Destinations: []fleet.Destination{{Name: "here", URL: balancer.URL, Token: token}},
		Notifications: []fleet.Notification{{
			Name: "transfers", Network: "ethereum-mainnet", Expression: "tx_to =~ '^0x'", Destinations: []string{"here"},
		}},
	})
	for block := int64(100); block < 104 && err == nil; block++ {
		var outcomes []emulator.DeliveryOutcome
		if outcomes, err = service.Deliver(ctx, made.Notifications[0], block); err == nil {
			var again emulator.DeliveryOutcome
			again, err = service.Redeliver(ctx, outcomes[0].EventID)
			err = cmp.Or(err, outcomes[0].Err, again.Err)
		}
	}
	fmt.Printf("%d requests came for 4 deliveries\n", requests.Load())
	return err
}
