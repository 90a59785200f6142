package fleetredis_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestOptions_refusesInvalidValues(t *testing.T) {
	client, one := connect("nowhere"), fleetredis.PacerOptions{PerSecond: fleetredis.Limit{Requests: 1}}
	for _, limit := range []fleetredis.Limit{{}, {Requests: -1}, {Requests: 10, Burst: -1}, {Requests: 10, Burst: 11},
		{Requests: 10, Headroom: 10}, {Requests: 10, Headroom: -1}} {
		_, err := fleetredis.NewPacer(client, key, fleetredis.PacerOptions{PerMinute: limit})
		assert.Error(t, err, "%+v", limit)
	}
	_, unconnected := fleetredis.NewPacer(nil, key, one)
	_, unnamed := fleetredis.NewPacer(client, scalar.Secret{}, one)
	_, negative := fleetredis.NewDedupStore(client, "destination-1", fleetredis.DedupOptions{MaxDeliveries: -1})
	_, empty := fleetredis.NewDedupStore(client, "", fleetredis.DedupOptions{})
	_, forgetful := fleetredis.NewDedupStore(nil, "destination-1", fleetredis.DedupOptions{})
	_, lost := fleetredis.NewCheckpoints(nil, fleetredis.CheckpointOptions{})
	for err, want := range map[error]string{
		unconnected: "the client must not be nil", forgetful: "the client must not be nil",
		lost: "the client must not be nil", unnamed: "the account must not be empty",
		negative: "the number of deliveries must not be negative", empty: "the name of the webhook must not be empty",
	} {
		assert.EqualError(t, err, "fleetredis: "+want)
	}
}
