package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// actAsHook keeps what it gets in a file, ends its parent where asked to, or fails and tells all.
func actAsHook(args []string) int {
	var input map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		return 4
	}
	switch args[0] {
	case "fail":
		fmt.Println("cannot take", input["token"])
		return 5
	case "hang":
		select {}
	case "kill":
		parent, _ := os.FindProcess(os.Getppid())
		_ = parent.Kill()
	}
	input["environment"] = strings.Join(os.Environ(), " ")
	content, _ := json.Marshal(input)
	return map[bool]int{true: 0, false: 6}[os.WriteFile(filepath.Join(args[1], input["endpoint_id"]), content, 0o600) == nil]
}

func hookCommand(t *testing.T, does, folder string) string {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	return strings.Join([]string{binary, asHook, does, folder}, " ")
}

func TestThePlanOnlyReads(t *testing.T) {
	server, path := newAccount(t)
	for format, want := range map[string]string{
		"table": "1003      planned  1", "csv": "1003,planned,1,\n", "json": `"endpoint": "1003"`,
	} {
		code, stdout, stderr := runs(t, "-tag", "production", "-state", path, "-o", format)
		assert.Zero(t, code, stderr)
		assert.Contains(t, stdout, want)
		assert.NotContains(t, stdout, "1007")
	}
	_, stdout, _ := runs(t, "-all", "-state", path)
	assert.Equal(t, 3, strings.Count(stdout, "planned"))
	_, stdout, _ = runs(t, "-ids", "1003", "-state", path)
	assert.Equal(t, 1, strings.Count(stdout, "planned"))
	code, _, stderr := runs(t, "-ids", "1003,5", "-state", path)
	assert.Equal(t, 1, code)
	assert.Equal(t, "keyrotate: the account has no endpoint with the id \"5\"\n", stderr)
	assert.NoFileExists(t, path)
	for _, call := range server.Calls() {
		assert.Equal(t, "GET", call.Method)
	}
}

// handedTo returns what the hook got for endpoint 1003, which keeps it in a folder.
func handedTo(t *testing.T, folder string) (got map[string]string) {
	content, err := os.ReadFile(filepath.Join(folder, "1003"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &got))
	return got
}

// The hook gets the token on its input alone, and it is shown nowhere.
func TestTheHook(t *testing.T) {
	server, path := newAccount(t)
	folder := t.TempDir()
	code, stdout, stderr := runs(t, "-ids", "1003", "-hook", hookCommand(t, "keep", folder), "-overlap", "0s", "-yes", "-state", path)
	require.Zero(t, code, stderr)
	got := handedTo(t, folder)
	require.NotEmpty(t, got["token"])
	assert.Contains(t, got["http_url"], got["token"])
	assert.Contains(t, got["wss_url"], got["token"])
	assert.NotContains(t, got["environment"], got["token"])
	assert.NotContains(t, got["environment"], server.APIKey)
	assert.NotContains(t, stdout+stderr, got["token"])
	assert.Contains(t, stdout, "done")
	assert.NoFileExists(t, path)
	assert.Equal(t, []string{got["token_id"]}, tokens(t, server.Emulator, "1003"))
}

// Where an address has none of the tokens, nobody knows where the new one would go: the hook does not get it.
func TestAnAddressWithoutAToken(t *testing.T) {
	for field, address := range map[string]string{"http_url": "https://example.com/elsewhere", "wss_url": "wss://a b/"} {
		t.Run(field, func(t *testing.T) {
			server, path := newAccount(t)
			_, err := server.Inject(emulator.Fault{Operation: "getEndpoint", Effect: emulator.SetLeaf, Pointer: "/data/" + field, Value: address})
			require.NoError(t, err)
			folder := t.TempDir()
			code, _, stderr := runs(t, "-ids", "1003", "-hook", hookCommand(t, "keep", folder), "-overlap", "0s", "-yes", "-state", path)
			require.Zero(t, code, stderr)
			got := handedTo(t, folder)
			assert.Empty(t, got[field])
			assert.Contains(t, got["http_url"]+got["wss_url"], got["token"], "the other one has it")
		})
	}
}

