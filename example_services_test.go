package rpcfleet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func ExampleAccountService_Info() {
	client, _ := newClient()
	account, err := client.Account.Info(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(account.Name, account.Subscription.PlanName)
	// Output:
	// Example Account Scale
}

// Amounts of invoices are in cents.
func ExampleBillingService_Invoices() {
	client, _ := newClient()
	invoices, err := client.Billing.Invoices(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, invoice := range invoices[:2] {
		fmt.Printf("%s %d.%02d\n", invoice.Status, invoice.AmountDue/100, invoice.AmountDue%100)
	}
	// Output:
	// open 499.00
	// paid 499.00
}

// The slugs of a chain and of its network create an endpoint.
func ExampleChainsService_List() {
	client, _ := newClient()
	chains, err := client.Chains.List(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, chain := range chains[:2] {
		fmt.Println(chain.Slug, chain.Networks[0].Slug)
	}
	// Output:
	// eth mainnet
	// matic matic
}

// Lets only one address in, and keeps callers without a token out. Options that are not named stay.
func ExampleSecurityService_SetOptions() {
	client, service := newClient()
	ctx, id := context.Background(), service.CreateEndpoints(1)[0]
	if _, err := client.Security.AddIP(ctx, id, "198.51.100.7"); err != nil {
		log.Fatal(err)
	}
	wanted := map[admin.SecurityOptionName]bool{admin.SecurityOptionNameTokens: true, admin.SecurityOptionNameIPs: true}
	options, err := client.Security.SetOptions(ctx, id, wanted)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(options[admin.SecurityOptionNameIPs], options[admin.SecurityOptionNameJWTs])

	_, err = client.Security.SetOptions(ctx, id, map[admin.SecurityOptionName]bool{"firewall": true})
	var invalid *rpcfleet.ValidationError
	fmt.Println(errors.As(err, &invalid))
	// Output:
	// true false
	// true
}

// Reads the usage of the current billing period. An item without an id is the usage of endpoints without a tag.
func ExampleUsageService_ByTag() {
	client, service := newClient()
	for i, tag := range []string{"production", "staging"} {
		_, _ = service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Tags: []string{tag},
			Usage: []emulator.LoggedCall{{Method: "eth_call", Requests: []int64{4000, 10}[i]}}})
	}
	usage, err := client.Usage.ByTag(context.Background(), admin.GetUsageParams{})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range usage.Tags {
		if item.TagID != nil {
			fmt.Println(item.Label, item.Requests, "requests,", item.CreditsUsed, "credits")
		}
	}
	// Output:
	// production 4000 requests, 80000 credits
	// staging 10 requests, 200 credits
}

// Adds up the calls of a day. A value of nil was not measured.
func ExampleMetricsService_Endpoint() {
	client, service := newClient()
	id := service.CreateEndpoints(1)[0]
	if _, err := service.AppendLog(id, emulator.LoggedCall{Method: "eth_call", Requests: 4000}); err != nil {
		log.Fatal(err)
	}
	params := admin.GetEndpointMetricsParams{
		Period: admin.MetricsPeriodDay, Metric: admin.EndpointMetricNameMethodCallsOverTime}
	series, err := client.Metrics.Endpoint(context.Background(), id, params)
	if err != nil {
		log.Fatal(err)
	}
	for _, one := range series {
		sum := 0.0
		for _, point := range one.Data {
			if point.Value != nil {
				sum += *point.Value
			}
		}
		fmt.Println(one.Tag, sum)
	}
	// Output:
	// eth_call 4000
}

// Renames a tag of the account: its endpoints keep it.
func ExampleTagsService_Rename() {
	client, service := newClient()
	ctx, id := context.Background(), service.CreateEndpoints(1)[0]
	if err := client.Endpoints.AddTag(ctx, id, "prod"); err != nil {
		log.Fatal(err)
	}
	tags, err := client.Tags.List(ctx)
	if err != nil {
		log.Fatal(err)
	}
	renamed, err := client.Tags.Rename(ctx, tags[0].ID, "production")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(renamed.Label, renamed.UsageCount)
	// Output:
	// production 1
}

// Creates a team, once also if the response gets lost, and invites a user who is new to the account.
func ExampleTeamsService_Invite() {
	client, _ := newClient()
	ctx := context.Background()
	team, err := client.Teams.Create(ctx, "payments", rpcfleet.WithCreateOnce())
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Teams.Invite(ctx, team.ID, admin.InviteTeamMemberRequest{
		Email: "ada@example.com", FullName: new("Ada Example"), Role: new(admin.TeamRoleViewer)})
	if err != nil {
		log.Fatal(err)
	}
	team, err = client.Teams.Get(ctx, team.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(team.Name, team.PendingInvites[0].Email)
	// Output:
	// payments ada@example.com
}

// Creates an endpoint once, although the response gets lost. A later run with the same name gets the same endpoint.
func ExampleEndpointsService_Create() {
	service := emulator.Start(emulator.WithFaults(
		emulator.Fault{Operation: "createEndpoint", Times: 1, Effect: emulator.EffectLoseResponse}))
	defer service.Close()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey),
		rpcfleet.WithAttemptTimeout(time.Second)) // The time after which it looks for the endpoint.
	if err != nil {
		log.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	journal := rpcfleet.WithCreateJournal(rpcfleet.FileCheckpointStore{Dir: folder}, "checkout")
	for range 2 {
		request := admin.CreateEndpointRequest{Chain: "eth", Network: "mainnet"}
		endpoint, err := client.Endpoints.Create(context.Background(), request, journal)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(endpoint.ID, endpoint.Network)
	}
	// Output:
	// 1003 mainnet
	// 1003 mainnet
}

// Counts the active endpoints of each chain, for any size of the service's pages.
func ExampleEndpointsService_All() {
	client, service := newClient(emulator.WithMaxPageSize(7))
	service.CreateEndpoints(190)

	active := admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusActive}}
	count := map[string]int{}
	for endpoint, err := range client.Endpoints.All(context.Background(), active) {
		if err != nil {
			log.Fatal(err)
		}
		count[endpoint.Chain]++
	}
	fmt.Println("eth:", count["eth"])
	fmt.Println("sol:", count["sol"])
	// Output:
	// eth: 30
	// sol: 20
}

