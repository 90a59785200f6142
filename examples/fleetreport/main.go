// Fleetreport reports on all endpoints of an account: what protects them, their limits, tags and usage, how often calls
// fail, and what somebody should look at. It writes a table, JSON, CSV, or one page of HTML with plots that needs nothing
// else.
//
// With no environment set it starts the emulator on a loopback port and reports on a made-up fleet:
//
//	go run ./examples/fleetreport
//	go run ./examples/fleetreport -o html >report.html
//
// With RPCFLEET_BASE_URL and RPCFLEET_API_KEY set it reads a real account, and only reads.
package main

import (
	"context"
	"io"
	"time"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

const name = "fleetreport"

const about = `
Fleetreport reports on all endpoints of an account: what protects them, their limits, tags and usage, how often calls
fail, and what somebody should look at. It only reads.

RPCFLEET_BASE_URL and RPCFLEET_API_KEY name the account. With neither of them set, it reports on an emulator.`

// formatHTML is one page of HTML.
const formatHTML cli.Format = "html"

// options are the flags.
type options struct {
	format  *cli.Format
	period  admin.MetricsPeriod
	workers int
	// tolerated is the error rate in percent from which on an endpoint is a finding.
	tolerated float64
}

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return cli.Exit(stderr, name, program(ctx, args, stdout, stderr))
}

func program(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	account, err := cli.Connect(stderr, seed)
	if err != nil {
		return err
	}
	defer account.Close()

	now := time.Now().UTC()
	r, err := (&reader{account.Client, o.period, o.workers}).read(ctx, now)
	if err != nil {
		return err
	}
	r.Findings = findings(r, o.tolerated)
	return write(stdout, *o.format, r)
}

// parse reads the flags.
func parse(args []string, stdout io.Writer) (*options, error) {
	var o options
	flags := cli.NewFlags(name, about)
	o.format = flags.Format(cli.FormatTable, cli.FormatJSON, cli.FormatCSV, formatHTML)
	flags.StringVar((*string)(&o.period), "period", string(admin.MetricsPeriodWeek), "the `period` that ends now: hour, day, week or month, which is 30 days")
	flags.IntVar(&o.workers, "workers", 8, "how many requests are under way at the same time, from 1 to 64")
	flags.Float64Var(&o.tolerated, "tolerate", 5, "the error rate in `percent` above which an endpoint is a finding")
	switch err := flags.Parse(args, stdout); {
	case err != nil:
		return nil, err
	case lengths[o.period] == 0:
		return nil, cli.Usagef("-period must be hour, day, week or month")
	case o.workers < 1 || o.workers > 64:
		return nil, cli.Usagef("-workers must be from 1 to 64")
	case !(o.tolerated >= 0 && o.tolerated <= 100):
		return nil, cli.Usagef("-tolerate must be from 0 to 100")
	}
	return &o, nil
}

// lengths are how far back the periods go.
var lengths = map[admin.MetricsPeriod]time.Duration{
	admin.MetricsPeriodHour:  time.Hour,
	admin.MetricsPeriodDay:   24 * time.Hour,
	admin.MetricsPeriodWeek:  7 * 24 * time.Hour,
	admin.MetricsPeriodMonth: 30 * 24 * time.Hour,
}
