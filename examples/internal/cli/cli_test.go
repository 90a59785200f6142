package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestExit(t *testing.T) {
	for name, test := range map[string]struct {
		err    error
		code   int
		stderr string
	}{
		"success":        {nil, ExitOK, ""},
		"help":           {flag.ErrHelp, ExitOK, ""},
		"wrong usage":    {fmt.Errorf("so: %w", Usagef("-n must be %d", 1)), ExitUsage, "prog: -n must be 1 (-h explains)\n"},
		"a code":         {fmt.Errorf("so: %w", Code(3)), 3, ""},
		"a failure":      {errors.New("no such file"), ExitError, "prog: no such file\n"},
		"an interrupted": {fmt.Errorf("listing: %w", context.Canceled), ExitError, "prog: interrupted: listing: context canceled\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			assert.Equal(t, test.code, Exit(&stderr, "prog", test.err))
			assert.Equal(t, test.stderr, stderr.String())
		})
	}
}

func TestFlags(t *testing.T) {
	for name, test := range map[string]struct {
		args   []string
		reason string
	}{
		"an unknown flag":     {[]string{"-x"}, "flag provided but not defined: -x"},
		"a wrong value":       {[]string{"-n", "many"}, `invalid value "many" for flag -n: parse error`},
		"a format":            {[]string{"-o", "xml"}, `invalid value "xml" for flag -o: must be table, json or csv`},
		"an argument":         {[]string{"-n", "1", "stray"}, `unexpected argument "stray"`},
		"a flag without text": {[]string{"-n"}, "flag needs an argument: -n"},
	} {
		t.Run(name, func(t *testing.T) {
			flags, stdout := NewFlags("prog", ""), bytes.Buffer{}
			flags.Int("n", 5, "so many")
			flags.Format(FormatTable, FormatJSON, FormatCSV)
			err := flags.Parse(test.args, &stdout)
			var usage *UsageError
			assert.ErrorAs(t, err, &usage)
			assert.EqualError(t, err, test.reason)
			assert.Empty(t, stdout.String())
		})
	}
}

func TestFormatsAndHelp(t *testing.T) {
	flags, stdout := NewFlags("prog sub", "\nSub does this.\n"), bytes.Buffer{}
	format := flags.Format(FormatTable, FormatJSON)
	assert.NoError(t, flags.Parse(nil, &stdout))
	assert.Equal(t, FormatTable, *format)
	assert.NoError(t, flags.Parse([]string{"-o", "json"}, &stdout))
	assert.Equal(t, FormatJSON, *format)
	assert.Empty(t, stdout.String())

	flags = NewFlags("prog sub", "\nSub does this.\n")
	flags.Format(FormatTable)
	assert.ErrorIs(t, flags.Parse([]string{"-h"}, &stdout), flag.ErrHelp)
	assert.Equal(t, "Sub does this.\n\nUsage: prog sub [flags]\n"+
		"  -o format\n    \tthe format of the output: table (default table)\n", stdout.String())
}
