package acceptance

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestRecordedExchanges checks the exchanges that the emulators of other test runs have recorded against the contract.
// The run before it sets RPCFLEET_EMULATOR_RECORD to a folder, and this one finds it in RPCFLEET_EMULATOR_RECORDED.
func TestRecordedExchanges(t *testing.T) {
	folder := os.Getenv("RPCFLEET_EMULATOR_RECORDED")
	if folder == "" {
		t.Log("nothing was recorded")
		return
	}
	files := must(filepath.Glob(filepath.Join(folder, "*.jsonl")))(t)
	exchanges := 0
	for _, name := range files {
		file := must(os.Open(name))(t)
		lines := json.NewDecoder(file)
		for {
			var x emulator.Exchange
			err := lines.Decode(&x)
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				break // A process that was ended may have left half a line.
			}
			require.NoError(t, err, name)
			if x.Status == http.StatusNotFound && string(x.Body) == "404 page not found\n" {
				continue // If an emulator served the area under another path, there is no operation here.
			}
			r := httptest.NewRequest(x.Method, "http://emulator.example"+x.URL, bytes.NewReader(x.RequestBody))
			r.Header = x.RequestHeader
			response := httptest.NewRecorder()
			for name, values := range x.Header {
				response.Header()[name] = values
			}
			response.WriteHeader(x.Status)
			_, _ = response.Body.Write(x.Body)
			check(t, r, x.RequestBody, response)
			exchanges++
		}
		require.NoError(t, file.Close())
	}
	assert.Positive(t, exchanges, "the run before has recorded nothing")
	t.Logf("%d exchanges of the whole test run, violations: %t", exchanges, t.Failed())
}
