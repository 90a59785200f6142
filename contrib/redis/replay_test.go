package fleetredis_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/alerts/replaytest"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
)

func TestReplayMemory(t *testing.T) {
	shared := startRedis(t)
	replaytest.Run(t, func(t *testing.T) replaytest.Subject {
		memory, err := fleetredis.NewReplayMemory(shared, t.Name(), fleetredis.ReplayOptions{MaxDeliveries: 3})
		require.NoError(t, err)
		return replaytest.Subject{Memory: memory, Room: 3, Pass: func(by time.Duration) { shared.age(t, by) }}
	})
}

func TestReplayMemoryHidesWhatIdentifies(t *testing.T) {
	shared := startRedis(t)
	memory, err := fleetredis.NewReplayMemory(shared, "destination-1", fleetredis.ReplayOptions{Prefix: "mine"})
	require.NoError(t, err)
	headers := alerts.Headers{Nonce: "nonce-1", ContentHash: "hash-1", Signature: "signature-1"}
	claim, err := memory.Claim(t.Context(), headers.Identity(), time.Minute)
	require.NoError(t, err)
	require.NoError(t, memory.Settle(t.Context(), claim, alerts.CarriedOut))
	keys, err := shared.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	assert.Len(t, keys, 5)
	for _, key := range keys {
		assert.True(t, strings.HasPrefix(key, "mine:replay:{"), key)
		for _, text := range []string{"destination-1", "nonce-1", "hash-1", "signature-1"} {
			assert.NotContains(t, key, text)
		}
		if !strings.HasSuffix(key, ":fence") && !strings.HasSuffix(key, ":all") {
			left, err := shared.PTTL(t.Context(), key).Result()
			require.NoError(t, err)
			assert.WithinRange(t, time.Now().Add(left), time.Now(), time.Now().Add(2*time.Minute), "it does not stay for good")
		}
	}
}

func TestReplayOptionsAreChecked(t *testing.T) {
	client := connect("nowhere")
	for _, options := range []fleetredis.ReplayOptions{{Lease: -1}, {Lease: time.Millisecond}, {MaxDeliveries: -1}} {
		_, err := fleetredis.NewReplayMemory(client, "destination-1", options)
		assert.Error(t, err)
	}
	_, err := fleetredis.NewReplayMemory(client, "", fleetredis.ReplayOptions{})
	require.Error(t, err)
	_, err = fleetredis.NewReplayMemory(nil, "destination-1", fleetredis.ReplayOptions{})
	require.Error(t, err)
}
