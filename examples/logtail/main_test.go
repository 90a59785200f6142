package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// asProgram makes the test binary the program itself: see TestKilled.
const asProgram = "LOGTAIL_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func runs(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(ctx, args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

func TestTour(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	t.Setenv("RPCFLEET_API_KEY", "")
	began := time.Now()
	code, stdout, stderr := runs(t.Context())
	assert.Zero(t, code)
	assert.Contains(t, stderr, "using an emulator")
	assert.GreaterOrEqual(t, time.Since(began), 2*time.Second, "it ends by itself, and not before")
	assert.Greater(t, strings.Count(stdout, "\n"), 8, "calls come while it runs:\n%s", stdout)
	assert.Regexp(t, `(?m)^\d{4}-\d\d-\d\dT\S+Z \S+ polygon-mainnet POST eth_call 200 -32000 \S+$`, stdout)
}

func TestWrongUsage(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"an argument":               {[]string{"x"}, `unexpected argument "x"`},
		"an unknown flag":           {[]string{"-x"}, "not defined: -x"},
		"a format":                  {[]string{"-o", "csv"}, "must be lines or json"},
		"an empty item":             {[]string{"-methods", "a,,b"}, "an item is empty"},
		"no pattern":                {[]string{"-methods", "[a"}, `-methods: "[a" is no pattern`},
		"no status":                 {[]string{"-status", "99"}, `-status: "99" is neither`},
		"no class":                  {[]string{"-status", "9xx"}, `-status: "9xx" is neither`},
		"two ways to choose":        {[]string{"-endpoints", "a", "-tags", "b"}, "-endpoints and -tags exclude each other"},
		"details in lines":          {[]string{"-details"}, "-details needs -o json"},
		"a negative time":           {[]string{"-since", "-1s"}, "-since must be longer"},
		"a negative save":           {[]string{"-save", "-1s"}, "-save must be longer"},
		"a negative end":            {[]string{"-for", "-1s"}, "-for must be longer"},
		"no interval":               {[]string{"-every", "0"}, "-every must be longer"},
		"no window for what's late": {[]string{"-late", "0"}, "-late must be longer"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := runs(t.Context(), test.args...)
			assert.Equal(t, 2, code)
			assert.Contains(t, stderr, test.says)
			assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			assert.Empty(t, stdout)
		})
	}
}

func TestHelp(t *testing.T) {
	code, stdout, stderr := runs(t.Context(), "-h")
	assert.Zero(t, code)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "It only\nreads.")
	for _, flag := range []string{
		"endpoints", "tags", "methods", "status", "networks", "errors", "o", "details", "file", "since", "late", "every", "save", "for",
	} {
		assert.Contains(t, stdout, "\n  -"+flag)
	}
}

func TestFailures(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	service := emulator.Start()
	defer service.Close()
	t.Setenv("RPCFLEET_BASE_URL", service.URL)
	t.Setenv("RPCFLEET_API_KEY", service.APIKey)
	fails := func(says string, args ...string) {
		t.Helper()
		code, stdout, stderr := runs(t.Context(), args...)
		assert.Equal(t, 1, code)
		assert.Contains(t, stderr, says)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
		assert.Empty(t, stdout)
	}
	fails("there is no endpoint to follow")
	service.CreateEndpoints(1)
	fails("there is no endpoint to follow", "-tags", "nobody's")
	fails("404", "-endpoints", "missing")
	fails("no such file", "-file", "missing/folder")

	t.Setenv("RPCFLEET_API_KEY", "wrong")
	fails("401 Unauthorized")
	fails("401", "-endpoints", "any")
}

// TestCtrlC ends it with success, and what it had is there.
func TestCtrlC(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	service := emulator.Start()
	defer service.Close()
	t.Setenv("RPCFLEET_BASE_URL", service.URL)
	t.Setenv("RPCFLEET_API_KEY", service.APIKey)
	id := service.CreateEndpoints(1)[0]
	_, err := service.AppendLog(id, emulator.LoggedCall{Method: "eth_call"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	seen := writer(func(line []byte) { cancel() })
	var stderr bytes.Buffer
	assert.Zero(t, run(ctx, nil, nil, seen, &stderr))
	assert.Empty(t, stderr.String())

	began := time.Now()
	code, stdout, _ := runs(t.Context(), "-for", "200ms")
	assert.Zero(t, code)
	assert.Equal(t, 1, strings.Count(stdout, "\n"))
	assert.Less(t, time.Since(began), time.Minute)
}

// writer is told of what is written.
type writer func([]byte)

func (w writer) Write(b []byte) (int, error) {
	w(b)
	return len(b), nil
}
