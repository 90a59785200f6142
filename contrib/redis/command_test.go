package fleetredis_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestOptions_refusesInvalidValues(t *testing.T) {
	client, one := connect("nowhere"), fleetredis.Limit{Requests: 1}
	for _, limit := range []fleetredis.Limit{{}, {Requests: -1}, {Requests: 10, Burst: -1}, {Requests: 10, Burst: 11},
		{Requests: 10, Headroom: 10}, {Requests: 10, Headroom: -1}} {
		_, err := fleetredis.NewPacer(client, key, fleetredis.PacerOptions{PerMinute: limit})
		assert.Error(t, err, "%+v", limit)
	}
	_, err := fleetredis.NewPacer(nil, key, fleetredis.PacerOptions{PerSecond: one})
	require.Error(t, err)
	_, err = fleetredis.NewPacer(client, scalar.Secret{}, fleetredis.PacerOptions{PerSecond: one})
	require.Error(t, err)
	for _, options := range []fleetredis.DedupOptions{{Lease: -1}, {Lease: time.Millisecond}, {MaxDeliveries: -1}} {
		_, err := fleetredis.NewDedupStore(client, "destination-1", options)
		assert.Error(t, err)
	}
	_, err = fleetredis.NewDedupStore(client, "", fleetredis.DedupOptions{})
	require.Error(t, err)
	_, err = fleetredis.NewDedupStore(nil, "destination-1", fleetredis.DedupOptions{})
	require.Error(t, err)
	_, err = fleetredis.NewCheckpoints(nil, fleetredis.CheckpointOptions{})
	require.Error(t, err)
}

// TestOptions_refusesBracesInPrefix: Redis Cluster takes the slot of a key from its first pair of braces, which is the
// hash's.
func TestOptions_refusesBracesInPrefix(t *testing.T) {
	client, one := connect("nowhere"), fleetredis.Limit{Requests: 1}
	for prefix, valid := range map[string]bool{"": true, "mine": true, "a:b": true,
		"{mine}": false, "mine{": false, "mine}": false, "{}": false, "a}b{c": false} {
		_, pacer := fleetredis.NewPacer(client, key, fleetredis.PacerOptions{PerSecond: one, Prefix: prefix})
		_, memory := fleetredis.NewDedupStore(client, "destination-1", fleetredis.DedupOptions{Prefix: prefix})
		_, checkpoints := fleetredis.NewCheckpoints(client, fleetredis.CheckpointOptions{Prefix: prefix})
		for _, err := range []error{pacer, memory, checkpoints} {
			if valid {
				assert.NoError(t, err, prefix)
				continue
			}
			assert.EqualError(t, err, "fleetredis: the prefix must not contain { or }, which choose the slot of a cluster")
		}
	}
}