// Overrides a limit of the plan, and takes the override back.
func ExampleRateLimitsService_Update() {
	client, service := newClient()
	ctx := context.Background()
	id := service.CreateEndpoints(1)[0]

	show := func() rpcfleet.RateLimit {
		limits, err := client.RateLimits.Get(ctx, id)
		if err != nil {
			log.Fatal(err)
		}
		limit, known := limits.Effective(admin.RateLimitBucketRPS)
		if known && limit.Requests != nil {
			fmt.Println(*limit.Requests, "requests a second, by", limit.Source)
		}
		return limit
	}
	show()
	limits := map[admin.RateLimitBucket]int{admin.RateLimitBucketRPS: 50}
	if _, err := client.RateLimits.Update(ctx, id, limits); err != nil {
		log.Fatal(err)
	}
	if limit := show(); limit.OverrideID != "" {
		if err := client.RateLimits.RemoveOverride(ctx, id, limit.OverrideID); err != nil {
			log.Fatal(err)
		}
	}
	show()
	// Output:
	// 500 requests a second, by plan_default
	// 50 requests a second, by user_override
	// 500 requests a second, by plan_default
}

// Reads a log page by page, and stores the cursor of the page that it stopped at: another run goes on from there.
func ExampleLogsService_Pages() {
	client, service := newClient()
	ctx := context.Background()
	id := service.CreateEndpoints(1)[0]
	begin := time.Date(2026, time.March, 10, 0, 0, 0, 0, time.UTC)
	for i := range 250 {
		call := emulator.LoggedCall{Method: "eth_call", Timestamp: begin.Add(time.Duration(i) * time.Minute)}
		if _, err := service.AppendLog(id, call); err != nil {
			log.Fatal(err)
		}
	}

	query := admin.ListLogsParams{From: begin, To: begin.Add(24 * time.Hour), Limit: new(100)}
	for page, err := range client.Logs.Pages(ctx, id, query) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "entries from", page.Items[0].Timestamp)
		query.NextAt = &page.NextCursor
		break
	}
	for page, err := range client.Logs.Pages(ctx, id, query) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "entries from", page.Items[0].Timestamp)
	}
	// Output:
	// 100 entries from 2026-03-10 00:00:00 +0000 UTC
	// 100 entries from 2026-03-10 01:40:00 +0000 UTC
	// 50 entries from 2026-03-10 03:20:00 +0000 UTC
}

