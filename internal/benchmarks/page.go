package main

import (
	"errors"
	"os"
	"strings"
)

// The markers around the tables.
const (
	begin = "<!-- speed: written by go run ./internal/benchmarks -page docs/benchmarks.md -->\n"
	end   = "<!-- end of speed -->"
)

// writePage writes the table of the first field and the times of the others into a file.
func writePage(file string, tables []table) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return errors.New(file + " has no markers for the tables")
	}
	text := "\n" + tables[0].title() + ":\n\n" + tables[0].text() + "\n"
	if len(tables) > 1 {
		text += times(tables[1:]) + "\n"
	}
	return os.WriteFile(file, []byte(before+begin+text+end+after), 0o644)
}
