package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// of plants the mutants of a package that is one file, and of its tests.
func of(t *testing.T, source, tests string) (*settings, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module sample\n\ngo 1.26\n", "sample.go": source,
		"sample_test.go": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	every := regexp.MustCompile(".")
	return &settings{files: every, only: every, run: ".", workers: 2}, dir
}

// TestEachKindOfMutant has for each piece of code the mutants that are made of it, all of which compile.
func TestEachKindOfMutant(t *testing.T) {
	for code, want := range map[string][]string{
		`func f(a, b int) bool { return a < b }`: {
			"`a < b` returned as true", "`a < b` returned as false", "`a < b` with <=",
		},
		`func f(a, b bool) (n int) { if a && !b { n++; n = 4 }; return n }`: {
			"`a && !b` with ||", "`a` negated", "`b` negated", "`n++; n = 4` left out of its branch",
			"`n++` with --", "`n = 4` left out", "`4` plus 1", "`4` made 0", "`n` returned as zero",
		},
		`func f(err error) error { if err == nil { return err }; return nil }`: {
			"`err == nil` negated", "`return err` left out of its branch", "`err` returned as zero",
		},
		`type s struct { a string; b []int }; func f(b []int) *s { return &s{a: "x", b: b} }`: {
			"`&s{a: \"x\", b: b}` returned as zero", "`\"x\"` made \"\"", "`b` left out of field b",
		},
		`func g() (int, error) { return 0, nil }; func f() (int, error) { return g() }`: {
			"`0` plus 1", "`g()` returned with result 1 as zero", "`g()` returned with result 2 as zero",
		},
		`func f(list []int) { for _, n := range list { if n > max(1, 2*n) { continue }; list[0] = min(n, 3) } }`: {
			"`n > max(1, 2*n)` negated", "`n > max(1, 2*n)` with >=", "`continue` left out of its branch",
			"`max(1, 2*n)` with min",
			"`1` plus 1", "`1` made 0", "`2*n` with /", "`2` plus 1", "`2` made 0", "`continue` with break",
			"`list[0] = min(n, 3)` left out", "`0` plus 1", "`min(n, 3)` with max", "`3` plus 1", "`3` made 0",
		},
		`func f(text func(string) string, n int) string { switch n { case 1: defer text(""); go text("a") }; return text("b") }`: {
			"`1` plus 1", "`1` made 0", "`defer text(\"\"); go text(\"a\")` left out of its case", "`defer text(\"\")` left out",
			"`text(\"\")` left out", "`\"\"` made a text", "`go text(\"a\")` left out", "`text(\"a\")` left out",
			"`\"a\"` made \"\"",
			"`text(\"b\")` returned as zero", "`text(\"b\")` left out", "`\"b\"` made \"\"",
		},
		`func f(n int) []int { list := make([]int, 0, n+1); clear(list); return list }`: {
			"`clear(list)` left out", "`list` returned as zero",
		},
		`const c = 1 << 4; func f() (int, any) { panic("no") }`: {"`\"no\"` made \"\""},
	} {
		t.Run(code, func(t *testing.T) {
			s, dir := of(t, "package sample; "+code, "package sample")
			mutants, p, err := s.plant(dir)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range mutants {
				_, what, _ := strings.Cut(m.name, ": ")
				got = append(got, regexp.MustCompile(` \(\d+\)$`).ReplaceAllString(what, ""))
			}
			if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
				t.Errorf("mutants:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(slices.Sorted(slices.Values(want)), "\n"))
			}
			_, dropped, err := p.rewrite(len(mutants))
			if err != nil ||
				slices.ContainsFunc(slices.Collect(maps.Values(dropped)), func(d map[int]bool) bool { return len(d) > 0 }) {
				t.Errorf("some do not compile: %v %v", dropped, err)
			}
		})
	}
}

// TestWhatSurvives has tests that notice one thing of two, and none that reaches the third.
func TestWhatSurvives(t *testing.T) {
	s, dir := of(t, `package sample

func f(n int) (int, bool) {
	if n > 0 {
		return n, true
	}
	for n < 0 {
		n++
	}
	return n, false
}

func g() string { return "never" }
`, `package sample

import "testing"

func TestF(t *testing.T) {
	if n, _ := f(2); n != 2 {
		t.Fatal(n)
	}
	f(-2)
}

func TestThatFails(t *testing.T) { g(); t.Fatal("always") }
`)
	s.known = filepath.Join(dir, "survivors.txt")
	known := "sample.go f: `n > 0` with >=\n\tBoth are zero then.\n"
	if err := os.WriteFile(s.known, []byte(known), 0o644); err != nil {
		t.Fatal(err)
	}
	var report strings.Builder
	ok, err := s.mutate(&report, dir)
	if err != nil || ok {
		t.Fatal(ok, err)
	}
	for title, want := range map[string][]string{
		"Reached by no test":         {"g: `\"never\"` made \"\""},
		"Survived, as the list says": {"f: `n > 0` with >="},
		"Survived": {
			"f: `n > 0` negated", "f: `return n, true` left out of its branch", "f: `0` plus 1", "f: `true` negated",
			"f: `n < 0` negated", "f: `n < 0` with <=", "f: `0` plus 1 (2)", "f: `n` returned as zero (2)", "f: `false` negated",
		},
	} {
		_, part, _ := strings.Cut(report.String(), "\n"+title+":\n")
		part, _, _ = strings.Cut(part, "\n\n")
		var got []string
		for line := range strings.Lines(part) {
			if name, ok := strings.CutPrefix(line, "sample.go "); ok {
				got = append(got, strings.TrimSpace(name))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", title, got, want)
		}
	}
	if !regexp.MustCompile(`(?m)^all +13 +1 +2 +1 +10 +16.7%$`).MatchString(report.String()) {
		t.Error("the sums are others")
	}
	t.Log(report.String())
}
