package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module writes files by name into a folder, as a module named sample.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	dir := t.TempDir()
	files["go.mod"] = "module sample\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestMutate_makesEveryKind has for each piece of code the mutants that are made of it and compile.
func TestMutate_makesEveryKind(t *testing.T) {
	for code, want := range map[string][]string{
		`func f(a, b int) bool { return a < b }`: {"`a < b` negated", "`a < b` with <="},
		`func f(a, b bool) (n int) { if a && !b { n++; n = 4 }; return n }`: {
			"`a && !b` with ||", "`a` negated", "`b` negated", "`n++; n = 4` left out of its branch",
			"`n++` left out", "`n = 4` left out", "`4` plus 1", "`4` made 0", "`n` returned as zero",
		},
		`func f(err error) error { if err == nil { return err }; return nil }`: {
			"`err == nil` negated", "`return err` left out of its branch", "`err` returned as zero",
		},
		`type s struct { a string; b []int }; func f(b []int) *s { return &s{a: "x", b: b} }`: {
			"`&s{a: \"x\", b: b}` returned as zero", "`\"x\"` made \"\"", "`b` left out of field b",
		},
		`func f(list []int) { for _, n := range list { if n > 2*n { continue }; list[0] = n } }`: {
			"`n > 2*n` negated", "`n > 2*n` with >=", "`continue` left out of its branch", "`2*n` with /",
			"`2` plus 1", "`2` made 0", "`list[0] = n` left out", "`0` plus 1",
		},
		`func f(b func(string) bool, n int) bool { switch n { case 1: defer b(""); go b("a") }; return b("b") }`: {
			"`1` plus 1", "`1` made 0", "`defer b(\"\"); go b(\"a\")` left out of its case", "`defer b(\"\")` left out",
			"`\"\"` made a text", "`go b(\"a\")` left out", "`\"a\"` made \"\"", "`b(\"b\")` negated", "`\"b\"` made \"\"",
		},
		`func f(n int) []int { list := make([]int, 0, n+1); clear(list); return list }`: {
			"`clear(list)` left out", "`list` returned as zero",
		},
		`func f[T ~string](v T) bool { return v == "" }`:        {"`v == \"\"` negated", "`\"\"` made a text"},
		`type s []int; func f(a s) s { s := a; return s }`:      {}, // A call with the type s does not compile there.
		`var v = map[string]bool{"k": true}`:                    {"`\"k\"` made \"\"", "`true` negated"},
		`const c = 1 << 4; func f() (int, any) { panic("no") }`: {"`\"no\"` made \"\""},
	} {
		m, err := plant(module(t, map[string]string{"sample.go": "package sample; " + code}))
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		var got []string
		for _, mutant := range m.mutants {
			_, what, _ := strings.Cut(mutant.name, ": ")
			got = append(got, regexp.MustCompile(` \(\d+\)$`).ReplaceAllString(what, ""))
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant:\n%s", code, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestRun_reportsSurvivors has tests that notice some of the mutants, tests of another package that notice more, and a
// mutant in the list.
func TestRun_reportsSurvivors(t *testing.T) {
	const test = "package sample\n\nimport \"testing\"\n\n"
	dir := module(t, map[string]string{
		"sign.go": `package sample

// Sign returns -1, 0 or 1.
func Sign(n int) int {
	if n < 0 {
		return -1
	}
	for n > 1 {
		n--
	}
	return n
}

func never() string { return "text" }
`,
		"sign_test.go": test + `func TestBelow(t *testing.T) { if Sign(-1) != -1 { t.Fatal() } }

func TestAbove(t *testing.T) { if Sign(5) != 1 { t.Fatal() } }

func TestThatFails(t *testing.T) { never(); t.Fatal("always") }
`,
		"use/use.go": "package use\n",
		"use/zero_test.go": "package use\n\nimport (\n\t\"sample\"\n\t\"testing\"\n)\n\n" +
			"func TestZero(t *testing.T) { if sample.Sign(0) != 0 { t.Fatal() } }\n",
		"known.txt":       "# Reasons.\nsign.go Sign: `n > 1` with >=\n\tThe loop ends one step later.\n",
		"no_reason.txt":   "sign.go Sign: `0` plus 1\n",
		"types/a.go":      "package a\n\nvar a int = \"text\"\n",
		"tests/a.go":      "package a\n",
		"tests/a_test.go": "package a\n\nvar a int = \"text\"\n",
	})
	t.Chdir(dir)
	log.SetOutput(t.Output())
	defer log.SetOutput(os.Stderr)
	for name, test := range map[string]struct {
		args   []string
		err    error  // Or any, if it is nil and there is no report.
		result string // In the report, or in the error.
	}{
		"own tests": {[]string{"."}, errSurvivors, "`n < 0` with <=\n\tline 5, survives\n"},
		"others":    {[]string{"-tests", "use", "."}, errSurvivors, "(1 reached by no test), 1 listed: 76.9% killed"},
		"help":      {[]string{"-h"}, flag.ErrHelp, ""},

		"no folder":                  {nil, nil, "name the folder"},
		"a folder that is not there": {[]string{"nowhere"}, nil, "chdir nowhere"},
		"a package without types":    {[]string{"./types"}, nil, "load ./types"},
		"tests without types":        {[]string{"./tests"}, nil, "tests of ./tests"},
		"no list":                    {[]string{"-survivors", "nowhere", "."}, fs.ErrNotExist, ""},
		"a survivor without reason":  {[]string{"-survivors", "no_reason.txt", "."}, nil, "no reason for sign.go Sign"},
	} {
		var out strings.Builder
		err := run(append([]string{"-survivors", "known.txt"}, test.args...), &out)
		if test.err != nil && !errors.Is(err, test.err) || err == nil && out.Len() == 0 {
			t.Errorf("%s: %v", name, err)
		}
		if got := fmt.Sprint(out.String(), err); !strings.Contains(got, test.result) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
