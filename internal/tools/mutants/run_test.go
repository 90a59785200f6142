package main

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// module writes files by name into a folder, as a module named sample.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module sample\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// runs runs a command line, and returns its output.
func runs(t *testing.T, args ...string) (string, error) {
	t.Helper()
	log.SetOutput(t.Output())
	defer log.SetOutput(os.Stderr)
	var out bytes.Buffer
	err := run(append([]string{"-workers", "1", "-survivors", "none"}, args...), &out)
	t.Log(out.String())
	return out.String(), err
}

const sign = `package sample

func Sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
`

// TestOthersAreAskedAboutWhatSurvives has tests that notice all mutants except those at the boundary, and others that
// notice these.
func TestOthersAreAskedAboutWhatSurvives(t *testing.T) {
	dir := module(t, map[string]string{
		"sign.go":          sign,
		"sign_test.go":     "package sample\n\nimport \"testing\"\n\nfunc TestBelow(t *testing.T) { if Sign(-1) != -1 { t.Fatal() } }\n\nfunc TestAbove(t *testing.T) { if Sign(5) != 1 { t.Fatal() } }\n",
		"use/use.go":       "package use\n",
		"use/zero_test.go": "package use\n\nimport (\n\t\"sample\"\n\t\"testing\"\n)\n\nfunc TestZero(t *testing.T) { if sample.Sign(0) != 1 { t.Fatal() } }\n",
	})
	report, err := runs(t, dir)
	if !errors.Is(err, errSurvivors) {
		t.Fatal(err)
	}
	for _, survivor := range []string{"sign.go Sign: `n < 0` with <=\n", "sign.go Sign: `0` plus 1\n"} {
		if !strings.Contains(report, survivor) {
			t.Errorf("does not survive: %s", survivor)
		}
	}
	path := filepath.Join(dir, "report")
	if err := os.WriteFile(path, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		all  string
	}{
		"again, with others": {[]string{"-again", path, "-tests", filepath.Join(dir, "use"), dir},
			`(?m)^all +2 +0 +2 +0 +0 +100.0%$`},
		"by name": {[]string{"-only", "with <=", "-tests", filepath.Join(dir, "use"), dir},
			`(?m)^all +1 +0 +1 +0 +0 +100.0%$`},
		"no tests":     {[]string{"-run", "None", dir}, `(?m)^all +8 +8 +0 +0 +0 +-$`},
		"all too dear": {[]string{"-dearest", "1ns", dir}, `(?m)^all +8 +8 +0 +0 +0 +-$`},
		"no such file": {[]string{"-files", "other", dir}, `(?m)^all +0 +0 +0 +0 +0 +-$`},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := runs(t, test.args...)
			if err != nil || !regexp.MustCompile(test.all).MatchString(report) {
				t.Error(err)
			}
		})
	}
}

// TestAnInterruptedRun is interrupted by the tests that it runs: the mutants after that are not tried, and the others
// reported.
func TestAnInterruptedRun(t *testing.T) {
	caught := make(chan os.Signal, 1) // So that the signal ends nothing here.
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	dir := module(t, map[string]string{"sign.go": sign, "sign_test.go": `package sample

import (
	"os"
	"testing"
)

func TestSign(t *testing.T) {
	if os.Getenv("MUTANTS_CHOSEN") != "" {
		parent, _ := os.FindProcess(os.Getppid())
		_ = parent.Signal(os.Interrupt)
	}
	Sign(-1)
	Sign(1)
}
`})
	report, err := runs(t, dir)
	if !errors.Is(err, errSurvivors) || !regexp.MustCompile(`(?m)^all +[1-7] +0 +0 +0 +[1-7] +0.0%$`).MatchString(report) {
		t.Error(err)
	}
	<-caught
}

func TestWhatCannotBeRun(t *testing.T) {
	const test = "package sample\n\nimport \"testing\"\n\nfunc TestSign(t *testing.T) { Sign(1) }\n"
	dir := module(t, map[string]string{
		"sign.go": sign, "sign_test.go": test, "no_reason.txt": "sign.go Sign: `0` plus 1\n", "empty/README": "",
		"types/a.go": "package a\n\nvar a int = \"text\"\n", "tests/a.go": "package a\n",
		"tests/a_test.go": "package a\n\nvar a int = \"text\"\n",
	})
	t.Chdir(dir)
	for name, test := range map[string]struct {
		args   []string
		reason string
		is     error
	}{
		"help":                       {[]string{"-h"}, "", flag.ErrHelp},
		"an unknown flag":            {[]string{"-x", "."}, "not defined: -x", nil},
		"no pattern of files":        {[]string{"-files", "(", "."}, "missing closing )", nil},
		"no pattern of tests":        {[]string{"-run", "(", "."}, "exit status", nil},
		"no folder":                  {nil, "name the folders", nil},
		"a folder that is not there": {[]string{"nowhere"}, "list nowhere", fs.ErrNotExist},
		"a folder without a package": {[]string{"./empty"}, "list ./empty", nil},
		"a package without types":    {[]string{"./types"}, "list ./types", nil},
		"tests without types":        {[]string{"./tests"}, "tests of ./tests", nil},
		"other tests without types":  {[]string{"-tests", "./tests", "."}, "tests of ./tests", nil},
		"no report":                  {[]string{"-again", "nowhere", "."}, "", fs.ErrNotExist},
		"a survivor without reason": {[]string{"-survivors", "no_reason.txt", "."}, "no reason for sign.go Sign: `0` plus 1",
			nil},
		"a list that is a folder": {[]string{"-survivors", "empty", "."}, "is a directory", nil},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := runs(t, test.args...)
			if err == nil || !strings.Contains(err.Error(), test.reason) || test.is != nil && !errors.Is(err, test.is) ||
				out != "" {
				t.Errorf("%v, %q", err, out)
			}
		})
	}
}
