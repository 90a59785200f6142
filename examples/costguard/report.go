package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// state is how a tag stands to its budget.
type state string

const (
	within   state = "within"
	warned   state = "warned"
	over     state = "over"
	noBudget state = "no budget"
)

// The codes that it ends with, besides the usual ones.
const (
	exitWarned = cli.Code(3)
	exitOver   = cli.Code(4)
)

// row is what is known of a tag.
type row struct {
	// Tag is the label, or null for the endpoints without a tag.
	Tag    *string  `json:"tag"`
	Used   int64    `json:"used"`
	Budget *int64   `json:"budget"`
	Share  *float64 `json:"share"`
	State  state    `json:"state"`
}

// report is what the program found and did.
type report struct {
	Start  time.Time `json:"start"`
	End    time.Time `json:"end"`
	Warn   float64   `json:"warn"`
	Tags   []row     `json:"tags"`
	Paused []string  `json:"paused"`
}

// newReport holds usage against the budgets: the tags in the order of their labels, the endpoints without one first.
func newReport(usage *admin.UsageByTag, o *options) *report {
	used := map[string]int64{}
	for tag := range o.budgets {
		used[tag] = 0
	}
	for _, item := range usage.Tags {
		used[label(item)] += item.CreditsUsed
	}
	r := &report{Start: time.Unix(usage.StartTime, 0).UTC(), End: time.Unix(usage.EndTime, 0).UTC(), Warn: o.warn, Paused: []string{}}
	for tag, credits := range used {
		next := row{Used: credits, State: noBudget}
		if tag != "" {
			next.Tag = &tag
		}
		if budget, given := o.budgets[tag]; given {
			next.Budget, next.Share, next.State = &budget, share(credits, budget), judge(credits, budget, o.warn)
		}
		r.Tags = append(r.Tags, next)
	}
	slices.SortFunc(r.Tags, func(a, b row) int { return strings.Compare(a.tag(), b.tag()) })
	return r
}

// label is that of an item of the usage. Without an id it is of the endpoints that have no tag, whatever it is called.
func label(item admin.TagUsage) string {
	if item.TagID == nil {
		return ""
	}
	return item.Label
}

func (r row) tag() string {
	if r.Tag == nil {
		return ""
	}
	return *r.Tag
}

// in are the tags in a state.
func (r *report) in(wanted state) map[string]bool {
	found := map[string]bool{}
	for _, row := range r.Tags {
		if row.State == wanted {
			found[row.tag()] = true
		}
	}
	return found
}

func (r *report) write(w io.Writer, format cli.Format) error {
	table := cli.Table{Header: []string{"TAG", "USED", "BUDGET", "SHARE", "STATE"}}
	for _, row := range r.Tags {
		tag, budget, share := row.tag(), "", ""
		if row.Tag == nil && format == cli.FormatTable {
			tag = "(no tag)"
		}
		if row.Budget != nil {
			budget = strconv.FormatInt(*row.Budget, 10)
		}
		if row.Share != nil {
			share = fmt.Sprintf("%.1f%%", *row.Share)
		}
		table.Add(tag, strconv.FormatInt(row.Used, 10), budget, share, string(row.State))
	}
	return cli.Write(w, format, table, r)
}

// outcome is the code to end with.
func (r *report) outcome() error {
	switch {
	case len(r.in(over)) > 0:
		return exitOver
	case len(r.in(warned)) > 0:
		return exitWarned
	}
	return nil
}
