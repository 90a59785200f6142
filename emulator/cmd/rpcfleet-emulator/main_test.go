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
	method, address, body, header := http.MethodGet, "", "", http.Header{}
	words := quoted.FindAllStringSubmatch(line, -1)
	for i := 1; i < len(words); i++ {
		switch words[i][0] {
		case "-H":
			i++
			name, value, _ := strings.Cut(words[i][1], ": ")
			header.Set(name, value)
		case "-d":
			i++
			method, body = http.MethodPost, words[i][1]
		default:
			address = words[i][0]
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	request.Header = header
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
	_, err = io.WriteString(connection,
		"POST /v0/endpoints HTTP/1.1\r\nHost: localhost\r\nx-api-key: emulator-admin-key\r\n"+
			"Content-Type: application/json\r\nContent-Length: 43\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	first := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	_, err = io.ReadFull(connection, first)
	require.NoError(t, err)
	require.Contains(t, string(first), "100 Continue", "the handler is reading the body")
	ended := make(chan int)
	go func() { ended <- end() }()
	require.Eventually(t, func() bool {
		other, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
		if err == nil {
			_ = other.Close()
		}
		return err != nil
	}, time.Minute, 5*time.Millisecond, "nobody is let in any more")
	_, err = io.WriteString(connection, `{"chain":"base","network":"base-mainnet"}  `)
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
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "fleet.yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere", "fleet.yaml")
	for name, c := range map[string]struct {
		arguments []string
		code      int
		message   string
	}{
		"unknown flag":       {[]string{"-prot", "1"}, 2, "-prot"},
		"argument":           {[]string{"8080"}, 2, `unexpected argument "8080"`},
		"flag without value": {[]string{"-addr"}, 2, "-addr"},
		"address":            {[]string{"-addr", "8080"}, 2, "-addr: "},
		"every address":      {[]string{"-addr", ":0"}, 2, ":0 is not a loopback address, which takes -any-address"},
		"any other address":  {[]string{"-addr", "192.0.2.1:80"}, 2, "-any-address"},
		"host name":          {[]string{"-addr", "example.com:80"}, 2, "-any-address"},
		"port in use":        {[]string{"-addr", taken.Addr().String()}, 1, "address already in use"},
		"no such seed":       {[]string{"-seed", nowhere}, 1, "no such file"},
		"not YAML":           {[]string{"-seed", write("a: [")}, 1, "fleet.yaml: yaml: "},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // A program that gets as far as listening ends at once.
			var stdout, stderr bytes.Buffer
			arguments := c.arguments
			if arguments[0] == "-seed" {
				arguments = append([]string{"-addr", "127.0.0.1:0"}, arguments...)
			}
			assert.Equal(t, c.code, run(ctx, arguments, &stdout, &stderr))
			assert.Contains(t, stderr.String(), c.message)
			if !strings.Contains(stderr.String(), "Usage of rpcfleet-emulator:") {
				assert.Regexp(t, "^rpcfleet-emulator: .*\n$", stderr.String(), "one line")
			}
		})
	}
	for _, arguments := range []string{"127.0.0.1:0", "localhost:0", ":0 -any-address"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.Equal(t, 0, run(ctx, strings.Fields("-addr "+arguments), io.Discard, io.Discard), arguments)
	}
	var help bytes.Buffer
	assert.Equal(t, 0, run(t.Context(), []string{"-help"}, io.Discard, &help))
	for _, flag := range []string{"-addr", "-seed", "-key", "-host", "-any-address"} {
		assert.Contains(t, help.String(), "  "+flag)
	}
}

// seeded populates an emulator from a text in a file of this name.
func seeded(t *testing.T, name, text string) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return populate(emulator.New(), file)
}

// TestSeed_errorNamesPlace: if a file is wrong, the error contains the place of the mistake.
func TestSeed_errorNamesPlace(t *testing.T) {
	const team = "- {do: POST /v0/teams, body: {name: Core}, as: core}\n"
	for text, want := range map[string]string{
		"do: GET /v0/teams\n":                    "fleet.yaml: yaml: unmarshal errors: line 1: cannot unmarshal !!map",
		team + "- {od: x}\n":                     "line 2: field od not found",
		team + "- {do: x, do: y}\n":              `mapping key "do" already defined at line 2`,
		team + "- {do: GET /v0/none}\n":          "fleet.yaml: emulator: request 2, GET /v0/none: status 404",
		"- {do: x, body: &x [*x]}\n":             "contains itself",
		"- &a {do: b}\n- <<: *a\n":               "merge keys are not supported",
		"- {do: POST /v0/teams, body: {7: x}}\n": "unsupported type",
	} {
		require.ErrorContains(t, seeded(t, "fleet.yaml", text), want, text)
	}
}

// TestSeed_acceptsYAML: well-formed files, in all the spellings of YAML.
func TestSeed_acceptsYAML(t *testing.T) {
	for _, text := range []string{
		"", "# nothing\n", "[]", "- &first {do: POST /v0/teams, body: {name: Core}}\n- *first\n",
		`[{"do": "POST /v0/teams", "body": {"name": "Core"}}]`,
	} {
		assert.NoError(t, seeded(t, "fleet.yaml", text), text)
	}
}
