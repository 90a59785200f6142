package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestRun_writesTables runs the whole program, shortly.
func TestRun_writesTables(t *testing.T) {
	race.Skip(t)
	var out strings.Builder
	begin, end := markers()
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("# Before\n"+begin+"old\n"+end+"\nAfter.\n"), 0o600))
	require.NoError(t, run([]string{"-rounds", "1", "-batch", "1ns", "-page", page}, &out))
	for _, c := range contestants() {
		assert.Equal(t, 2, strings.Count(out.String(), "\n| "+c.title+" | "), c.name)
	}
	for _, p := range payloads {
		assert.Equal(t, 2, strings.Count(out.String(), " | "+p.title+" |"), p.name)
	}
	ones := strings.Repeat(" 1.00 / 1.00 / 1.00 |", len(payloads))
	assert.Equal(t, 2, strings.Count(out.String(), "\n| by hand, encoding/json |"+ones))
	assert.Contains(t, out.String(), "Each cell is time / bytes / allocations of a call")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, "# Before\n"+begin+"\n"+out.String()+"\n"+end+"\nAfter.\n", string(text))
}

// TestPage_hasMarkers checks the place of this release's tables.
func TestPage_hasMarkers(t *testing.T) {
	begin, end := markers()
	page, err := os.ReadFile("../../docs/benchmarks.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), begin)
	assert.Contains(t, rest, end)
	other := filepath.Join(t.TempDir(), "other.md")
	require.ErrorIs(t, writePage(other, ""), os.ErrNotExist)
	require.NoError(t, os.WriteFile(other, page[:100], 0o600))
	require.ErrorContains(t, writePage(other, ""), "no markers")
}

// TestParse_refusesBadArguments makes sure that a mistake on the command line does not pass for a measurement.
func TestParse_refusesBadArguments(t *testing.T) {
	for _, args := range [][]string{
		{"-payloads", "endpoint,nothing"}, {"-clock", "sand"}, {"-rounds", "0"}, {"-batch", "0s"}, {"endpoint"},
	} {
		assert.Error(t, run(args, io.Discard), args)
	}
	s, err := parse([]string{"-payloads", "logs,endpoint", "-clock", "cpu"})
	require.NoError(t, err)
	assert.True(t, s.cpu)
	before := processorTime()
	for sum := 0; processorTime() == before; sum++ { // It passes as the process works.
		_ = strings.Repeat("x", sum%1000)
	}
	require.Len(t, s.payloads, 2)
	assert.Equal(t, getEndpoint, s.payloads[0].name)
}

func TestQuantile_ignoresSlowRound(t *testing.T) {
	assert.Equal(t, 3.0, median([]float64{3, 1, 3600, 2, 4}))
	assert.Equal(t, 3.0, median([]float64{3}))
	assert.Equal(t, 2.0, quantile([]float64{5, 1, 2, 3, 4}, 0.25))
	quiet, noisy := column{{time: []float64{4, 4, 4, 4, 4}}}, column{{time: []float64{3, 4, 4, 5, 9}}}
	assert.Equal(t, 0.25, noise([][]column{{quiet, noisy}, {quiet}}))
}

// TestCompare_failedCallIsError makes sure that a call which fails does not pass for a fast one.
func TestCompare_failedCallIsError(t *testing.T) {
	race.Skip(t)
	eachCall(t, func(_ field, c contestant, p payload, call call) {
		if call == nil {
			return
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := call(ended)
		require.ErrorIs(t, err, context.Canceled, "%s %s", c.name, p.name)
	})
	for failing := range 2 {
		made := 0
		_, err := settings{rounds: 1}.compare([]call{nil, func(context.Context) (result, error) {
			if made++; made > failing {
				return result{}, os.ErrClosed
			}
			return result{}, nil
		}})
		require.ErrorIs(t, err, os.ErrClosed)
	}
}

// TestHandler_refusesOtherRequests sends requests that differ from the request that a contestant has to send.
func TestHandler_refusesOtherRequests(t *testing.T) {
	race.Skip(t)
	h := handler()
	for want, asked := range map[string]struct{ method, target, key, body string }{
		"the key is wrong":      {"GET", "/identity/v0/endpoints/100001", "", ""},
		"limit is wrong":        {"GET", "/identity/v0/endpoints?limit=1", apiKey, ""},
		"the encoding is wrong": {"GET", "/gzip/v0/endpoints?limit=250", apiKey, ""},
		"the endpoint is wrong": {"POST", "/identity/v0/endpoints", apiKey, `{"chain":"solana"}`},
		"the query is wrong":    {"POST", "/identity/graphql", apiKey, `{"query":"{ a }","variables":{"first":1}}`},
		"the protocol is wrong": {"GET", "https://localhost/identity/v0/endpoints?limit=250", apiKey, ""},
	} {
		r := httptest.NewRequest(asked.method, asked.target, strings.NewReader(asked.body))
		r.Header.Set("x-api-key", asked.key)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		assert.Equal(t, http.StatusBadRequest, w.Code, want)
		assert.Equal(t, want+"\n", w.Body.String())
	}
}
