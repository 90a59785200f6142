package fleetredis_test

import (
	"testing"

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
	for _, test := range []struct {
		webhook, says string
		options       fleetredis.DedupOptions
	}{
		{"destination-1", "fleetredis: the number of deliveries must not be negative", fleetredis.DedupOptions{MaxDeliveries: -1}},
		{"", "fleetredis: the name of the webhook must not be empty", fleetredis.DedupOptions{}},
	} {
		_, err := fleetredis.NewDedupStore(client, test.webhook, test.options)
		assert.EqualError(t, err, test.says)
	}
	_, err = fleetredis.NewDedupStore(nil, "destination-1", fleetredis.DedupOptions{})
	require.EqualError(t, err, "fleetredis: the client must not be nil")
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
