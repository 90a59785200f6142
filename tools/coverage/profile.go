package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// block is a run of statements without a branch, as the coverage tool of Go counts them.
type block struct {
	file               string
	line, column       int
	endLine, endColumn int
	statements         int
}

// profile is how often each block of hand-written code ran.
type profile map[block]uint64

// read adds a profile of go test, or the folder that processes wrote into.
func (p profile) read(source string) error {
	about, err := os.Stat(source)
	if err != nil {
		return err
	}
	if about.IsDir() {
		return p.readProcesses(source)
	}
	f, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return p.add(f, source)
}

// readProcesses adds what processes wrote. There may have been none.
func (p profile) readProcesses(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "covmeta.*"))
	if err != nil || len(files) == 0 {
		return err
	}
	convert := exec.Command("go", "tool", "covdata", "textfmt", "-i="+folder, "-o=/dev/stdout")
	convert.Stderr = os.Stderr
	text, err := convert.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	return p.add(strings.NewReader(string(text)), folder)
}

// add adds the lines of a profile: "mode: atomic", and one for each block, of which the largest count stands.
func (p profile) add(r io.Reader, name string) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "mode: ") {
			continue
		}
		colon := strings.LastIndexByte(line, ':')
		if colon >= 0 && generated(line[:colon]) {
			continue
		}
		b, count, err := readLine(line, colon)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		p[b] = max(p[b], count)
	}
	return lines.Err()
}

// readLine reads a line such as "example.com/m/file.go:3.14,5.2 1 0", with the colon behind the file's name.
func readLine(line string, colon int) (b block, count uint64, err error) {
	if colon >= 0 {
		b.file = line[:colon]
		_, err = fmt.Sscanf(line[colon+1:], "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &b.statements, &count)
	}
	if colon < 0 || err != nil {
		return b, 0, fmt.Errorf("not a block: %q", line)
	}
	return b, count, nil
}

// generated reports whether a file was written by a generator.
func generated(file string) bool {
	return strings.HasSuffix(file, ".gen.go") || strings.HasSuffix(file, "_gen.go")
}
