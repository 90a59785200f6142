package payload_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestBody_isDeterministic makes sure that runs can be compared, and that a program can predict the bodies that
// another one serves. The page of logs has the size that its title promises.
func TestBody_isDeterministic(t *testing.T) {
	race.Skip(t)
	for _, p := range payload.All {
		assert.True(t, json.Valid(p.Body()), p.Name)
		assert.Equal(t, string(p.Body()), string(p.Body()), p.Name)
		if p.Name == payload.Logs {
			assert.InDelta(t, 1.45e6, len(p.Body()), 0.05e6)
		}
	}
}
