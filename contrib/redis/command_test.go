package fleetredis_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestOptions_refusesInvalidValues, among them prefixes with braces: Redis Cluster takes the slot of a key from its
// first pair of braces, which is the hash's.
func TestOptions_refusesInvalidValues(t *testing.T) {
	client, one := connect("nowhere"), fleetredis.Limit{Requests: 1}
	for _, limit := range []fleetredis.Limit{{}, {Requests: -1}, {Requests: 10, Burst: -1}, {Requests: 10, Burst: 11},
		{Requests: 10, Headroom: 10}, {Requests: 10, Headroom: -1}} {
		_, err := fleetredis.NewPacer(client, key, fleetredis.PacerOptions{PerMinute: limit})
		assert.Error(t, err, "%+v", limit)
	}
	_, unconnected := fleetredis.NewPacer(nil, key, fleetredis.PacerOptions{PerSecond: one})
	_, unnamed := fleetredis.NewPacer(client, scalar.Secret{}, fleetredis.PacerOptions{PerSecond: one})
	_, negative := fleetredis.NewDedupStore(client, "destination-1", fleetredis.DedupOptions{MaxDeliveries: -1})
	_, empty := fleetredis.NewDedupStore(client, "", fleetredis.DedupOptions{})
	_, forgetful := fleetredis.NewDedupStore(nil, "destination-1", fleetredis.DedupOptions{})
	_, lost := fleetredis.NewCheckpoints(nil, fleetredis.CheckpointOptions{})
	for err, want := range map[error]string{
		unconnected: "fleetredis: ", unnamed: "fleetredis: ", lost: "fleetredis: ",
		negative:  "fleetredis: the number of deliveries must not be negative",
		empty:     "fleetredis: the name of the webhook must not be empty",
		forgetful: "fleetredis: the client must not be nil",
	} {
		assert.ErrorContains(t, err, want)
	}
	for prefix, valid := range map[string]bool{"": true, "mine": true, "a:b": true,
		"{mine}": false, "mine{": false, "mine}": false, "{}": false, "a}b{c": false} {
		_, pacer := fleetredis.NewPacer(client, key, fleetredis.PacerOptions{PerSecond: one, Prefix: prefix})
		_, memory := fleetredis.NewDedupStore(client, "destination-1", fleetredis.DedupOptions{Prefix: prefix})
		_, checkpoints := fleetredis.NewCheckpoints(client, fleetredis.CheckpointOptions{Prefix: prefix})
		for _, err := range []error{pacer, memory, checkpoints} {
			assert.Equal(t, valid, err == nil, prefix)
			if !valid {
				assert.EqualError(t, err, "fleetredis: the prefix must not contain { or }, which choose the slot of a cluster")
			}
		}
	}
}
