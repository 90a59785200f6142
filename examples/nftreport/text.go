package main

import (
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// writeText writes reports as aligned tables.
func writeText(out io.Writer, reports []*report) error {
	var b strings.Builder
	line := func(cells ...string) { b.WriteString(strings.Join(cells, "\t") + "\n") }
	for i, r := range reports {
		if i > 0 {
			line()
		}
		line(r.Title)
		line(strings.Repeat("=", utf8.RuneCountInString(r.Title)))
		for _, f := range r.Facts {
			line(f.Name, f.Value)
		}
		for _, t := range r.Tables {
			line()
			line(t.heading())
			if len(t.Rows) == 0 {
				line("none")
				continue
			}
			var names []string
			for _, c := range t.Columns {
				names = append(names, strings.ToUpper(c.Name))
			}
			line(names...)
			for _, row := range t.Rows {
				line(row...)
			}
		}
	}
	aligned := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(aligned, b.String()); err != nil {
		return err
	}
	return aligned.Flush()
}

// heading is the title with the note.
func (t *table) heading() string {
	if t.Note == "" {
		return t.Title
	}
	return t.Title + " (" + t.Note + ")"
}
