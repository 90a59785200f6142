package main

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/server"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

func TestMain(m *testing.M) {
	server.ServeIfAsked()
	os.Exit(m.Run())
}

// TestRun_checksAndPrintsAllContestants runs the whole program, shortly. Every contestant's results are checked on the
// way, over every protocol and in every encoding.
func TestRun_checksAndPrintsAllContestants(t *testing.T) {
	race.Skip(t)
	var out strings.Builder
	begin, end := markers()
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("# Before\n"+begin+"old\n"+end+"\nAfter.\n"), 0o600))
	require.NoError(t, run([]string{"-rounds", "1", "-batch", "1ns", "-page", page}, &out))
	parts := strings.Split(out.String(), "### ")
	require.Len(t, parts, 6)
	ones := strings.Repeat(" 1.00 / 1.00 / 1.00 |", len(payload.All))
	for i, title := range []string{
		"HTTP/1.1, not compressed", "HTTP/1.1, compressed", "HTTP/2 over TLS, not compressed", "HTTP/2 over TLS, compressed",
		"Time on the other fields",
	} {
		part := parts[i+1]
		assert.True(t, strings.HasPrefix(part, title+"\n\n| contestant | "), part)
		for _, c := range contestants {
			assert.Equal(t, 1, strings.Count(part, "\n| "+c.Title+" | "), "%s: %s", title, c.Name)
		}
		for _, p := range payload.All {
			assert.Equal(t, 1, strings.Count(part, " | "+p.Title+" |"), "%s: %s", title, p.Name)
		}
		assert.Contains(t, part, "\n| by hand, encoding/json |"+ones)
	}
	assert.Contains(t, parts[5],
		"over HTTP/1.1, compressed / over HTTP/2 over TLS, not compressed / over HTTP/2 over TLS, compressed; ")

	_, full, _ := strings.Cut(parts[1], "\n\n")
	_, others, _ := strings.Cut(parts[5], "\n\n")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Equal(t, "# Before\n"+begin+"\nHTTP/1.1, not compressed:\n\n"+full+others+"\n"+end+"\nAfter.\n", string(text))
}

// TestRun_printsOneTable prints one table, by the other clock, which it names, and nothing in which others are compared.
func TestRun_printsOneTable(t *testing.T) {
	race.Skip(t)
	var out strings.Builder
	require.NoError(t, run([]string{
		"-rounds", "1", "-batch", "1ns", "-protocols", "http1", "-encodings", "gzip", "-payloads", "endpoint", "-contestants",
		"rpcfleet", "-clock", "cpu",
	}, &out))
	assert.True(t, strings.HasPrefix(out.String(), "### HTTP/1.1, compressed\n\n| contestant | small record |\n"))
	assert.Equal(t, 1, strings.Count(out.String(), "### "))
	assert.Contains(t, out.String(), "processor time")
	before := processorTime()
	for sum := 0; processorTime() == before; sum++ { // It passes as the process works.
		_ = strings.Repeat("x", sum%1000)
	}
}

// TestPage_hasMarkers checks the place of this release's tables.
func TestPage_hasMarkers(t *testing.T) {
	begin, end := markers()
	page, err := os.ReadFile("../../docs/benchmarks.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), begin)
	assert.Contains(t, rest, end)
	other := filepath.Join(t.TempDir(), "other.md")
	require.NoError(t, os.WriteFile(other, page[:100], 0o600))
	require.ErrorContains(t, writePage(other, nil), "no markers")
	require.ErrorIs(t, settings{page: other + ".none"}.finish(nil, io.Discard), os.ErrNotExist)
}

// TestContestants_makeAllCalls makes sure that a contestant makes all calls that it is meant to make.
func TestContestants_makeAllCalls(t *testing.T) {
	race.Skip(t)
	graphAlone, withoutGraph := []string{"genqlient"}, []string{"jx", "oapi-codegen", "ogen"}
	origin := start(t)
	for _, c := range contestants {
		calls, err := newField(origin, server.HTTP1, server.Identity).calls(c, origin.Transport())
		require.NoError(t, err)
		for _, p := range payload.All {
			leftOut := p.Name == payload.NFTs && slices.Contains(withoutGraph, c.Name) || p.Name != payload.NFTs &&
				slices.Contains(graphAlone, c.Name)
			assert.Equal(t, !leftOut, calls[p.Name] != nil, "%s %s", c.Name, p.Name)
		}
	}
}

// TestParse_refusesBadArguments makes sure that a mistake on the command line does not pass for a measurement.
func TestParse_refusesBadArguments(t *testing.T) {
	for _, args := range [][]string{
		{"-payloads", "endpoint,nothing"}, {"-contestants", "nobody"}, {"-protocols", "http3"}, {"-encodings", "br"},
		{"-clock", "sand"}, {"-rounds", "0"}, {"-page", "page.md", "-decoders"}, {"-batch", "0s"},
		{"endpoint"},
	} {
		assert.Error(t, run(args, io.Discard), args)
	}
	s, err := parse([]string{"-payloads", "logs,endpoint", "-contestants", "rpcfleet", "-encodings", "gzip"})
	require.NoError(t, err)
	require.Len(t, s.payloads, 2)
	assert.Equal(t, payload.Endpoint, s.payloads[0].Name)
	require.Len(t, s.contestants, 2)
	assert.Equal(t, "encoding-json", s.contestants[0].Name, "there is nothing to compare with")
	assert.Equal(t, []string{server.Gzip}, s.encodings)
}

// TestMedian_ignoresSlowRound makes sure that one slow round does not show, and that rounds are compared with themselves,
// so that it does not count against one way.
func TestMedian_ignoresSlowRound(t *testing.T) {
	of := []sample{{time: 3 * time.Second}, {time: time.Second}, {time: time.Hour}, {time: 2 * time.Second}}
	assert.Equal(t, 2.5, median(of, seconds))
	assert.Equal(t, 3.0, median(of[:3], seconds))
	assert.Equal(t, 3.0, median(of[:1], seconds))
	assert.Equal(t, 2.0, quantile([]sample{{allocs: 1}, {allocs: 2}, {allocs: 3}, {allocs: 4}, {allocs: 5}}, allocs, 0.25))
	own := []sample{{time: 1}, {time: 10}, {time: 2}, {time: 1}, {time: 4}}
	other := []sample{{time: 2}, {time: 20}, {time: 6}, {time: 1}, {time: 8}}
	assert.Equal(t, "2.00 (2.00 to 2.00)", lead(own, other))
	assert.Equal(t, absent, lead(own, nil))
}

// TestRun_failedCallIsError makes sure that a call which fails does not pass for a fast one.
func TestRun_failedCallIsError(t *testing.T) {
	race.Skip(t)
	origin, err := server.Start()
	require.NoError(t, err)
	f := newField(origin, server.HTTP1, server.Identity)
	s, err := parse([]string{"-rounds", "1", "-batch", "1ns"})
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range contestants {
		for _, p := range payload.All {
			call, err := f.call(t.Context(), c, p)
			require.NoError(t, err)
			if call == nil {
				continue
			}
			_, err = call(ended)
			require.Error(t, err, "%s %s", c.Name, p.Name)
			_, err = s.interleave(ended, []contestant.Call{call}, rand.New(rand.NewPCG(1, 1)))
			require.Error(t, err, "%s %s", c.Name, p.Name)
		}
	}
	require.NoError(t, origin.Close())
	_, err = s.measureAll(f)
	require.Error(t, err)
}

func start(t testing.TB) *server.Server {
	origin, err := server.Start()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, origin.Close()) })
	return origin
}
