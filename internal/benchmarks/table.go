package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/server"
)

// table is the result on a field: a column for each payload, a series of samples for each contestant.
type table struct {
	settings settings
	field    field
	columns  [][][]sample
}

// text returns the table in Markdown.
func (t table) text() string {
	var text strings.Builder
	t.settings.rows(&text, func(contestant, payload int) string {
		of, with := t.columns[payload][contestant], t.columns[payload][0]
		if len(of) == 0 {
			return absent
		}
		return fmt.Sprintf("%.2f / %.2f / %.2f", ratio(of, with, seconds), ratio(of, with, bytes), ratio(of, with, allocs))
	})
	writeRow(&text, "by hand, encoding/json, a call", len(t.columns),
		func(payload int) string { return absolutes(t.columns[payload][0]) })
	return text.String() + "\n" + t.footnote() + "\n"
}

// rows writes a table with a column for each payload and a row for each contestant.
func (s settings) rows(text *strings.Builder, cell func(contestant, payload int) string) {
	writeRow(text, "contestant", len(s.payloads), func(payload int) string { return s.payloads[payload].Title })
	fmt.Fprintf(text, "|---|%s\n", strings.Repeat("---|", len(s.payloads)))
	for i, c := range s.contestants {
		writeRow(text, c.Title, len(s.payloads), func(payload int) string { return cell(i, payload) })
	}
}

func writeRow(text *strings.Builder, title string, cells int, cell func(int) string) {
	fmt.Fprintf(text, "| %s |", title)
	for i := range cells {
		fmt.Fprintf(text, " %s |", cell(i))
	}
	text.WriteByte('\n')
}

// absent marks a call that a contestant does not make.
const absent = "–"

// title returns the name of the field.
func (t table) title() string {
	title := "HTTP/1.1"
	if t.field.protocol == server.HTTP2 {
		title = "HTTP/2 over TLS"
	}
	if t.field.encoding == server.Gzip {
		return title + ", compressed"
	}
	return title + ", not compressed"
}

// absolutes returns the medians of a series.
func absolutes(of []sample) string {
	took := time.Duration(median(of, seconds) * float64(time.Second))
	return fmt.Sprintf("%.3g ms / %.4g kB / %.0f", took.Seconds()*1e3, median(of, bytes)/1e3, median(of, allocs))
}

// footnote explains the figures and their noise.
func (t table) footnote() string {
	return fmt.Sprintf(
		"Each cell is %s / bytes / allocations of a call, in medians of %d rounds; by hand with encoding/json is 1. "+
			"The middle half of its rounds spread over %.0f%% of the median at most. %s, %s/%s, %d processors%s.",
		t.clock(), t.settings.rounds, 100*noise(t), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		versions())
}

// clock returns the name of the clock.
func (t table) clock() string {
	if t.settings.clock == cpuClock {
		return "processor time"
	}
	return "time"
}

// noise returns the largest relative width of the middle half of the first contestant's rounds.
func noise(tables ...table) (most float64) {
	for _, t := range tables {
		for _, column := range t.columns {
			most = max(most, spread(column[0], seconds))
		}
	}
	return most
}

// versions returns the versions of the contestants' libraries.
func versions() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var text strings.Builder
	for _, module := range info.Deps {
		switch module.Path {
		case "github.com/Khan/genqlient", "github.com/go-faster/jx", "github.com/ogen-go/ogen":
			fmt.Fprintf(&text, ", %s %s", module.Path[strings.LastIndexByte(module.Path, '/')+1:], module.Version)
		}
	}
	return text.String()
}
