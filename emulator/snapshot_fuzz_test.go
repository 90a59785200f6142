package emulator_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// FuzzRestoreSnapshot: no file makes an emulator panic. One that is refused changes nothing, and one that is taken is
// served.
func FuzzRestoreSnapshot(f *testing.F) {
	file := filepath.Join(f.TempDir(), "state.json")
	require.NoError(f, emulator.New().SaveSnapshot(file))
	text, err := os.ReadFile(file)
	require.NoError(f, err)
	f.Add(string(text))
	f.Add(`{"Version": 2}`)
	f.Add(`{"Version": 2, "IDs": {"Random": "cGNnOgAAAAAAAAAAAAAAAAAAAAA="}, "Endpoints": [{"Number": 7, "Chain": "base", "Network": "base-mainnet", "Log": {"Calls": [null]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		s := startService(t, emulator.WithStatusPage())
		id := s.create().ID
		if s.RestoreSnapshot(file) != nil {
			assert.Equal(t, http.StatusOK, s.get("/v0/endpoints/"+id).status)
			return
		}
		for _, path := range []string{"/", "/v0/endpoints", "/v0/usage/rpc/by-endpoint", "/v0/teams", alertsPath +
			"/notifications"} {
			s.get(path).ok()
		}
	})
}
