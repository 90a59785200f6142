package main

import "github.com/rpcfleet/rpcfleet-go/graph"

// report is what there is to tell about one collection or one wallet, ready to be written in any form. Its methods
// clean all text on its way in: names are chosen by whoever made the token.
type report struct {
	Title  string
	Facts  []fact
	Prices *prices
	Tables []*table
}

// fact is one line of a report.
type fact struct{ Name, Value string }

// prices are the prices of a collection's sales by day. They become a chart.
type prices struct {
	// Of is the collection's name, and Unit that of the coin.
	Of, Unit string
	Candles  []graph.Candle
}

// table is a table of a report.
type table struct {
	Title string
	// Note says what of a longer listing the table shows. It is empty where it shows all.
	Note    string
	Columns []column
	Rows    [][]string
}

// column is a column of a table. Numbers are aligned to the right where that can be done.
type column struct {
	Name   string
	Number bool
}

// words and numbers make columns.
func words(name string) column   { return column{Name: name} }
func numbers(name string) column { return column{Name: name, Number: true} }

func newReport(kind, name string) *report { return &report{Title: kind + " " + clean(name)} }

// fact adds a line.
func (r *report) fact(name, value string) { r.Facts = append(r.Facts, fact{name, clean(value)}) }

// table adds a table of a listing with a total, which is negative where it is not known.
func (r *report) table(title string, shown, total int, columns ...column) *table {
	t := &table{Title: title, Note: note(shown, total), Columns: columns}
	r.Tables = append(r.Tables, t)
	return t
}

// row adds a row, with a cell for each column.
func (t *table) row(cells ...string) {
	for i := range cells {
		cells[i] = clean(cells[i])
	}
	t.Rows = append(t.Rows, cells)
}
