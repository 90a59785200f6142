package main

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"time"
)

//go:embed page.html chart.html
var templates embed.FS

// page is the page. The template package escapes whatever it puts into it.
var page = template.Must(template.ParseFS(templates, "*.html"))

// writePage writes reports as one page of HTML that loads nothing.
func writePage(out io.Writer, reports []*report, now time.Time) error {
	type section struct {
		*report
		Chart *chart
	}
	content := struct {
		Written  string
		Sections []section
	}{Written: now.UTC().Format("2006-01-02 15:04 UTC")}
	for i, r := range reports {
		s := section{report: r}
		if r.Prices != nil {
			s.Chart = draw(r.Prices, fmt.Sprintf("chart-%d", i+1))
		}
		content.Sections = append(content.Sections, s)
	}
	return page.ExecuteTemplate(out, "page.html", content)
}
