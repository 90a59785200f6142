// Report writes one HTML page about all endpoints of an account: usage, limits, security, and problems.
//
//	go run ./examples/report -out report.html
//
// It only reads. RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account; without them it runs on an emulator.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"html/template"
	"os"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

//go:embed page.html
var page string

// report is the data of the page. Its script gets it as JSON.
type report struct {
	Made      time.Time
	Cents     *int64         // The latest invoice.
	Days      map[string]int // Credits.
	Endpoints []*endpoint
}

type endpoint struct {
	ID, Label, Network, Status string
	Tags, On                   []string // On lists the enabled security options.
	RPS                        *int     // Requests per second, or -1 for no limit.
	Credits, Requests          int64    // In the last week.
}

func main() {
	out := flag.String("out", os.TempDir()+"/report.html", "the `file` to write")
	flag.Parse()
	if err := run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
	fmt.Println("Wrote", *out)
}

func run(ctx context.Context, out string) error {
	client, err := rpcfleet.NewFromEnv()
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		fmt.Fprintln(os.Stderr, "No RPCFLEET_BASE_URL: using an emulator")
		service := emulator.Start()
		for i := range 24 {
			spec := emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Label: fmt.Sprint("service ", i+1)}
			spec.Options = map[string]bool{"tokens": i%5 > 0}
			spec.Usage = []emulator.LoggedCall{{DaysAgo: i % 7, Method: "eth_call", Requests: int64(1000*i + 1)}}
			_, _ = service.AddEndpoint(spec)
		}
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	}
	if err != nil {
		return err
	}
	made, err := read(ctx, client)
	if err != nil {
		return err
	}
	file, err := os.Create(out)
	if err == nil { // The template escapes the service's texts, also in the script.
		err = template.Must(template.New("page").Parse(page)).Execute(file, made)
	}
	return err
}

// read reads the account, with eight concurrent requests.
func read(ctx context.Context, client *rpcfleet.Client) (*report, error) {
	week := admin.GetUsageParams{StartTime: time.Now().AddDate(0, 0, -7)}
	invoices, err1 := client.Billing.Invoices(ctx)
	series, err2 := client.Metrics.Account(ctx, admin.GetAccountMetricsParams{Period: "week", Metric: "credits_over_time"})
	usage, err3 := client.Usage.ByEndpoint(ctx, week)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return nil, err
	}
	made := &report{Made: time.Now(), Days: map[string]int{}}
	if len(invoices) > 0 {
		made.Cents = &invoices[0].AmountDue
	}
	for _, one := range series { // One for each chain.
		for _, point := range one.Data {
			if point.Value != nil {
				made.Days[point.Time.Format(time.DateOnly)] += int(*point.Value)
			}
		}
	}
	byName := map[string]*endpoint{}
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for e, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
		if err != nil {
			return nil, err
		}
		row := &endpoint{ID: e.ID, Label: e.Label, Network: e.Network, Status: string(e.Status)}
		byName[e.Name], made.Endpoints = row, append(made.Endpoints, row)
		group.Go(func() error { return row.read(groupCtx, client) })
	}
	for _, item := range usage.Endpoints { // Their name is the only thing that they share with endpoints.
		if row := byName[item.Name]; row != nil {
			row.Credits += item.CreditsUsed
			row.Requests += item.Requests
		}
	}
	return made, group.Wait()
}

// read reads the details that the listing does not contain.
func (e *endpoint) read(ctx context.Context, client *rpcfleet.Client) error {
	record, err := client.Endpoints.Get(ctx, e.ID)
	if err != nil {
		return err
	}
	for _, tag := range record.Tags {
		e.Tags = append(e.Tags, tag.Label)
	}
	for option, on := range rpcfleet.SecurityOptionsOf(record.Security) {
		if on {
			e.On = append(e.On, string(option))
		}
	}
	slices.Sort(e.On)
	if record.RateLimits != nil {
		e.RPS = record.RateLimits.RPS
	}
	return nil
}
