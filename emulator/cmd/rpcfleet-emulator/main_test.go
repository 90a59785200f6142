package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// launch runs the program until the test ends, and returns what it prints and its address.
func launch(t *testing.T, arguments ...string) (said, address string, end func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- run(ctx, append([]string{"-addr", "127.0.0.1:0"}, arguments...), writer, os.Stderr) }()
	printed := make([]byte, 4096)
	n, err := reader.Read(printed) // It prints everything at once.
	require.NoError(t, err)
	found := regexp.MustCompile(`address  (\S+)`).FindStringSubmatch(string(printed[:n]))
	require.Len(t, found, 2)
	return string(printed[:n]), found[1], func() int { cancel(); return <-code }
}

var quoted = regexp.MustCompile(`'([^']*)'|(\S+)`)

// curl executes a curl command with the few options that the program prints.
func curl(t *testing.T, line string) (int, string) {
	t.Helper()
	words := quoted.FindAllStringSubmatch(line, -1)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, words[len(words)-1][0], nil)
	require.NoError(t, err)
	for i, word := range words {
		switch word[0] {
		case "-H":
			name, value, _ := strings.Cut(words[i+1][1], ": ")
			request.Header.Set(name, value)
		case "-d":
			request.Method, request.Body = http.MethodPost, io.NopCloser(strings.NewReader(words[i+1][1]))
		}
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

// TestRun_servesUntilEnd starts it with the example and runs the commands it prints.
func TestRun_servesUntilEnd(t *testing.T) {
	said, _, end := launch(t, "-seed", "fleet.yaml")
	assert.Contains(t, said, "key      emulator-admin-key\n")
	lines := regexp.MustCompile(`(?m)^curl .*$`).FindAllString(said, -1)
	require.Len(t, lines, 4)
	for i, want := range []string{`"label":"checkout"`, `"network":"base-mainnet"`, `"name":"Quiet Harbors"`, `"id":1`} {
		_, body := curl(t, lines[i])
		assert.Contains(t, body, want)
	}
	status, _ := curl(t, lines[0])
	assert.Equal(t, http.StatusTooManyRequests, status, "the last line injects a fault")
	assert.Equal(t, 0, end())
}

// TestKey_replacesDefault: the commands that are printed quote the key for a shell.
func TestKey_replacesDefault(t *testing.T) {
	said, address, _ := launch(t, "-key", "it's made up", "-host", "ci.example")
	assert.Contains(t, said, `-H 'x-api-key: it'\''s made up'`)
	status, _ := curl(t, "curl "+address+"/v0/chains")
	assert.Equal(t, http.StatusUnauthorized, status)
}

// TestEnd_runningRequestsEnd: if a request has begun when the program is ended, it gets its response.
func TestEnd_runningRequestsEnd(t *testing.T) {
	_, address, end := launch(t)
	connection, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	require.NoError(t, err)
	defer connection.Close()
	_, err = io.WriteString(connection, "POST /v0/endpoints HTTP/1.1\r\nHost: localhost\r\n"+
		"x-api-key: emulator-admin-key\r\nContent-Type: application/json\r\nContent-Length: 41\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	first := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	_, err = io.ReadFull(connection, first)
	require.NoError(t, err)
	require.Contains(t, string(first), "100 Continue", "the handler is reading the body")
	ended := make(chan int)
	go func() { ended <- end() }()
	require.Eventually(t, func() bool {
		other, err := net.Dial("tcp", connection.RemoteAddr().String())
		return err != nil || other.Close() != nil
	}, time.Minute, 5*time.Millisecond, "nobody is let in any more")
	_, err = io.WriteString(connection, `{"chain":"base","network":"base-mainnet"}`)
	require.NoError(t, err)
	rest, err := io.ReadAll(connection)
	require.NoError(t, err)
	assert.Contains(t, string(rest), "HTTP/1.1 200 OK")
	assert.Equal(t, 0, <-ended)
}

// TestExit_namesMistake: one clear line, and the exit code for a mistake of the caller or a failure of the program.
func TestExit_namesMistake(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // A program that gets as far as listening ends at once.
	for arguments, want := range map[string]struct {
		code    int
		message string
	}{
		"-prot 1": {2, "-prot"}, "8080": {2, `unexpected argument "8080"`}, "-addr": {2, "-addr"},
		"-addr 8080": {2, "-addr: "}, "-addr :0": {2, ":0 is not a loopback address, which takes -any-address"},
		"-addr 192.0.2.1:80": {2, "-any-address"}, "-addr example.com:80": {2, "-any-address"},
		"-addr " + taken.Addr().String():    {1, "address already in use"},
		"-addr 127.0.0.1:0 -seed none.yaml": {1, "no such file"}, "-addr 127.0.0.1:0": {0, ""}, "-addr localhost:0": {0, ""},
		"-addr :0 -any-address": {0, ""}, "-help": {0, "  -any-address"},
	} {
		var stderr bytes.Buffer
		assert.Equal(t, want.code, run(ctx, strings.Fields(arguments), io.Discard, &stderr), arguments)
		assert.Contains(t, stderr.String(), want.message)
		usage := strings.Contains(stderr.String(), "Usage of rpcfleet-emulator:")
		assert.Equal(t, usage, strings.Contains(stderr.String(), "  -host"))
		if want.code > 0 && !usage {
			assert.Regexp(t, "^rpcfleet-emulator: .*\n$", stderr.String(), "one line")
		}
	}
}

// TestSeed_errorNamesPlace of the mistake in a file, and takes all the spellings of YAML.
func TestSeed_errorNamesPlace(t *testing.T) {
	const team = "- {do: POST /v0/teams, body: {name: Core}, as: core}\n"
	for text, want := range map[string]string{
		"a: [":                                   "fleet.yaml: yaml: ",
		"do: GET /v0/teams\n":                    "fleet.yaml: yaml: unmarshal errors: line 1: cannot unmarshal !!map",
		team + "- {od: x}\n":                     "line 2: field od not found",
		team + "- {do: x, do: y}\n":              `mapping key "do" already defined at line 2`,
		team + "- {do: GET /v0/none}\n":          "fleet.yaml: emulator: request 2, GET /v0/none: status 404",
		"- {do: x, body: &x [*x]}\n":             "contains itself",
		"- {do: POST /v0/teams, body: {7: x}}\n": "unsupported type",
		"":                                       "", "# nothing\n": "", "[]": "",
		"- &first {do: POST /v0/teams, body: {name: Core}}\n- *first\n": "",
		`[{"do": "POST /v0/teams", "body": {"name": "Core"}}]`:          "",
	} {
		file := filepath.Join(t.TempDir(), "fleet.yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		if err := populate(emulator.New(), file); want != "" {
			require.ErrorContains(t, err, want, text)
		} else {
			require.NoError(t, err, text)
		}
	}
}
