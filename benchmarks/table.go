package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/benchmarks/internal/server"
)

// table is what was measured on a field: a column for each payload, a series of samples for each contestant.
type table struct {
	settings settings
	field    field
	columns  [][][]sample
}

// write writes the table in Markdown.
func (t table) write(out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "### %s\n\n", t.title())
	row := func(title string, cell func(column [][]sample) string) {
		fmt.Fprintf(&text, "| %s |", title)
		for _, column := range t.columns {
			fmt.Fprintf(&text, " %s |", cell(column))
		}
		text.WriteByte('\n')
	}
	titles := make([]string, len(t.settings.payloads))
	for i, p := range t.settings.payloads {
		titles[i] = p.Title
	}
	fmt.Fprintf(&text, "| contestant | %s |\n|---|%s\n", strings.Join(titles, " | "), strings.Repeat("---|", len(titles)))
	for i, c := range t.settings.contestants {
		row(c.Title, func(column [][]sample) string { return ratios(column[i], column[0]) })
	}
	row("by hand, encoding/json, a call", func(column [][]sample) string { return absolutes(column[0]) })
	fmt.Fprintf(&text, "\n%s\n\n", t.footnote())
	_, err := io.WriteString(out, text.String())
	return err
}

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

// ratios compares the medians of two series.
func ratios(of, with []sample) string {
	if len(of) == 0 {
		return "–"
	}
	ratio := func(value func(sample) float64) float64 { return median(of, value) / median(with, value) }
	return fmt.Sprintf("%.2f / %.2f / %.2f", ratio(seconds), ratio(bytes), ratio(allocs))
}

// absolutes are the medians of a series.
func absolutes(of []sample) string {
	took := time.Duration(median(of, seconds) * float64(time.Second))
	return fmt.Sprintf("%.3g ms / %.4g kB / %.0f", took.Seconds()*1e3, median(of, bytes)/1e3, median(of, allocs))
}

func seconds(s sample) float64 { return s.time.Seconds() }
func bytes(s sample) float64   { return s.bytes }
func allocs(s sample) float64  { return s.allocs }

func median(of []sample, value func(sample) float64) float64 { return quantile(of, value, 0.5) }

// quantile is the value that a part of the samples stays below.
func quantile(of []sample, value func(sample) float64, part float64) float64 {
	values := make([]float64, len(of))
	for i, s := range of {
		values[i] = value(s)
	}
	slices.Sort(values)
	at := part * float64(len(values)-1)
	low := int(at)
	if low+1 == len(values) {
		return values[low]
	}
	return values[low] + (at-float64(low))*(values[low+1]-values[low])
}

// footnote says what the figures are, and how far to trust them.
func (t table) footnote() string {
	var noise float64
	for _, column := range t.columns {
		middle := quantile(column[0], seconds, 0.75) - quantile(column[0], seconds, 0.25)
		noise = max(noise, middle/median(column[0], seconds))
	}
	clock := "time"
	if t.settings.clock == cpuClock {
		clock = "processor time"
	}
	return fmt.Sprintf("Each cell is %s / bytes / allocations of a call, in medians of %d rounds; by hand with encoding/json is 1. "+
		"The middle half of its rounds spread over %.0f%% of the median at most. %s, %s/%s, %d processors%s.",
		clock, t.settings.rounds, 100*noise, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), versions())
}

// versions are those of the libraries that the contestants are named after.
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