// Looks at the request and the response of a call that was logged.
func ExampleLogsService_Details() {
	client, service := newClient()
	id := service.CreateEndpoints(1)[0]
	requests, err := service.AppendLog(id, emulator.LoggedCall{
		Method: "eth_chainId", Response: `{"jsonrpc":"2.0","id":1,"result":"0x1"}`,
	})
	if err != nil {
		log.Fatal(err)
	}

	details, err := client.Logs.Details(context.Background(), id, requests[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(details.Response)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":"0x1"}
}

// Follows the logs of two endpoints: first the entries that they contain already, then the entries that come while the
// loop runs.
func ExampleLogsService_Follow() {
	client, service := newClient()
	ids := service.CreateEndpoints(2)
	called := func(id, method string, ago time.Duration) {
		if _, err := service.AppendLog(id, emulator.LoggedCall{Method: method, Timestamp: time.Now().Add(-ago)}); err != nil {
			log.Fatal(err)
		}
	}
	called(ids[0], "eth_chainId", 2*time.Minute)
	called(ids[0], "eth_call", time.Minute)

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour), MinInterval: 10 * time.Millisecond}
	for followed, err := range client.Logs.Follow(ctx, ids, options) {
		if errors.Is(err, context.Canceled) {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		fmt.Println(followed.EndpointID == ids[0], followed.Entry.Method)
		switch followed.Entry.Method {
		case "eth_call":
			called(ids[0], "eth_getLogs", 5*time.Second) // It turns up late, and is not missed.
		case "eth_getLogs":
			called(ids[1], "eth_blockNumber", 0)
		case "eth_blockNumber":
			cancel()
		}
	}
	// Output:
	// true eth_chainId
	// true eth_call
	// true eth_getLogs
	// false eth_blockNumber
}

// Continues in the second run where the first ended, with a checkpoint in a file. The program logtail of the examples
// keeps the length of its output in the checkpoint too, so that it contains every entry once whenever it is killed.
func ExampleLogsService_Follow_checkpoint() {
	client, service := newClient()
	ids := service.CreateEndpoints(1)
	for i := range 4 {
		call := emulator.LoggedCall{Method: fmt.Sprint("call ", i), Timestamp: time.Now().Add(time.Duration(i-60) * time.Second)}
		if _, err := service.AppendLog(ids[0], call); err != nil {
			log.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "follow")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx, store := context.Background(), rpcfleet.FileCheckpointStore{Dir: dir}
	for _, last := range []string{"call 1", "call 3"} {
		checkpoint, err := store.Load(ctx, "calls")
		if err != nil {
			log.Fatal(err)
		}
		options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour), Checkpoint: checkpoint}
		for followed, err := range client.Logs.Follow(ctx, ids, options) {
			if err == nil {
				err = store.Save(ctx, "calls", followed.Checkpoint)
			}
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(followed.Entry.Method)
			if followed.Entry.Method == last {
				break
			}
		}
	}
	// Output:
	// call 0
	// call 1
	// call 2
	// call 3
}
