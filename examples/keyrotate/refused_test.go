package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// A service may fail at any request, once or from then on, and that request may have been carried out. The next run goes
// on from there: each endpoint has one new token, which the hook got, and none of the old ones.
func TestTheServiceFailsAtAnyRequest(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	for name, fault := range map[string]emulator.Fault{
		"a refusal":            {Status: http.StatusBadRequest, Times: 1},
		"an outage":            {Effect: emulator.Refuse},
		"an outage after that": {Effect: emulator.LoseResponse},
	} {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for ended := false; !ended; failed++ {
				path := filepath.Join(t.TempDir(), "state")
				synctest.Test(t, func(t *testing.T) {
					e, old := seeded(t)
					defer e.Close()
					handed := map[string][]string{}
					fault.After = failed
					injected, err := e.Inject(fault)
					require.NoError(t, err)
					err = rotate(t, e, path, handed, endless)
					e.RemoveFaults()
					if ended = injected.Fired() == 0; ended {
						require.NoError(t, err)
					} else {
						require.Error(t, err, "after %d requests", failed)
						require.NoError(t, rotate(t, e, path, handed, endless), "after %d requests", failed)
					}
					for id, before := range old {
						now := tokens(t, e, id)
						require.Len(t, now, 1, "endpoint %s, after %d requests", id, failed)
						assert.NotContains(t, before, now[0])
						assert.Equal(t, now[0], handed[id][len(handed[id])-1])
					}
					assert.NoFileExists(t, path)
				})
			}
			assert.Greater(t, failed, 10)
		})
	}
}

// A state that cannot be kept keeps the rotation from beginning.
func TestAStateThatCannotBeKept(t *testing.T) {
	server, path := newAccount(t)
	foreign := filepath.Join(t.TempDir(), "foreign")
	require.NoError(t, os.WriteFile(foreign, []byte(`{"account":77,"endpoint":"1003","step":"planned"}`+"\n"), 0o600))
	for state, reason := range map[string]string{
		filepath.Dir(path):           "is a directory",
		filepath.Join(path, "state"): "no such file or directory",
		foreign:                      "belongs to account 77, and this is account ",
	} {
		code, stdout, stderr := runs(t, "-all", "-hook", hookCommand(t, "keep", t.TempDir()), "-yes", "-state", state)
		assert.Equal(t, cli.ExitError, code)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, reason)
	}
	assert.Empty(t, server.Calls("createToken"))
}

// What the service does not tell is not guessed: nothing is handed over, and no token removed. It has been created, and
// the next run, when the service tells, uses that one.
func TestATokenThatIsNotTold(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	for name, faults := range map[string][]emulator.Fault{
		"never its id": {
			{Operation: "createToken", Effect: emulator.LoseResponse},
			{Operation: "getEndpointSecurity", Effect: emulator.DropLeaf, Pointer: "/data/tokens/1/id"},
		},
		"not the token": {
			{Operation: "getEndpointSecurity", Effect: emulator.DropLeaf, Pointer: "/data/tokens/1/token"},
		},
		"nor that it exists": {
			{Operation: "createToken", Effect: emulator.LoseResponse},
			{Operation: "getEndpointSecurity", Effect: emulator.DropLeaf, Pointer: "/data/tokens/1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state")
			synctest.Test(t, func(t *testing.T) {
				e := emulator.New(emulator.WithFaults(faults...))
				defer e.Close()
				require.NoError(t, seed(e))
				handed := map[string][]string{}
				journalled(t, path, &entry{Endpoint: "1003", Step: stepPlanned})
				require.Error(t, rotate(t, e, path, handed, endless))
				assert.Empty(t, handed)
				assert.Empty(t, e.Calls("deleteToken"))
				e.RemoveFaults()
				require.NoError(t, rotate(t, e, path, handed, endless))
				assert.Len(t, e.Calls("createToken"), 1)
				assert.Equal(t, handed["1003"], tokens(t, e, "1003"))
			})
		})
	}
}
