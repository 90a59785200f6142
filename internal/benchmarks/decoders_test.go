package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/decoder"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestRun_printsDecoders prints the comparison, shortly.
func TestRun_printsDecoders(t *testing.T) {
	race.Skip(t)
	var out strings.Builder
	require.NoError(t, run([]string{"-decoders", "-rounds", "3", "-batch", "1ns"}, &out))
	for _, page := range decoder.Pages {
		for _, way := range decoder.Of(page) {
			assert.Equal(t, len(decoder.Pages), strings.Count(out.String(), "\n| "+way.Name+" |"), page)
		}
	}
	assert.Contains(t, out.String(), "1.00 (1.00 to 1.00)", "the first is compared with itself")
	assert.NotContains(t, out.String(), "NaN")
}
