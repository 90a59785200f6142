package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTour(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	t.Setenv(tokensVariable, " , ")
	code, stdout, stderr := runs(t)
	assert.Zero(t, code, stderr)
	assert.Equal(t, 3, strings.Count(stdout, "\n"))
	for _, block := range []string{"100", "101", "102"} {
		assert.Equal(t, 1, strings.Count(stdout, `"block_number":`+block+","))
	}
	assert.Contains(t, stderr, "9 deliveries were sent")
}

// Ctrl-C at the beginning of the tour, and an output that takes nothing.
func TestATourThatIsCutShort(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	t.Setenv(tokensVariable, "")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 1, run(ctx, nil, nil, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "\nalertreceiver: interrupted: ")
	assert.Empty(t, stdout.String())
	closed, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	stderr.Reset()
	assert.Equal(t, 1, run(t.Context(), nil, nil, closed, &stderr))
	assert.Contains(t, stderr.String(), "\nalertreceiver: ")
	assert.NotContains(t, stderr.String(), "9 deliveries were sent")
}

func TestWrongFlags(t *testing.T) {
	t.Setenv(tokensVariable, "made-up-token")
	for want, args := range map[string][]string{
		"-path must begin with a slash":   {"-path", "alerts"},
		"and not /healthz":                {"-path", "/healthz"},
		"be no pattern":                   {"-path", "/{a}"},
		"-queue must not be negative":     {"-queue", "-1"},
		"-workers must be at least 1":     {"-workers", "0"},
		"-drain must not be negative":     {"-drain", "-1s"},
		`unexpected argument "made-up"`:   {"made-up"},
		"flag provided but not defined":   {"-token", "made-up"},
		`invalid value "x" for flag -que`: {"-queue", "x"},
	} {
		code, stdout, stderr := runs(t, args...)
		assert.Equal(t, 2, code, "%q", args)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, want)
		assert.Equal(t, 1, strings.Count(stderr, "\n"))
	}
	code, _, stderr := runs(t, "-listen", "256.0.0.1:1")
	assert.Equal(t, 1, code)
	assert.NotContains(t, stderr, "made-up-token")
	t.Setenv(tokensVariable, "")
	code, _, stderr = runs(t, "-listen", "127.0.0.1:0")
	assert.Equal(t, 2, code)
	assert.Equal(t, "alertreceiver: RPCFLEET_DESTINATION_TOKENS must have the destination's token (-h explains)\n", stderr)
}

func TestDefaults(t *testing.T) {
	o, given, err := parse(nil, nil)
	require.NoError(t, err)
	assert.False(t, given)
	assert.Equal(t, options{listen: "127.0.0.1:8080", path: "/alerts", queue: 100, workers: 4, drain: 20e9}, o)
	code, stdout, _ := runs(t, "-h")
	assert.Zero(t, code)
	assert.Contains(t, stdout, "(default 20s)")
	t.Setenv(tokensVariable, "one, two")
	read := tokens()
	require.Len(t, read, 2)
	assert.Equal(t, "two", read[1].Reveal())
}
