package admin_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestNetworks_joinThreeVocabularies(t *testing.T) {
	networks := admin.NewNetworks([]admin.ListedChain{
		{Slug: "eth", Networks: []admin.ChainNetwork{{Slug: "mainnet", Name: "Ethereum Mainnet", ChainID: new(int64(1))}}},
		{Slug: "base", Networks: []admin.ChainNetwork{{Slug: "base-sepolia", ChainID: new(int64(84532))}, {Slug: "new-net"}}},
	})
	ethereum := admin.Network{"eth", "mainnet", "ethereum-mainnet", "Ethereum Mainnet", new(int64(1))}
	for _, name := range []string{"mainnet", "ethereum-mainnet", "Ethereum-Mainnet"} {
		network, found := networks.Find(name)
		assert.True(t, found, name)
		assert.Equal(t, ethereum, network, name)
	}
	network, found := networks.ByChainID(84532)
	assert.True(t, found)
	assert.Equal(t, "base-sepolia", network.Name)
	network, found = networks.Find("new-net")
	assert.True(t, found)
	assert.Equal(t, admin.Network{"base", "new-net", "new-net", "", nil}, network, "an unknown name passes through")
	_, found = networks.Find("ethereum")
	assert.False(t, found)
	_, found = networks.ByChainID(0)
	assert.False(t, found, "a network without an id has none")
}
