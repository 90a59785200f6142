package fleetredis_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// healthy is how many deliveries a replica handles that gets stuck after that.
const healthy = 40

// counted is a store that counts the settled claims.
type counted struct {
	*fleetredis.DedupStore
	settled atomic.Int64
}

func (c *counted) Settle(
	ctx context.Context, claim webhooks.Claim, outcome webhooks.ClaimStatus, ttl time.Duration,
) error {
	defer c.settled.Add(1)
	return c.DedupStore.Settle(ctx, claim, outcome, ttl)
}

// beReplica receives deliveries, and lists in Redis which it has handled. If it is to get stuck, it reports that in the
// middle of a delivery, and has settled all that it has handled.
func beReplica(shared *redis.Client) error {
	store, err := fleetredis.NewDedupStore(shared, "destination-1", fleetredis.DedupOptions{})
	if err != nil {
		return err
	}
	verifier, err := webhooks.NewVerifier([]scalar.Secret{key})
	if err != nil {
		return err
	}
	memory, stuck := &counted{DedupStore: store}, os.Getenv("STUCK") != ""
	var begun, told atomic.Int64
	receiver, err := webhooks.NewReceiver(verifier, func(ctx context.Context, d *webhooks.Delivery) error {
		if stuck && begun.Add(1) > healthy {
			for memory.settled.Load() < healthy {
				time.Sleep(time.Millisecond)
			}
			if told.Add(1) == 1 {
				fmt.Println("in the middle")
			}
			select {}
		}
		return shared.RPush(ctx, "handled", d.Headers.Nonce).Err()
	}, webhooks.WithDedupStore(memory, 3*time.Second))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	return http.Serve(listener, receiver)
}

// TestDedupStore_replicasRunEachDeliveryOnce sends each of 500 deliveries to two of three replicas at the same time,
// until each is confirmed, and kills one of the replicas in the middle of some.
func TestDedupStore_replicasRunEachDeliveryOnce(t *testing.T) {
	const deliveries, copies, senders = 500, 2, 16
	shared := startRedis(t)
	replicas := []*another{shared.start(t, "STUCK=1"), shared.start(t), shared.start(t)}
	var addresses []string
	for _, replica := range replicas {
		addresses = append(addresses, replica.line(t))
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}
	work := make(chan int)
	var confirmed atomic.Int64
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for n := range work {
				for turn := n%deliveries + n/deliveries; ; turn++ { // If it is refused, the next replica gets it.
					status := deliver(t, client, addresses[turn%3], n%deliveries)
					if status == http.StatusOK {
						confirmed.Add(1)
						break
					}
					assert.Contains(t, []int{0, http.StatusServiceUnavailable}, status)
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	go func() {
		defer close(work)
		for n := range deliveries { // The copies of one follow one another, and are under way together.
			for again := range copies {
				work <- n + again*deliveries
			}
		}
	}()
	assert.Equal(t, "in the middle", replicas[0].line(t))
	require.NoError(t, replicas[0].Process.Kill())
	all.Wait()
	assert.Equal(t, int64(deliveries*copies), confirmed.Load())

	handled := map[string]int{}
	for _, nonce := range must(shared.LRange(t.Context(), "handled", 0, -1).Result())(t) {
		handled[nonce]++
	}
	assert.Len(t, handled, deliveries)
	for nonce, times := range handled {
		assert.Equal(t, 1, times, nonce)
	}
}

var signedAt = time.Now()

// deliver sends a delivery, and returns the status of the response, or 0 if the receiver is gone.
func deliver(t *testing.T, client *http.Client, address string, n int) int {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(`{}`))
	if !assert.NoError(t, err) {
		return http.StatusOK
	}
	assert.NoError(t, webhooks.Signer{Token: key}.Sign(request.Header, fmt.Sprint("n", n), signedAt, []byte(`{}`)))
	response, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}
