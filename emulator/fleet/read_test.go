package fleet_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

func TestRead_readsFleet(t *testing.T) {
	read, err := fleet.Read(strings.NewReader(`{
		"tags": ["red"],
		"endpoints": [{"chain": "base", "network": "base-mainnet", "usage": [{"method": "eth_call", "requests": 5}]}],
		"graph": {"seed": 7}
	}`))
	require.NoError(t, err)
	assert.Equal(t, fleet.Fleet{
		Tags: []string{"red"},
		Endpoints: []fleet.Endpoint{{
			Chain: "base", Network: "base-mainnet", Usage: []fleet.Usage{{Method: "eth_call", Requests: 5}},
		}},
		Graph: fleet.Graph{Seed: 7},
	}, read)
}

func TestRead_errorNamesPlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"endpoint": []}`:                                `unknown object member name "endpoint"`,
		`{"endpoints": [{}, {"lable": "x"}]}`:             `unknown object member name "lable" within "/endpoints/1"`,
		`{"endpoints": {"chain": "x"}}`:                   "/endpoints",
		`{"endpoints": [{"usage": [{"requests": "x"}]}]}`: "/endpoints/0/usage/0/requests",
		`{"tags": ["a"], "tags": ["b"]}`:                  `duplicate object member name "tags"`,
		`{"tags": [`:                                      "unexpected EOF",
		``:                                                "EOF",
		`{} {}`:                                           "after top-level value",
	} {
		_, err := fleet.Read(strings.NewReader(text))
		assert.ErrorContains(t, err, want, text)
	}
	_, err := fleet.Read(iotest.ErrReader(errors.New("the disk is gone")))
	assert.ErrorContains(t, err, "the disk is gone")
}

func FuzzRead(f *testing.F) {
	f.Add(`{"endpoints": [{"chain": "base", "network": "base-mainnet", "tags": ["red"]}]}`)
	f.Add(`{"graph": {"polygon": {"wallets": [{"address": "0x00"}]}}}`)
	f.Add(`{"users": [{"emial": 1}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if read, err := fleet.Read(strings.NewReader(text)); err != nil {
			assert.Zero(t, read)
			assert.NotEmpty(t, err.Error())
		}
	})
}
