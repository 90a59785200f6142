package main

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"io"
	"slices"
)

//go:embed page.html
var templates embed.FS

// page is the page. The template package escapes whatever it puts into it.
var page = template.Must(template.New("").Funcs(template.FuncMap{
	"number": number, "dash": dash,
}).ParseFS(templates, "page.html"))

// writePage writes a report as one page of HTML that loads nothing.
func writePage(out io.Writer, r *report) error {
	content := struct {
		*report
		Plots  []*bars
		Errors *columns
	}{report: r, Errors: errorColumns(r.Errors, layouts[r.Period])}
	for _, plot := range []*bars{
		creditBars("Credits by tag", "An endpoint with several tags counts for each of them.", r.Credits.ByTag, r.Credits.Total),
		creditBars("Credits by chain", "", r.Credits.ByChain, r.Credits.Total),
		creditBars("Credits by endpoint", "", byEndpoint(r), r.Credits.Total),
		rateBars(r.Endpoints),
	} {
		if len(plot.Bars) > 0 {
			content.Plots = append(content.Plots, plot)
		}
	}
	var whole bytes.Buffer
	if err := page.ExecuteTemplate(&whole, "page.html", content); err != nil {
		return err
	}
	_, err := whole.WriteTo(out)
	return err
}

// layouts are how times of a period's steps are written.
var layouts = map[string]string{"hour": "15:04", "day": "Jan 2 15:04", "week": "Mon Jan 2", "month": "Jan 2"}

// byEndpoint are the shares of the endpoints that used any credits.
func byEndpoint(r *report) []share {
	var shares []share
	for _, e := range r.Endpoints {
		if e.Credits > 0 {
			shares = append(shares, share{e.name(), e.Credits})
		}
	}
	if r.Credits.Unlisted > 0 {
		shares = append(shares, share{"(not listed any more)", r.Credits.Unlisted})
	}
	largestFirst(shares)
	return shares
}

// rateBars plots the endpoints whose calls fail most often.
func rateBars(endpoints []*endpoint) *bars {
	plot := &bars{Title: "Error rate by endpoint", Failed: true, Note: "Endpoints without a failed call are not shown."}
	failing := slices.DeleteFunc(slices.Clone(endpoints), func(e *endpoint) bool { rate, _ := e.Measured.rate(); return rate == 0 })
	slices.SortStableFunc(failing, func(a, b *endpoint) int {
		one, _ := a.Measured.rate()
		other, _ := b.Measured.rate()
		return cmp.Compare(other, one)
	})
	for _, e := range failing[:min(len(failing), mostBars)] {
		highest, _ := failing[0].Measured.rate()
		rate, _ := e.Measured.rate()
		plot.add(e.name(), e.Failed(), whole(e.Measured.Failed)+" of "+number(int64(e.Measured.Calls))+" calls failed", rate/highest)
	}
	return plot
}
