package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

const endless = 1 << 30

// seeded returns a service with a fleet, and the tokens of its endpoints.
func seeded(t *testing.T) (e *emulator.Emulator, old map[string][]string) {
	e = emulator.New()
	require.NoError(t, seed(e))
	return e, map[string][]string{"1003": tokens(t, e, "1003"), "1005": tokens(t, e, "1005")}
}

// Killed before and after each single act, and run again, a rotation ends as one that was never killed: one new token an
// endpoint, which the hook got, and none of the old ones.
func TestKilledAtEveryStep(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	killed := 0
	for acts, ended := 1, false; !ended; acts++ {
		path := filepath.Join(t.TempDir(), "state")
		synctest.Test(t, func(t *testing.T) {
			e, old := seeded(t)
			defer e.Close()
			handed := map[string][]string{}
			ended = rotate(t, e, path, handed, acts) == nil
			if !ended {
				killed++
				_, err := os.Stat(path)
				if err == nil { // Otherwise it was killed at its very end.
					require.NoError(t, rotate(t, e, path, handed, endless), "killed after %d acts", acts)
				}
			}
			for id, before := range old {
				now := tokens(t, e, id)
				require.Len(t, now, 1, "endpoint %s, killed after %d acts", id, acts)
				assert.NotContains(t, before, now[0])
				require.NotEmpty(t, handed[id], "killed after %d acts", acts)
				assert.LessOrEqual(t, len(handed[id]), 2)
				assert.Equal(t, now, slices.Compact(slices.Clone(handed[id])), "the hook gets that token and no other")
			}
			assert.NoFileExists(t, path)
		})
	}
	assert.Greater(t, killed, 30, "that is before and after each request, line of the state and hand-over")
}

// Old tokens stay for the whole overlap, over a stop in its middle too.
func TestTheOverlap(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	path := filepath.Join(t.TempDir(), "state")
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New()
		defer e.Close()
		require.NoError(t, seed(e))
		began := time.Now()
		done := make(chan error)
		go func() { done <- rotate(t, e, path, map[string][]string{}, endless) }()
		time.Sleep(time.Hour - time.Second)
		assert.Len(t, tokens(t, e, "1003"), 2)
		assert.Empty(t, e.Calls("deleteToken"))
		require.NoError(t, <-done)
		assert.Equal(t, time.Hour, time.Since(began).Round(time.Minute))
		assert.Len(t, tokens(t, e, "1003"), 1)
	})
}

// A create whose response is lost is found, and not made again.
func TestALostResponse(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	path := filepath.Join(t.TempDir(), "state")
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.WithFaults(emulator.Fault{Operation: "createToken", Effect: emulator.LoseResponse}))
		defer e.Close()
		require.NoError(t, seed(e))
		require.NoError(t, rotate(t, e, path, map[string][]string{}, endless))
		assert.Len(t, e.Calls("createToken"), 2)
		assert.Len(t, tokens(t, e, "1003"), 1)
	})
}

// Where somebody else creates a token too, nothing is guessed, and nothing removed.
func TestSomebodyElsesToken(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	path := filepath.Join(t.TempDir(), "state")
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New()
		defer e.Close()
		require.NoError(t, seed(e))
		journalled(t, path, &entry{Endpoint: "1003", Step: stepCreating, Old: tokens(t, e, "1003")})
		client, err := rpcfleet.New(rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(e.APIKey), rpcfleet.WithHTTPClient(e.Client()))
		require.NoError(t, err)
		for range 2 {
			_, err := client.Security.CreateToken(t.Context(), "1003")
			require.NoError(t, err)
		}
		assert.ErrorContains(t, rotate(t, e, path, map[string][]string{}, endless), "1 of 1 endpoints are not rotated")
		assert.Len(t, tokens(t, e, "1003"), 3)
	})
}

// Without the new token, the old ones are all that is left: they stay.
func TestTheNewTokenIsGone(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	path := filepath.Join(t.TempDir(), "state")
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New()
		defer e.Close()
		require.NoError(t, seed(e))
		gone := &entry{Endpoint: "1003", Step: stepHanded, Old: tokens(t, e, "1003"), New: "9", Handed: time.Now()}
		archived := &entry{Endpoint: "77", Step: stepHanded, Old: []string{"8"}, New: "9", Handed: time.Now()}
		journalled(t, path, gone, archived)
		assert.ErrorContains(t, rotate(t, e, path, map[string][]string{}, endless), "1 of 2", "an endpoint that is gone is done")
		assert.Len(t, tokens(t, e, "1003"), 1)
		assert.Empty(t, e.Calls("deleteToken"))
	})
}
