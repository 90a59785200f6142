package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// report returns the tables of the page in Markdown: the first field in full, and the times of the others.
func (s settings) report(columns [][]column) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s:\n\n", fields[0].title)
	s.table(&text, columns[0], func(contestant, payload int) string {
		of, with := columns[0][payload][contestant], columns[0][payload][0]
		return fmt.Sprintf("%.2f / %.2f / %.2f",
			ratio(of.time, with.time), ratio(of.bytes, with.bytes), ratio(of.allocs, with.allocs))
	})
	text.WriteString("| by hand, encoding/json, a call |")
	for _, c := range columns[0] {
		of := c[0]
		fmt.Fprintf(&text, " %.3g ms / %.4g kB / %.0f |", median(of.time)*1e3, median(of.bytes)/1e3, median(of.allocs))
	}
	clock := map[bool]string{false: "time", true: "processor time"}[s.cpu]
	fmt.Fprintf(&text, "\n\nEach cell is %s / bytes / allocations of a call, in medians of %d rounds; by hand with "+
		"encoding/json is 1. The middle half of its rounds spread over %.0f%% of the median at most. %s, %s/%s, "+
		"%d processors%s.\n\n", clock, s.rounds, 100*noise(columns[:1]), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), versions())
	s.table(&text, columns[1], func(contestant, payload int) string {
		var cells []string
		for _, of := range columns[1:] {
			cells = append(cells, fmt.Sprintf("%.2f", ratio(of[payload][contestant].time, of[payload][0].time)))
		}
		return strings.Join(cells, " / ")
	})
	fmt.Fprintf(&text, "\nEach cell is the %s of a call over %s / over %s / over %s; by hand with encoding/json over the "+
		"same is 1. The middle half of its rounds spread over %.0f%% of the median at most.\n",
		clock, fields[1].title, fields[2].title, fields[3].title, 100*noise(columns[1:]))
	return text.String()
}

// table writes a table with a column for each payload and a row for each contestant, with a dash for the calls that it
// does not make.
func (s settings) table(text *strings.Builder, columns []column, cell func(contestant, payload int) string) {
	text.WriteString("| contestant |")
	for _, p := range s.payloads {
		fmt.Fprintf(text, " %s |", p.title)
	}
	fmt.Fprintf(text, "\n|---|%s\n", strings.Repeat("---|", len(s.payloads)))
	for i, c := range contestants() {
		fmt.Fprintf(text, "| %s |", c.title)
		for j := range s.payloads {
			if len(columns[j][i].time) == 0 {
				text.WriteString(" – |")
			} else {
				fmt.Fprintf(text, " %s |", cell(i, j))
			}
		}
		text.WriteByte('\n')
	}
}

func ratio(of, with []float64) float64 { return median(of) / median(with) }

// versions returns the versions of the generators' libraries.
func versions() (text string) {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/Khan/genqlient" || module.Path == "github.com/ogen-go/ogen" {
			text += ", " + module.Path[strings.LastIndexByte(module.Path, '/')+1:] + " " + module.Version
		}
	}
	return text
}

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

// writePage writes the tables into a file.
func writePage(file, tables string) error {
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
	return os.WriteFile(file, []byte(before+begin+"\n"+tables+"\n"+end+after), 0o644)
}