// reading is an output that somebody reads along.
type reading func(text string)

func (r reading) Write(text []byte) (int, error) {
	r(string(text))
	return len(text), nil
}

// Ctrl-C during the overlap leaves the old tokens, and the next run removes them.
func TestInterruptedInTheOverlap(t *testing.T) {
	server, path := newAccount(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var said strings.Builder
	stderr := reading(func(text string) {
		said.WriteString(text)
		if strings.Contains(text, "stay for another ") {
			stop()
		}
	})
	args := []string{"-ids", "1003", "-hook", hookCommand(t, "keep", t.TempDir()), "-yes", "-state", path}
	assert.Equal(t, 1, run(ctx, args, nil, io.Discard, stderr))
	assert.Contains(t, said.String(), "keyrotate: interrupted: context canceled: run it again to go on\n")
	assert.Len(t, tokens(t, server.Emulator, "1003"), 2)
	code, _, errs := runs(t, append(args, "-overlap", "0s")...)
	assert.Zero(t, code, errs)
	assert.Len(t, tokens(t, server.Emulator, "1003"), 1)
	assert.Len(t, server.Calls("createToken"), 1)
}

// Where the hook fails, the old tokens stay, and the next run hands the same token over.
func TestTheHookFails(t *testing.T) {
	for does, want := range map[string]string{"fail": `exit status 5: "cannot take [redacted]"`, "hang": "not done within 500ms"} {
		t.Run(does, func(t *testing.T) {
			server, path := newAccount(t)
			code, stdout, stderr := runs(t, "-ids", "1003", "-hook", hookCommand(t, does, ""), "-hook-timeout", "500ms", "-overlap", "0s", "-yes", "-state", path)
			assert.Equal(t, 1, code)
			assert.Contains(t, stderr, want)
			assert.Contains(t, stdout, "created")
			assert.Len(t, tokens(t, server.Emulator, "1003"), 2)
			info, err := os.Stat(path)
			require.NoError(t, err)
			assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())

			code, _, stderr = runs(t, "-ids", "1003", "-hook", hookCommand(t, "keep", t.TempDir()), "-overlap", "0s", "-yes", "-state", path)
			assert.Zero(t, code, stderr)
			assert.Contains(t, stderr, "is taken up")
			assert.Len(t, server.Calls("createToken"), 1)
			assert.Len(t, tokens(t, server.Emulator, "1003"), 1)
		})
	}
}

func TestWrongFlags(t *testing.T) {
	newAccount(t)
	for want, args := range map[string][]string{
		"name the endpoints by one of -all, -tag and -ids": {"-all", "-tag", "x"},
		"-yes needs a -hook":                    {"-all", "-yes", "-hook", " "},
		"-overlap must not be negative":         {"-all", "-overlap", "-1s"},
		"-hook-timeout must be more than zero":  {"-all", "-hook-timeout", "0s"},
		"-state must name a file":               {"-all", "-state", ""},
		`unexpected argument "x"`:               {"-all", "x"},
		"flag provided but not defined: -wrong": {"-wrong"},
		"name the endpoints by one of -all":     {},
	} {
		code, stdout, stderr := runs(t, args...)
		assert.Equal(t, 2, code, "%q", args)
		assert.Empty(t, stdout)
		assert.Contains(t, stderr, want)
		assert.Equal(t, 1, strings.Count(stderr, "\n"))
	}
	t.Setenv("RPCFLEET_API_KEY", "wrong")
	code, _, stderr := runs(t, "-all")
	assert.Equal(t, 1, code)
	assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	code, stdout, _ := runs(t, "-h")
	assert.Zero(t, code)
	for _, want := range []string{"-overlap", "(default 1h0m0s)", "(default 1m0s)", `"keyrotate.state"`} {
		assert.Contains(t, stdout, want)
	}
}

func TestTheTour(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	t.Setenv("RPCFLEET_API_KEY", "")
	code, stdout, stderr := runs(t)
	assert.Zero(t, code, stderr)
	assert.Equal(t, 2, strings.Count(stdout, "The hook gets token"))
	assert.Equal(t, 2, strings.Count(stdout, "done"))
}
