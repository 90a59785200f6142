package fleetredis_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
)

// TestPrefixesHaveNoBraces: Redis Cluster takes the slot of a key from its first pair of braces, which is the hash's.
func TestPrefixesHaveNoBraces(t *testing.T) {
	client := connect("nowhere")
	for name, newWith := range map[string]func(prefix string) error{
		"pacer": func(prefix string) error {
			options := fleetredis.PacerOptions{PerSecond: fleetredis.Limit{Requests: 1}, Prefix: prefix}
			_, err := fleetredis.NewPacer(client, key, options)
			return err
		},
		"replay memory": func(prefix string) error {
			_, err := fleetredis.NewDedupStore(client, "destination-1", fleetredis.DedupOptions{Prefix: prefix})
			return err
		},
		"checkpoints": func(prefix string) error {
			_, err := fleetredis.NewCheckpoints(client, fleetredis.CheckpointOptions{Prefix: prefix})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, prefix := range []string{"", "mine", "a:b"} {
				require.NoError(t, newWith(prefix), prefix)
			}
			for _, prefix := range []string{"{mine}", "mine{", "mine}", "{}", "a}b{c"} {
				assert.EqualError(t, newWith(prefix),
					"fleetredis: the prefix must not contain { or }, which choose the slot of a cluster", prefix)
			}
		})
	}
}
