package main

import (
	"errors"
	"io"
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
	require.NoError(t, writeReports(t.Context(), &text, options{chain: "polygon", rows: 10}, io.Discard))
	assert.True(t, strings.HasPrefix(text.String(), "Collection Quiet Harbors\n===="))
	assert.Contains(t, text.String(), "2.880 POL")

	require.NoError(t, writeReports(t.Context(), &page, options{chain: "polygon", html: "-", rows: 10}, io.Discard))
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
	require.NoError(t, writeReports(t.Context(), &out, options{chain: "ethereum", wallet: "wallet-2.example.eth", html: file, rows: 2}, io.Discard))
	assert.Empty(t, out.String())
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(page), "<h2>Wallet wallet-2.example.eth</h2>")

	t.Setenv("RPCFLEET_API_KEY", "made-up-key-0002")
	err = writeReports(t.Context(), &out, options{chain: "ethereum", html: filepath.Join(t.TempDir(), "none.html"), rows: 2}, io.Discard)
	require.ErrorContains(t, err, "401")
	assert.NotContains(t, err.Error(), "made-up-key-0002")
	assert.Empty(t, out.String())
}

// TestTheProgram runs it as a command line does.
func TestTheProgram(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	for name, c := range map[string]struct {
		args      string
		code      int
		out, errs string
	}{
		"a table":            {"-rows 1", 0, "Collection Quiet Harbors", "using an emulator at"},
		"a page":             {"-rows 1 -html -", 0, "<!doctype html>", "using an emulator at"},
		"a collection":       {"-rows 1 -collection 0x00000000000000000000000000000000000000ff", 1, "", "nftreport: "},
		"help":               {"-help", 0, "-wallet address", ""},
		"an unknown flag":    {"-columns 3", 2, "", "flag provided but not defined: -columns"},
		"an argument":        {"-rows 1 0xa1", 2, "", `nftreport: unexpected argument "0xa1"`},
		"no rows":            {"-rows 0", 2, "", "nftreport: -rows must be at least 1"},
		"a chain":            {"-chain solana", 1, "", "nftreport: "},
		"a folder not there": {"-rows 1 -html " + t.TempDir() + "/no/report.html", 1, "", "no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs strings.Builder
			assert.Equal(t, c.code, run(t.Context(), strings.Fields(c.args), nil, &out, &errs))
			assert.Contains(t, errs.String(), c.errs)
			assert.Contains(t, out.String(), c.out)
			assert.Equal(t, c.code == 0, out.Len() > 0, "only a report is written")
		})
	}
}

var errFull = errors.New("full")

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestRunReportsFailedWrites(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	for _, html := range []string{"", "-"} {
		require.ErrorIs(t, writeReports(t.Context(), full{}, options{chain: "ethereum", html: html, rows: 1}, io.Discard), errFull)
	}
}
