package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// madeUpProject writes files by name into a folder of their own, makes it the working directory, and returns it.
func madeUpProject(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	return folder
}

// measured runs the program and returns its code and what it printed.
func measured(t *testing.T, arguments ...string) (code int, out, errs string) {
	t.Helper()
	var printed, failed bytes.Buffer
	code = run(arguments, &printed, &failed)
	return code, printed.String(), failed.String()
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

var profiles = map[string]string{
	"go.work": "go 1.26.0\n", "go.mod": "module example.com/m\n\ngo 1.26.0\n", "inner/placeholder": "",
	"one": "mode: atomic\n" +
		"example.com/m/a.go:9.2,9.9 1 0\n" +
		"example.com/m/a.go:3.2,5.9 3 0\n" +
		"example.com/m/a.go:3.2,5.9 3 7\n" +
		"example.com/m/inner/b.go:1.2,1.9 2 0\n" +
		"example.com/m/c.gen.go:1.2,1.9 50 0\n",
	"two": "mode: set\n" +
		"example.com/m/a.go:3.2,5.9 3 0\n" +
		"example.com/m/inner/b.go:1.2,1.9 2 1\n" +
		"example.com/m/inner/b.go:2.2,2.9 2 0\n",
}

func TestProfilesAreMergedBlockByBlock(t *testing.T) {
	madeUpProject(t, profiles)
	code, out, errs := measured(t, "-uncovered", ".", "one", "two")
	expect(t, errs, "")
	expect(t, out, `a.go:9: 1 statements to line 9
inner/b.go:2: 2 statements to line 2
  75.0%  3 of 4  .
  50.0%  2 of 4  inner
  62.5%  5 of 8  total
`)
	if code != exitEnough {
		t.Errorf("code %d", code)
	}
}

func TestUncoveredBlocksOfSomeFiles(t *testing.T) {
	t.Chdir(filepath.Join(madeUpProject(t, profiles), "inner")) // The project is around it.
	_, out, _ := measured(t, "-uncovered", "^inner/", "../one", "../two")
	if !strings.HasPrefix(out, "inner/b.go:2: 2 statements to line 2\n  75.0%") {
		t.Error(out)
	}
}

func TestTooLittleFails(t *testing.T) {
	madeUpProject(t, profiles)
	for minimum, want := range map[string]int{"62.5": exitEnough, "62.6": exitFailed} {
		if code, _, errs := measured(t, "-minimum", minimum, "one", "two"); code != want {
			t.Errorf("-minimum %s ends with %d: %s", minimum, code, errs)
		}
	}
	_, _, errs := measured(t, "-minimum", "62.6", "one", "two")
	expect(t, errs, "coverage: 62.50% of the statements are covered, and 62.6% must be\n")
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	files := map[string]string{
		"noblock": "mode: set\nexample.com/m/a.go\n", "nocount": "mode: set\nexample.com/m/a.go:1.2,3.4 1\n", "nothing": "mode: set\n",
		"broken/covmeta.1": "not what a process writes",
	}
	for name, text := range profiles {
		files[name] = text
	}
	madeUpProject(t, files)
	for name, c := range map[string]struct {
		arguments string
		code      int
		says      string
	}{
		"an unknown flag":          {"-nothing", exitUsage, "flag provided but not defined"},
		"a pattern":                {"-uncovered ( one", exitUsage, "missing closing )"},
		"a file that is not there": {"three", exitFailed, "three"},
		"a line without a block":   {"noblock", exitFailed, `noblock:2: not a block: "example.com/m/a.go"`},
		"a block without a count":  {"nocount", exitFailed, "nocount:2: not a block"},
		"no statement":             {"nothing", exitFailed, "no statement of the project"},
		"a folder of processes":    {"broken", exitFailed, "coverage: broken:"},
		"help":                     {"-help", exitEnough, "-minimum percent"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, errs := measured(t, strings.Fields(c.arguments)...)
			if code != c.code || !strings.Contains(errs, c.says) {
				t.Errorf("code %d: %s", code, errs)
			}
		})
	}
}

func TestAProjectIsNeeded(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		says  string
	}{
		"no workspace": {map[string]string{"go.mod": "module example.com/m\n"}, "no go.work here or above"},
		"no module":    {map[string]string{"go.work": ""}, "go.mod: no such file"},
		"no name":      {map[string]string{"go.work": "", "go.mod": "go 1.26.0\n"}, "go.mod names no module"},
	} {
		t.Run(name, func(t *testing.T) {
			madeUpProject(t, c.files)
			code, _, errs := measured(t, "one")
			if code != exitFailed || !strings.Contains(errs, c.says) {
				t.Errorf("code %d: %s", code, errs)
			}
		})
	}
}
