package main

import (
	"io"
	"os"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

const about = `
Costguard holds the credits that the endpoints of each tag have used against a budget. It changes nothing, unless -pause
is given: then it pauses the active endpoints of the tags that are over their budget. Nothing is ever activated.

It ends with 0 where all is within the budgets, with 3 where a tag has come to the share to warn at, and with 4 where one
is over its budget, paused or not. 1 is a failure, whatever else was found, and 2 a mistake in the flags.

RPCFLEET_BASE_URL and RPCFLEET_API_KEY name the account. With neither of them set it works on an emulator, and without
flags shows a tour of it.`

// options are the flags.
type options struct {
	budgets budgets
	warn    float64
	days    int
	pause   bool
	format  cli.Format
}

func parse(args []string, stdout io.Writer) (*options, error) {
	o, given, file := options{}, budgets{}, ""
	flags := cli.NewFlags(name, about)
	flags.Var(given, "budget", "a budget, `tag=credits`, once for each; without a tag, =credits, for the endpoints that have none")
	flags.StringVar(&file, "file", "", `a JSON file of budgets, such as {"production": 5000000, "": 1000}; -budget goes before it`)
	flags.Float64Var(&o.warn, "warn", 80, "the share of a budget to warn at, in `percent`")
	flags.IntVar(&o.days, "days", 0, "count the last so many `days` (default the present billing period)")
	flags.BoolVar(&o.pause, "pause", false, "pause the active endpoints of tags that are over their budget")
	format := flags.Format(cli.FormatTable, cli.FormatJSON, cli.FormatCSV)
	if err := flags.Parse(args, stdout); err != nil {
		return nil, err
	}
	o.budgets, o.format = given, *format
	if !(o.warn > 0 && o.warn <= 100) {
		return nil, cli.Usagef("-warn must be above 0 and at most 100: %v", o.warn)
	}
	if o.days < 0 || o.days > 366 {
		return nil, cli.Usagef("-days must be 0 to 366: %d", o.days)
	}
	if file == "" {
		return &o, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return &o, o.budgets.read(file, content)
}
