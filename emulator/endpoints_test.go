package emulator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type tagOnEndpoint struct {
	TagID int64  `json:"tag_id"`
	Label string `json:"label"`
}

type singleEndpoint struct {
	ID           string          `json:"id"`
	Label        *string         `json:"label"`
	Status       string          `json:"status"`
	Chain        string          `json:"chain"`
	Network      string          `json:"network"`
	HTTPURL      string          `json:"http_url"`
	WSSURL       *string         `json:"wss_url"`
	IsMultichain bool            `json:"is_multichain"`
	Security     map[string]any  `json:"security"`
	Tags         []tagOnEndpoint `json:"tags"`
}

// create creates an endpoint on Ethereum's main network.
func (s *service) create() singleEndpoint {
	s.t.Helper()
	return dataOf[singleEndpoint](s.post("/v0/endpoints", object{"chain": "ethereum", "network": "ethereum-mainnet"}))
}

func (s *service) endpoint(id string) singleEndpoint {
	s.t.Helper()
	return dataOf[singleEndpoint](s.get("/v0/endpoints/" + id))
}

func TestAddEndpoint(t *testing.T) {
	s := startService(t)
	id, err := s.AddEndpoint(emulator.EndpointSpec{
		Chain: "base", Network: "base-sepolia", Label: "Batch", Tags: []string{"one", "two", "one"},
		Paused: true, Multichain: true, Dedicated: true, FlatRate: true,
	})
	require.NoError(t, err)
	listed := s.list("").Data
	require.Len(t, listed, 1)
	assert.Equal(t, id, listed[0].ID)
	assert.Equal(t, new("Batch"), listed[0].Label)
	assert.Equal(t, "paused", listed[0].Status)
	assert.Equal(t, "base-sepolia", listed[0].Network)
	assert.True(t, listed[0].IsMultichain)
	assert.True(t, listed[0].IsDedicated)
	assert.True(t, listed[0].IsFlatRate)
	require.Len(t, listed[0].Tags, 2)
	assert.Equal(t, "two", listed[0].Tags[1].Label)

	for name, spec := range map[string]emulator.EndpointSpec{
		"chain":   {Network: "base-sepolia"},
		"network": {Chain: "base", Network: "ethereum-mainnet"},
		"label":   {Chain: "base", Network: "base-sepolia", Tags: []string{""}},
	} {
		_, err := s.AddEndpoint(spec)
		assert.ErrorContains(t, err, name)
	}
	assert.Len(t, s.list("").Data, 1)
}
