package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/rpcfleet/rpcfleet-go"
)

// report is what was found.
type report struct {
	mu         sync.Mutex
	calls      int
	operations map[string]bool
	rows       map[row]int
	failures   map[string]int
}

// row is what all drifts of one kind in one place have in common.
type row struct {
	Operation string             `json:"operation"`
	Method    string             `json:"method"`
	Path      string             `json:"path"`
	Status    int                `json:"status"`
	Kind      rpcfleet.DriftKind `json:"kind"`
	// Place is the JSON Pointer, with a star for the index of an item.
	Place    string `json:"place"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
}

func newReport() *report {
	return &report{operations: map[string]bool{}, rows: map[row]int{}, failures: map[string]int{}}
}

// called counts a call.
func (r *report) called(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.Outcome)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	r.operations[op.ID] = true
	return ctx, func(rpcfleet.Outcome) {}
}

// strayed notes a drift.
func (r *report) strayed(_ context.Context, d rpcfleet.Drift) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count := 1
	if d.Kind == rpcfleet.DriftMore { // It stands for many.
		count, _ = strconv.Atoi(d.Found)
		d.Found = ""
	}
	r.rows[row{d.Operation, d.Method, d.Path, d.StatusCode, d.Kind, place(d.Pointer), d.Expected, d.Found}] += count
}

// place is a JSON Pointer with a star for every number, which is mostly the index of an item.
func place(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		if _, err := strconv.Atoi(part); err == nil {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

// failed notes an error. Errors of the library show no secrets.
func (r *report) failed(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures[err.Error()]++
}

func (r *report) exitCode() int {
	switch {
	case len(r.rows) > 0:
		return exitDrift
	case len(r.failures) > 0:
		return exitError
	}
	return exitClean
}

// counted is a row of the report as it is written.
type counted struct {
	row

	Count int `json:"count"`
}

// sorted returns the rows, by operation and place.
func (r *report) sorted() []counted {
	rows := []counted{}
	for row, count := range r.rows {
		rows = append(rows, counted{row, count})
	}
	slices.SortFunc(rows, func(a, b counted) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Place, b.Place),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Found, b.Found))
	})
	return rows
}

func (r *report) write(out io.Writer, format string) error {
	if format == "json" {
		return r.writeJSON(out)
	}
	return r.writeTable(out)
}

func (r *report) writeJSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		Calls      int            `json:"calls"`
		Operations []string       `json:"operations"`
		Drift      []counted      `json:"drift"`
		Failures   map[string]int `json:"failures"`
	}{r.calls, slices.Sorted(maps.Keys(r.operations)), r.sorted(), r.failures})
}

func (r *report) writeTable(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	rows := r.sorted()
	if len(rows) > 0 {
		_, _ = fmt.Fprintln(table, "COUNT\tOPERATION\tSTATUS\tKIND\tPLACE\tEXPECTED\tFOUND")
	}
	for _, row := range rows {
		_, _ = fmt.Fprintf(table, "%d\t%s\t%d\t%s\t%s\t%s\t%s\n",
			row.Count, row.Operation, row.Status, row.Kind, cmp.Or(row.Place, "-"), cmp.Or(row.Expected, "-"), cmp.Or(row.Found, "-"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, failure := range slices.Sorted(maps.Keys(r.failures)) {
		if _, err := fmt.Fprintf(out, "failed %d times: %s\n", r.failures[failure], failure); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%d calls of %d operations, %d places that stray\n", r.calls, len(r.operations), len(rows))
	return err
}
