package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// madeWorkspace has a package that only the test of another module uses, a program that its test starts as a process, and
// tools outside the workspace.
func madeWorkspace() map[string]string {
	module := func(name string) string { return "module example.com/m" + name + "\n\ngo 1.26.0\n" }
	return map[string]string{
		"go.work": "go 1.26.0\n\nuse (\n\t.\n\t./other\n)\n", "go.mod": module(""), "other/go.mod": module("/other"), "tools/go.mod": module("/tools"),
		"used/used.go": "package used\n\nfunc Half(yes bool) int {\n\tif yes {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
		"other/other_test.go": `package other
import ("testing"; "example.com/m/used")
func Test(t *testing.T) { if used.Half(true) != 1 { t.Fail() } }
`,
		"program/main.go": "package main\n\nimport \"os\"\n\nfunc main() {\n\tos.Exit(0)\n}\n",
		"program/main_test.go": `package main
import ("os"; "os/exec"; "testing")
func TestMain(m *testing.M) { if os.Getenv("AS_PROGRAM") != "" { main() }; os.Exit(m.Run()) }
func Test(t *testing.T) {
	c := exec.Command(os.Args[0]); c.Env = append(os.Environ(), "AS_PROGRAM=1")
	if err := c.Run(); err != nil { t.Fatal(err) }
}
`,
		"tools/tool.go":      "package tools\n\nfunc Tool() {\n\tprintln()\n}\n",
		"tools/tool_test.go": "package tools\nimport \"testing\"\nfunc Test(*testing.T) { Tool() }\n",
	}
}

func TestTestsOfAllModulesAreRun(t *testing.T) {
	folder := madeUpProject(t, madeWorkspace())
	kept := filepath.Join(folder, "kept")
	want := "used/used.go:7: 1 statements to line 7\n" +
		"  100.0%  1 of 1  program\n" +
		"  100.0%  1 of 1  tools\n" +
		"   66.7%  2 of 3  used\n" +
		"   80.0%  4 of 5  total\n"
	code, out, errs := measured(t, "-keep", kept, "-minimum", "80", "-uncovered", ".")
	expect(t, out, want)
	if code != exitEnough {
		t.Errorf("code %d: %s", code, errs)
	}
	code, out, _ = measured(t, "-uncovered", ".", filepath.Join(kept, "work.out"), filepath.Join(kept, "tools.out"), filepath.Join(kept, "processes"))
	expect(t, out, want)
	if code != exitEnough {
		t.Errorf("code %d", code)
	}
}

func TestATestThatFailsIsAFailure(t *testing.T) {
	madeUpProject(t, map[string]string{
		"go.work": "go 1.26.0\n\nuse .\n", "go.mod": "module example.com/m\n\ngo 1.26.0\n", "m_test.go": "package m\nmade-up failure\n",
	})
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	code, out, errs := measured(t)
	if code != exitFailed || out != "" || !strings.Contains(errs, "coverage: the tests of") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Error("left behind:", left, err)
	}
}
