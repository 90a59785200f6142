package fleetredis_test

import (
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rpcfleet/rpcfleet-go"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// The replicas of a program share the limit of their account.
func ExamplePacer() {
	connect := func(address string, key scalar.Secret) (*rpcfleet.Client, error) {
		shared := redis.NewClient(&redis.Options{Addr: "redis.internal:6379"})
		pacer, err := fleetredis.NewPacer(shared, key, fleetredis.PacerOptions{
			PerSecond: fleetredis.Limit{Requests: 100, Headroom: 4},
		})
		if err != nil {
			return nil, err
		}
		options := []rpcfleet.ClientOption{rpcfleet.WithBaseURL(address), rpcfleet.WithAPIKey(key.Reveal())}
		return rpcfleet.New(append(options, pacer.ClientOptions()...)...)
	}
	_ = connect
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
