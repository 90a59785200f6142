package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/server"
)

func TestMain(m *testing.M) {
	server.ServeIfAsked()
	os.Exit(m.Run())
}

// TestTable runs the whole program, shortly. Every contestant's results are checked on the way, over every protocol and
// in every encoding.
func TestTable(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run([]string{"-rounds", "1", "-batch", "1ns", "-protocols", "all", "-encodings", "all"}, &out))
	assert.Equal(t, 4, strings.Count(out.String(), "### "))
	for _, c := range contestants {
		assert.Equal(t, 4, strings.Count(out.String(), "\n| "+c.Title+" | "), c.Name)
	}
	for _, p := range payload.All {
		assert.Equal(t, 4, strings.Count(out.String(), " | "+p.Title+" |"), p.Name)
	}
	assert.Equal(t, 4, strings.Count(out.String(), "\n| by hand, encoding/json |"+strings.Repeat(" 1.00 / 1.00 / 1.00 |", len(payload.All))))
}

// TestNobodyIsLeftOut makes sure that a contestant makes all calls that it is meant to make.
func TestNobodyIsLeftOut(t *testing.T) {
	graphAlone, withoutGraph := []string{"genqlient"}, []string{"jx", "oapi-codegen", "ogen"}
	origin := start(t)
	for _, c := range contestants {
		calls, err := newField(origin, server.HTTP1, server.Identity).calls(c, origin.Transport())
		require.NoError(t, err)
		for _, p := range payload.All {
			leftOut := p.Name == payload.NFTs && slices.Contains(withoutGraph, c.Name) || p.Name != payload.NFTs && slices.Contains(graphAlone, c.Name)
			assert.Equal(t, !leftOut, calls[p.Name] != nil, "%s %s", c.Name, p.Name)
		}
	}
}

// TestArguments makes sure that a mistake on the command line does not pass for a measurement.
func TestArguments(t *testing.T) {
	for _, args := range [][]string{
		{"-payloads", "endpoint,nothing"}, {"-contestants", "nobody"}, {"-protocols", "http3"}, {"-encodings", "br"},
		{"-clock", "sand"}, {"-rounds", "0"}, {"-batch", "0s"}, {"endpoint"},
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

// TestMedian makes sure that one slow round does not show.
func TestMedian(t *testing.T) {
	of := []sample{{time: 3 * time.Second}, {time: time.Second}, {time: time.Hour}, {time: 2 * time.Second}}
	assert.Equal(t, 2.5, median(of, seconds))
	assert.Equal(t, 3.0, median(of[:3], seconds))
	assert.Equal(t, 3.0, median(of[:1], seconds))
	assert.Equal(t, 2.0, quantile([]sample{{allocs: 1}, {allocs: 2}, {allocs: 3}, {allocs: 4}, {allocs: 5}}, allocs, 0.25))
}

// TestProfile makes sure that the profiles are written.
func TestProfile(t *testing.T) {
	directory := t.TempDir()
	origin := start(t)
	s, err := parse([]string{"-profile", directory, "-payloads", "endpoint", "-contestants", "rpcfleet"})
	require.NoError(t, err)
	s.profiled = time.Millisecond
	require.NoError(t, s.profileAll(newField(origin, server.HTTP1, server.Identity), io.Discard))
	for _, suffix := range []string{"cpu", "before", "after"} {
		assert.FileExists(t, directory+"/http1-identity-endpoint-rpcfleet."+suffix)
	}
}

func start(t testing.TB) *server.Server {
	origin, err := server.Start()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, origin.Close()) })
	return origin
}
