package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// keptFolder returns where the profiles of a run go, and what removes them where nobody wants to keep them.
func keptFolder(keep string) (folder string, remove func(), err error) {
	if keep == "" {
		folder, err = os.MkdirTemp("", "coverage")
		return folder, func() { _ = os.RemoveAll(folder) }, err
	}
	folder, err = filepath.Abs(keep)
	return folder, func() {}, err
}

// runTests runs the tests of all modules, and returns what the runs left in the folder.
func runTests(p project, folder string, output io.Writer) (sources []string, err error) {
	processes := filepath.Join(folder, "processes")
	if err := os.MkdirAll(processes, 0o755); err != nil {
		return nil, err
	}
	runs := []struct {
		profile, folder, packages, environment string
	}{
		{"work.out", p.folder, "work", "GOWORK="},
		{"tools.out", filepath.Join(p.folder, "tools"), "./...", "GOWORK=off"}, // It is no part of the workspace.
	}
	for _, r := range runs {
		profile := filepath.Join(folder, r.profile)
		test := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout=60m",
			"-covermode=atomic", "-coverpkg="+p.module+"/...", "-coverprofile="+profile, r.packages)
		test.Dir, test.Stdout, test.Stderr = r.folder, output, output
		test.Env = append(os.Environ(), "GOCOVERDIR="+processes, r.environment)
		if err := test.Run(); err != nil {
			return nil, fmt.Errorf("the tests of %s: %w", r.folder, err)
		}
		sources = append(sources, profile)
	}
	return append(sources, processes), nil
}
