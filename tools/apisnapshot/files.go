package main

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// promises are the lines of each file of api/, sorted.
type promises map[string][]string

func read(folder string) (promises, error) {
	was := promises{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		was[filepath.ToSlash(name)] = strings.Split(strings.TrimSpace(string(text)), "\n")
		return err
	})
	return was, err
}

// write replaces the folder.
func (p promises) write(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, lines := range p {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// differences prints the lines that have gone and those that have come, and reports whether there are any.
func (p promises) differences(was promises, out io.Writer) bool {
	all := maps.Clone(was)
	maps.Copy(all, p)
	differ := false
	for _, name := range slices.Sorted(maps.Keys(all)) {
		gone, come := missing(p[name], was[name]), missing(was[name], p[name])
		if len(gone)+len(come) == 0 {
			continue
		}
		differ = true
		_, _ = fmt.Fprintf(out, "api/%s\n", name)
		for _, line := range gone {
			_, _ = fmt.Fprintln(out, "-", line)
		}
		for _, line := range come {
			_, _ = fmt.Fprintln(out, "+", line)
		}
	}
	return differ
}

// missing returns the lines that are not among the others, which are sorted.
func missing(among, lines []string) []string {
	var left []string
	for _, line := range lines {
		if _, found := slices.BinarySearch(among, line); !found {
			left = append(left, line)
		}
	}
	return left
}
