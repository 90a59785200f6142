package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// texts are read as these licences.
var texts = map[string]string{
	"MIT":     "https://www.opensource.org/licenses/mit",
	"MPL-2.0": "https://opensource.org/licenses/mpl-2.0",
	"GPL-3.0": "https://www.opensource.org/licenses/gpl-3.0",
	"none":    "All rights reserved by somebody who lets nobody use it.",
}

func TestModulesAreJudged(t *testing.T) {
	for name, c := range map[string]struct {
		path    string
		files   map[string]string // The licence in each file.
		licence string
		refusal string
	}{
		"permissive":                        {"m", map[string]string{"LICENSE": "MIT"}, "MIT", ""},
		"read from every folder":            {"m", map[string]string{"COPYING": "MIT", "sub/used/LICENCE.md": "GPL-3.0"}, "", "GPL-3.0 is not let through"},
		"what is not used is not":           {"m", map[string]string{"LICENSE": "MIT", "sub/unused/LICENSE": "GPL-3.0"}, "MIT", ""},
		"a second file":                     {"m", map[string]string{"LICENSE": "MIT", "LICENSE.other": "GPL-3.0"}, "", "GPL-3.0 is not let through"},
		"none":                              {"m", nil, "", "no file with a licence"},
		"unknown":                           {"m", map[string]string{"LICENSE": "none"}, "", "0% of it"},
		"shares changes":                    {"m", map[string]string{"LICENSE": "MPL-2.0"}, "", "MPL-2.0 is not let through"},
		"spared":                            {"github.com/hashicorp/go-cleanhttp", map[string]string{"LICENSE": "MPL-2.0"}, "MPL-2.0", ""},
		"spared for one licence":            {"github.com/hashicorp/go-cleanhttp", map[string]string{"LICENSE": "GPL-3.0"}, "", "GPL-3.0 is not"},
		"source of a program is no licence": {"m", map[string]string{"LICENSE": "MIT", "license.go": "none"}, "MIT", ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			used := filepath.Join(folder, "sub", "used")
			m := module{Path: c.path, Version: "v1.0.0", Dir: folder, packages: map[string]bool{folder: true, used: true}}
			for _, sub := range []string{used, filepath.Join(folder, "sub", "unused")} {
				if err := os.MkdirAll(sub, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for file, id := range c.files {
				if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(file)), []byte(texts[id]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := m.judge()
			if c.refusal == "" && err != nil || c.refusal != "" && (err == nil || !strings.Contains(err.Error(), c.refusal)) {
				t.Errorf("got %v", err)
			}
			if m.licence != c.licence {
				t.Errorf("got %q", m.licence)
			}
		})
	}
}

func TestDifferencesArePrinted(t *testing.T) {
	was := page([]module{{Path: "a", Version: "v1", licence: "MIT"}})
	is := page([]module{{Path: "a", Version: "v2", licence: "MIT", group: 3}})
	var out bytes.Buffer
	if !differences(was, is, &out) {
		t.Error("they differ")
	}
	want := "- | the library | `a` | v1 | MIT |\n+ | examples and tests | `a` | v2 | MIT |\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
	if differences(is, is, &out) {
		t.Error("they are the same")
	}
}

func TestArguments(t *testing.T) {
	for argument, code := range map[string]int{"-h": exitSame, "-wrong": exitUsage, "stray": exitUsage} {
		var out, errs bytes.Buffer
		if got := run([]string{argument}, &out, &errs); got != code {
			t.Errorf("%s: got %d", argument, got)
		}
	}
}

// TestTheListIsTrue holds this project's own dependencies against docs/licences.md.
func TestTheListIsTrue(t *testing.T) {
	var out, errs strings.Builder
	if code := run(nil, &out, &errs); code != exitSame {
		t.Fatalf("exit %d\n%s%s", code, &out, &errs)
	}
}
