package emulator_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestObserversSeeExchanges(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("RPCFLEET_EMULATOR_RECORD", folder)
	var seen []emulator.Exchange
	e := emulator.New(emulator.WithCallHook(func(x emulator.Exchange) { seen = append(seen, x) }))
	r := httptest.NewRequest(http.MethodPost, "/v0/endpoints?x=1", strings.NewReader(`{"chain":"ethereum"}`))
	r.Header.Set("X-Api-Key", e.APIKey)
	response := httptest.NewRecorder()
	e.ServeHTTP(response, r)

	require.Len(t, seen, 1)
	assert.Equal(t, "/v0/endpoints?x=1", seen[0].URL)
	assert.JSONEq(t, `{"chain":"ethereum"}`, string(seen[0].RequestBody))
	assert.Equal(t, response.Code, seen[0].Status)
	assert.Equal(t, response.Body.Bytes(), seen[0].Body)

	// A response that is broken on purpose is observed, and not recorded.
	inject(t, e, emulator.Fault{Status: http.StatusTeapot})
	assert.Equal(t, http.StatusTeapot, send(e, http.MethodGet, "/v0/chains", "", http.Header{}).Code)
	require.Len(t, seen, 2)
	assert.Equal(t, "status", seen[1].Fault)

	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	line, err := os.ReadFile(files[0])
	require.NoError(t, err)
	assert.Equal(t, 1, bytes.Count(line, []byte("\n")))
	var recorded emulator.Exchange
	require.NoError(t, json.Unmarshal(line, &recorded))
	assert.Equal(t, seen[0], recorded)
}
