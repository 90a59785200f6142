package fleetredis_test

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rpcfleet/rpcfleet-go"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// unpaced is a fallback that lets everything pass. A program would rather have a *rate.Limiter with its replica's share.
type unpaced struct{}

func (unpaced) Wait(ctx context.Context) error { return ctx.Err() }

// Two replicas of a program share the limit of their account.
func Example() {
	service := emulator.New(emulator.WithPlan(emulator.Plan{PerSecond: 100}))
	defer service.Close()
	shared, stop := exampleRedis() // A program has redis.NewClient(&redis.Options{Addr: "redis.internal:6379"}).
	defer stop()
	for replica := range 2 {
		pacer, err := fleetredis.NewPacer(shared, scalar.NewSecret(service.APIKey), fleetredis.PacerOptions{
			PerSecond: fleetredis.Limit{Requests: 100, Headroom: 4}, Fallback: unpaced{},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		options := []rpcfleet.ClientOption{rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(service.APIKey),
			rpcfleet.WithHTTPClient(service.Client())}
		client, err := rpcfleet.New(append(options, pacer.ClientOptions()...)...)
		if err != nil {
			fmt.Println(err)
			return
		}
		var response rpcfleet.Response
		if _, err := client.Tags.List(context.Background(), rpcfleet.WithResponse(&response)); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("replica", replica, "has its tags;", "the limit is", response.RateLimit.PerSecond.Limit)
	}
	// Output:
	// replica 0 has its tags; the limit is 100
	// replica 1 has its tags; the limit is 100
}

// Each delivery is executed once over all replicas of this program.
func ExampleDedupStore() {
	serve := func(verifier *webhooks.Verifier, callback webhooks.Callback) error {
		shared := redis.NewClient(&redis.Options{Addr: "redis.internal:6379"})
		memory, err := fleetredis.NewDedupStore(shared, "webhook-1", fleetredis.DedupOptions{})
		if err != nil {
			return err
		}
		receiver, err := webhooks.NewReceiver(verifier, callback, webhooks.WithDedupStore(memory, 30*time.Second))
		if err != nil {
			return err
		}
		server := &http.Server{Addr: ":8443", Handler: receiver, ReadHeaderTimeout: 10 * time.Second}
		return server.ListenAndServeTLS("certificate.pem", "key.pem")
	}
	_ = serve
}
