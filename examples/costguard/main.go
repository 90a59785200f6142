// Costguard compares the credits that each tag has used in this billing period with a budget, for cron and CI. It exits
// with 0 if all tags are within their budgets, with 3 if one has used a given share, and with 4 if one is over budget.
//
//	go run ./examples/costguard
//	go run ./examples/costguard -budget production=5000000 -budget staging=200000 -warn 80
//
// It only reads. RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on
// an emulator in its own process, with its own budgets.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// The exit codes, beside 1 for a failure and 2 for invalid flags.
const exitWarned, exitOver = 3, 4

// people formats numbers for people: 15,000.
var people = message.NewPrinter(language.English)

func main() {
	budgets := map[string]int64{}
	flag.Func("budget", "a `tag=credits`; may be repeated", func(value string) error {
		at := strings.LastIndex(value, "=") // A label may contain one, too.
		if at < 0 {
			return errors.New("must be tag=credits")
		}
		credits, err := strconv.ParseInt(value[at+1:], 10, 64)
		if err != nil || credits <= 0 {
			return errors.New("must be a whole number of credits above 0")
		}
		budgets[value[:at]] = credits
		return nil
	})
	warn := flag.Float64("warn", 80, "warn from this `percent` of a budget on")
	flag.Parse()
	code, err := run(context.Background(), budgets, *warn)
	if err != nil {
		fmt.Fprintln(os.Stderr, "costguard:", err)
		os.Exit(1)
	}
	os.Exit(code)
}

// connect returns a client for the account in the environment, or for an emulator with budgets.
func connect(budgets map[string]int64) (*rpcfleet.Client, error) {
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		return rpcfleet.NewFromEnv()
	}
	fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator")
	service := emulator.Start()
	for tag, calls := range map[string]int64{"production": 40_000, "staging": 9_000, "research": 100} {
		_, err := service.AddEndpoint(emulator.EndpointSpec{Chain: "eth", Network: "mainnet",
			Tags: []string{tag}, Usage: []emulator.LoggedCall{{Method: "eth_call", Requests: calls}}})
		if err != nil {
			return nil, err
		}
	}
	if len(budgets) == 0 {
		maps.Copy(budgets, map[string]int64{"production": 2_000_000, "staging": 200_000})
	}
	return rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
}

func run(ctx context.Context, budgets map[string]int64, warn float64) (code int, err error) {
	client, err := connect(budgets)
	if err != nil {
		return 0, err
	}
	if len(budgets) == 0 {
		return 0, errors.New("name a budget, such as -budget production=5000000")
	}
	usage, err := client.Usage.ByTag(ctx, admin.GetUsageParams{})
	if err != nil {
		return 0, err
	}
	used := map[string]int64{}
	for _, item := range usage.Tags {
		if item.TagID != nil { // An item without an id is the usage without a tag.
			used[item.Label] += item.CreditsUsed
		}
	}
	for tag := range budgets {
		if _, found := used[tag]; found {
			continue
		}
		page, err := client.Endpoints.List(ctx, admin.ListEndpointsParams{TagLabels: []string{tag}, Limit: new(1)})
		if err == nil && len(page.Items) == 0 {
			err = fmt.Errorf("no endpoint has the tag %q", tag)
		}
		if err != nil {
			return 0, err
		}
		used[tag] = 0 // The billing period may have just begun.
	}

	rows := table.NewWriter()
	rows.SetStyle(table.StyleLight)
	rows.SetColumnConfigs([]table.ColumnConfig{
		{Name: "Tag", WidthMax: 40, WidthMaxEnforcer: text.Trim},
		{Name: "Credits", Align: text.AlignRight}, {Name: "Budget", Align: text.AlignRight}, {Name: "Used", Align: text.AlignRight},
	})
	rows.AppendHeader(table.Row{"Tag", "Credits", "Budget", "Used", "State"})
	for _, tag := range slices.SortedFunc(maps.Keys(used), func(a, b string) int {
		return cmp.Or(cmp.Compare(used[b], used[a]), cmp.Compare(a, b))
	}) {
		credits, budget, share, state := people.Sprintf("%d", used[tag]), "", "", ""
		if limit := budgets[tag]; limit > 0 {
			percent := 100 * float64(used[tag]) / float64(limit)
			budget, share, state = people.Sprintf("%d", limit), people.Sprintf("%.1f%%", percent), "within"
			if percent > 100 {
				code, state = exitOver, "over budget"
			} else if percent >= warn {
				code, state = max(code, exitWarned), "warning"
			}
		}
		rows.AppendRow(table.Row{strconv.Quote(tag), credits, budget, share, state}) // Escapes control characters.
	}
	fmt.Println(rows.Render())
	return code, nil
}
