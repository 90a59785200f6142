package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// Table is what a program has found, as rows of text under a header.
type Table struct {
	Header []string
	Rows   [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Write writes a table as a table or as CSV. As JSON it writes the value in its place, which has more to tell.
func Write(w io.Writer, format Format, table Table, value any) error {
	switch format {
	case FormatTable:
		return table.text(w)
	case FormatJSON:
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	case FormatCSV:
		return table.csv(w)
	}
	return fmt.Errorf("there is no format %q", format)
}

func (t *Table) csv(w io.Writer) error {
	rows := [][]string{t.Header}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = defused(cell)
		}
		rows = append(rows, cells)
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// defused keeps a spreadsheet from taking a text for a formula, as OWASP recommends: with an apostrophe before it. Labels
// come from other people. Numbers stay numbers.
func defused(cell string) string {
	if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "-" && strings.IndexAny(cell, "=+-@\t\r\n＝＋－＠") == 0 {
		return "'" + cell
	}
	return cell
}

func (t *Table) text(w io.Writer) error {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = printable(cell)
		}
		// A column ends with a tab, so that the last one is none and nothing is filled up behind it.
		if _, err := fmt.Fprintln(columns, strings.Join(cells, "\t")); err != nil {
			return err
		}
	}
	return columns.Flush()
}

// printable takes out what would act on a terminal or break a table: labels come from other people.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
