package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// write writes a report.
func write(out io.Writer, format cli.Format, r *report) error {
	switch format {
	case formatHTML:
		return writePage(out, r)
	case cli.FormatTable:
		if err := cli.Write(out, format, findingsTable(r), nil); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
		if err := cli.Write(out, format, endpointsTable(r), nil); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "\n%d endpoints, %s credits in the %s until %s\n",
			len(r.Endpoints), number(r.Credits.Total), r.Period, r.To.Format("2006-01-02 15:04 UTC"))
		return err
	}
	return cli.Write(out, format, fullTable(r), r)
}

// findingsTable is what somebody should look at.
func findingsTable(r *report) cli.Table {
	table := cli.Table{Header: []string{"FINDING", "ENDPOINTS", "WHICH"}}
	for _, f := range r.Findings {
		table.Add(f.Finding, f.Count(), f.Which())
	}
	return table
}

// endpointsTable has what fits on a line.
func endpointsTable(r *report) cli.Table {
	table := cli.Table{Header: []string{"ENDPOINT", "NETWORK", "STATUS", "ON", "LISTS", "RPS", "RPM", "RPD", "TAGS", "CREDITS", "REQUESTS", "FAILED"}}
	for _, e := range r.Endpoints {
		table.Add(e.name(), e.Network, e.Status, dash(e.On()), dash(e.Lists()), dash(e.Limits.RPS.String()), dash(e.Limits.RPM.String()),
			dash(e.Limits.RPD.String()), dash(strings.Join(e.Tags, ", ")), number(e.Credits), number(e.Requests), dash(e.Failed()))
	}
	return table
}

// fullTable has a column for everything, for programs.
func fullTable(r *report) cli.Table {
	table := cli.Table{Header: []string{"id", "label", "chain", "network", "status", "dedicated", "multichain", "tags", "on", "off"}}
	for _, list := range protectionOf(admin.EndpointSecurity{}).Entries {
		table.Header = append(table.Header, list.Option+"_entries")
	}
	table.Header = append(table.Header, "rps", "rpm", "rpd", "method_limits", "credits", "requests", "calls", "failed", "error_rate")
	for _, e := range r.Endpoints {
		row := []string{e.ID, e.Label, e.Chain, e.Network, e.Status, strconv.FormatBool(e.Dedicated), strconv.FormatBool(e.Multichain),
			strings.Join(e.Tags, ";"), strings.Join(e.Protection.On, ";"), strings.Join(e.Protection.Off, ";")}
		for _, list := range e.Protection.Entries {
			row = append(row, strconv.Itoa(list.Count))
		}
		rate := ""
		if percent, some := e.Measured.rate(); some {
			rate = strconv.FormatFloat(percent, 'f', 3, 64)
		}
		table.Add(append(row, e.Limits.RPS.String(), e.Limits.RPM.String(), e.Limits.RPD.String(), strconv.Itoa(e.Limits.Methods),
			strconv.FormatInt(e.Credits, 10), strconv.FormatInt(e.Requests, 10), whole(e.Measured.Calls), whole(e.Measured.Failed), rate)...)
	}
	return table
}
