package main

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestWhatWasNotMeasured has a point without a value, and one without a time.
func TestWhatWasNotMeasured(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(12 * time.Hour)
		for _, place := range []string{"/data/0/data/6/1", "/data/0/data/6/0"} {
			e := emulator.New()
			defer e.Close()
			require.NoError(t, seed(e))
			_, err := e.Inject(emulator.Fault{Operation: "getEndpointMetrics", Effect: emulator.SetLeaf, Pointer: place})
			require.NoError(t, err)
			line, err := readerOf(t, e, 1, nil).measure(t.Context(), "1003")
			require.NoError(t, err)
			assert.Len(t, line, 6, place)
			assert.NotContains(t, line, time.Time{}.Unix())
			assert.NotContains(t, line, time.Now().Truncate(24*time.Hour).Unix())
		}
	})
}

func TestMoments(t *testing.T) {
	found := moments([]timeline{{200: {5, 1}, 100: {7, 2}}, nil, {100: {3, 3}}})
	assert.Equal(t, []moment{{time.Unix(100, 0).UTC(), traffic{10, 5}}, {time.Unix(200, 0).UTC(), traffic{5, 1}}}, found)
	assert.Equal(t, []moment{}, moments(nil), "JSON has an empty list")
}
