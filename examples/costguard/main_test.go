package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func runs(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

// newService starts an emulator, and makes it the account in the environment.
func newService(t *testing.T, options ...emulator.Option) *emulator.Server {
	t.Helper()
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	service := emulator.Start(options...)
	t.Cleanup(service.Close)
	t.Setenv("RPCFLEET_BASE_URL", service.URL)
	t.Setenv("RPCFLEET_API_KEY", service.APIKey)
	return service
}

// seeded has the endpoints of the tour.
func seeded(t *testing.T, options ...emulator.Option) *emulator.Server {
	t.Helper()
	service := newService(t, options...)
	require.NoError(t, seed(service.Emulator))
	return service
}

func TestTour(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	t.Setenv("RPCFLEET_API_KEY", "")
	code, stdout, stderr := runs(t)
	assert.Zero(t, code)
	assert.Contains(t, stdout, "production  900000  1000000  90.0%   warned\nresearch    2000    50000    4.0%    within\nstaging     180000  100000   180.0%  over\n")
	assert.Equal(t, 3, strings.Count(stdout, "It ends with 4."))
	assert.Equal(t, 1, strings.Count(stderr, "\npaused "), "the last run changes nothing:\n%s", stderr)

	code, stdout, _ = runs(t, "-budget", "staging=180000", "-o", "csv")
	assert.Equal(t, 3, code, "flags work on an emulator as they do on an account")
	assert.Contains(t, stdout, "\nstaging,180000,180000,100.0%,warned\n")
}

func TestWrongUsage(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	t.Setenv("RPCFLEET_API_KEY", "")
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"an argument":       {[]string{"x"}, `unexpected argument "x"`},
		"an unknown flag":   {[]string{"-x"}, "not defined: -x"},
		"a format":          {[]string{"-o", "xml"}, "must be table, json or csv"},
		"no budget":         {[]string{"-pause"}, "name a budget"},
		"a budget of what":  {[]string{"-budget", "5"}, "must be a tag and a whole number of credits"},
		"no number":         {[]string{"-budget", "a=b"}, "must be a tag and a whole number of credits"},
		"negative":          {[]string{"-budget", "a=-1"}, "must be a tag and a whole number of credits"},
		"too large":         {[]string{"-budget", "a=9007199254740993"}, "must be a tag and a whole number of credits"},
		"twice":             {[]string{"-budget", "a=1", "-budget", "a=2"}, `the tag "a" has a budget already`},
		"a share of none":   {[]string{"-budget", "a=1", "-warn", "0"}, "-warn must be above 0"},
		"a share beyond":    {[]string{"-budget", "a=1", "-warn", "101"}, "-warn must be above 0"},
		"a share of what":   {[]string{"-budget", "a=1", "-warn", "NaN"}, "-warn must be above 0"},
		"days to come":      {[]string{"-budget", "a=1", "-days", "-1"}, "-days must be 0 to 366"},
		"days out of reach": {[]string{"-budget", "a=1", "-days", "367"}, "-days must be 0 to 366"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := runs(t, test.args...)
			assert.Equal(t, 2, code)
			assert.Contains(t, stderr, test.says)
			assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			assert.Empty(t, stdout)
		})
	}
	newService(t)
	code, _, stderr := runs(t)
	assert.Equal(t, 2, code, "there is no tour of a real account")
	assert.Equal(t, "costguard: name a budget: -budget tag=credits, or -file (-h explains)\n", stderr)
}

func TestHelp(t *testing.T) {
	code, stdout, stderr := runs(t, "-h")
	assert.Zero(t, code)
	assert.Empty(t, stderr)
	for _, word := range []string{"-budget", "-file", "-warn", "-days", "-pause", "-o", "with 3 where", "with 4 where"} {
		assert.Contains(t, stdout, word)
	}
}

func TestWrongKey(t *testing.T) {
	newService(t)
	t.Setenv("RPCFLEET_API_KEY", "made-up-key")
	code, stdout, stderr := runs(t, "-budget", "a=1")
	assert.Equal(t, 1, code)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "401 Unauthorized")
	assert.NotContains(t, stderr, "made-up-key")
	assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
}

func TestFile(t *testing.T) {
	seeded(t)
	file := filepath.Join(t.TempDir(), "budgets.json")
	for name, test := range map[string]struct {
		content string
		args    []string
		code    int
		says    string
	}{
		"all within":          {`{"production": 9000000, "staging": 900000}`, nil, 0, ""},
		"one over":            {`{"production": 9000000, "staging": 1}`, nil, 4, "over budget"},
		"the flag goes first": {`{"production": 9000000, "staging": 1}`, []string{"-budget", "staging=900000"}, 0, ""},
		"no budget":           {`{}`, nil, 2, "name a budget"},
		"a tag twice":         {`{"staging": 1, "staging": 900000}`, nil, 1, "duplicate"},
		"no credits":          {`{"staging": null}`, nil, 1, `budgets.json: the budget of "staging" must be 0 to`},
		"negative":            {`{"staging": -1}`, nil, 1, `the budget of "staging" must be 0 to`},
		"too large":           {`{"staging": 9007199254740993}`, nil, 1, `the budget of "staging" must be 0 to`},
		"a text":              {`{"staging": "1"}`, nil, 1, "budgets.json: "},
		"half a credit":       {`{"staging": 1.5}`, nil, 1, "budgets.json: "},
		"no JSON":             {`staging: 1`, nil, 1, "budgets.json: "},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(file, []byte(test.content), 0o600))
			code, stdout, stderr := runs(t, append([]string{"-file", file}, test.args...)...)
			assert.Equal(t, test.code, code)
			assert.Contains(t, stderr, test.says)
			assert.Equal(t, test.code == 1 || test.code == 2, stdout == "", "a wrong file is refused as a whole")
			if test.code == 0 {
				assert.Empty(t, stderr)
			}
		})
	}
	code, _, stderr := runs(t, "-file", file+".missing")
	assert.Equal(t, 1, code)
	assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
}
