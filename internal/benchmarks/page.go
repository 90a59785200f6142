package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// markers returns the lines around the tables of this release of Go.
func markers() (begin, end string) {
	release := runtime.Version()
	if parts := strings.SplitN(release, ".", 3); len(parts) > 1 {
		release = parts[0] + "." + parts[1]
	}
	const command = "go run ./internal/benchmarks -page docs/benchmarks.md"
	return fmt.Sprintf("<!-- speed with %s: written by %s -->\n", release, command),
		fmt.Sprintf("<!-- end of speed with %s -->", release)
}

// writePage writes the table of the first field and the times of the others into a file.
func writePage(file string, tables []table) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := markers()
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s has no markers for the tables of %s", file, runtime.Version())
	}
	text := "\n" + tables[0].title() + ":\n\n" + tables[0].text() + "\n"
	if len(tables) > 1 {
		text += times(tables[1:]) + "\n"
	}
	return os.WriteFile(file, []byte(before+begin+text+end+after), 0o644)
}
