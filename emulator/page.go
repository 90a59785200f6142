package emulator

import (
	"bytes"
	_ "embed" // For the template.
	"html/template"
	"net/http"
	"net/url"
	"slices"
)

// pagePath is the path of the page. No operation of the service has it.
const pagePath = "/"

// pagePolicy is the Content-Security-Policy of the page: its own style, and nothing else.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

//go:embed page.html
var pageText string

var pageLayout = template.Must(template.New("page").Funcs(template.FuncMap{
	"address": func(address string) string { return mask{}.named("url", address) },
	"total":   func(e *endpointData) used { return e.Log.total },
	"on":      func(enabled *bool) bool { return valueOr(enabled, false) },
	"query":   readableQuery,
	"label":   func(label *string) string { return valueOr(label, "–") },
}).Parse(pageText))

// maxPageRows is the largest number of rows in a table of the page.
const maxPageRows = 200

// rows are the first items of a list, and the number of the others.
type rows[T any] struct {
	Shown []T
	More  int
}

func rowsOf[T any](list []T) rows[T] {
	return rows[T]{pageOf(list, maxPageRows, 0), max(len(list)-maxPageRows, 0)}
}

// servePage responds with the page. It is not a call, and neither faults nor limits apply.
func (e *Emulator) servePage(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", pagePolicy)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	var text bytes.Buffer
	if err := e.writePage(&text); err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(text.Bytes()) // A client that has gone away needs no response.
}

// writePage writes the page. The template reads the state, but no secret in it.
func (e *Emulator) writePage(to *bytes.Buffer) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.state
	calls := e.Calls()
	slices.Reverse(calls) // The newest first.
	var sum used
	for _, endpoint := range s.Endpoints {
		sum.add(endpoint.Log.total)
	}
	live := s.live()
	return pageLayout.Execute(to, map[string]any{
		"State": s, "Now": s.now(), "Host": host, "Sum": sum, "Archived": len(s.Endpoints) - len(live), "Live": len(live),
		"Calls": rowsOf(calls), "CallCount": len(calls), "Tags": rowsOf(s.Tags), "Endpoints": rowsOf(live),
		"Teams": rowsOf(s.Teams), "Destinations": rowsOf(s.Destinations), "Notifications": rowsOf(s.Notifications),
	})
}

// readableQuery returns a query behind its question mark, without escapes.
func readableQuery(query url.Values) string {
	text, err := url.QueryUnescape(query.Encode())
	if err != nil || text == "" {
		return ""
	}
	return "?" + text
}
