package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestRunWithoutAnEnvironment(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	var text, page strings.Builder
	require.NoError(t, run(t.Context(), &text, options{chain: "polygon", rows: 10}, nil))
	assert.True(t, strings.HasPrefix(text.String(), "Collection Quiet Harbors\n===="))
	assert.Contains(t, text.String(), "2.880 POL")

	require.NoError(t, run(t.Context(), &page, options{chain: "polygon", html: "-", rows: 10}, nil))
	assert.True(t, strings.HasPrefix(page.String(), "<!doctype html>"))
	assert.True(t, strings.HasSuffix(page.String(), "</html>\n"))
}

func TestRunWithAnAccount(t *testing.T) {
	server := emulator.Start(emulator.WithSeed(7))
	defer server.Close()
	t.Setenv("RPCFLEET_BASE_URL", server.URL)
	t.Setenv("RPCFLEET_API_KEY", server.APIKey)
	file := filepath.Join(t.TempDir(), "report.html")
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, options{chain: "ethereum", wallet: "wallet-2.example.eth", html: file, rows: 2}, nil))
	assert.Empty(t, out.String())
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(page), "<h2>Wallet wallet-2.example.eth</h2>")

	t.Setenv("RPCFLEET_API_KEY", "made-up-key-0002")
	err = run(t.Context(), &out, options{chain: "ethereum", html: filepath.Join(t.TempDir(), "none.html"), rows: 2}, nil)
	require.ErrorContains(t, err, "401")
	assert.NotContains(t, err.Error(), "made-up-key-0002")
	assert.Empty(t, out.String())
}

func TestRunRefusesWrongArguments(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	var out strings.Builder
	require.EqualError(t, run(t.Context(), &out, options{chain: "ethereum", rows: 1}, []string{"0xa1"}), `unexpected argument "0xa1"`)
	require.EqualError(t, run(t.Context(), &out, options{chain: "ethereum"}, nil), "-rows must be at least 1")
	require.ErrorIs(t, run(t.Context(), &out, options{chain: "ethereum", rows: 1, html: t.TempDir() + "/no/report.html"}, nil), os.ErrNotExist)
	assert.Empty(t, out.String())
}

var errFull = errors.New("full")

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestRunReportsFailedWrites(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	for _, html := range []string{"", "-"} {
		require.ErrorIs(t, run(t.Context(), full{}, options{chain: "ethereum", html: html, rows: 1}, nil), errFull)
	}
}
