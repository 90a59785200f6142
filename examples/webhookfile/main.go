// Webhookfile keeps webhooks as a JSON file declares them. It plans the changes and applies them; others stay.
//
//	go run ./examples/webhookfile
//	go run ./examples/webhookfile -file webhooks.json           # exits with 3 if something is to change
//	go run ./examples/webhookfile -file webhooks.json -apply
//
// An active webhook is paused for a change, and continues from the last delivered block. Its security token stays.
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it plans, applies and
// plans an example on an emulator in its own process.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// The filter is JavaScript. The name is unique in the file and in the account.
const example = `[
	{"name": "transfers", "network": "ethereum-mainnet", "url": "https://hooks.example.com/made-up-secret",
		"filter": "function main(stream) { return stream }", "status": "active"},
	{"name": "mints", "network": "base-mainnet", "url": "https://hooks.example.com/made-up-secret",
		"filter": "function main(stream) { return null }", "status": "paused"}]`

type declared struct {
	Name, Network, Filter string
	URL                   scalar.SecretURL
	Status                webhooks.Status // active or paused
}

func main() {
	file := flag.String("file", "webhooks.json", "the JSON `file`")
	apply := flag.Bool("apply", false, "make the changes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	changes, err := run(ctx, *file, *apply)
	if ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "webhookfile:", err)
		os.Exit(1)
	}
	if changes > 0 && !*apply {
		os.Exit(3)
	}
}

// run returns the number of webhooks to change.
func run(ctx context.Context, file string, apply bool) (changes int, err error) {
	client, err := rpcfleet.NewFromEnv()
	runs, text := []bool{apply}, []byte(example)
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		fmt.Println("No RPCFLEET_BASE_URL: using an emulator")
		service := emulator.Start()
		defer service.Close()
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
		runs = []bool{false, true, false}
	} else if err == nil {
		text, err = os.ReadFile(file)
	}
	var wanted []declared
	if err == nil {
		err = json.Unmarshal(text, &wanted)
	}
	if err == nil && len(runs) > 1 { // The account of the emulator has the first one with another filter.
		err = create(ctx, client, declared{wanted[0].Name, wanted[0].Network, "// None", wanted[0].URL, wanted[0].Status})
	}
	for i := 0; i < len(runs) && err == nil; i++ {
		changes, err = carryOut(ctx, client, wanted, runs[i])
	}
	return changes, err
}

// carryOut compares the webhooks of the account with the declared ones, and changes them if apply is set.
func carryOut(ctx context.Context, client *rpcfleet.Client, wanted []declared, apply bool) (changes int, err error) {
	ids := map[string]string{} // By name.
	for webhook, err := range client.Webhooks.All(ctx, webhooks.ListWebhooksParams{}) {
		if err != nil {
			return 0, err
		}
		ids[webhook.Name] = webhook.ID
	}
	for _, w := range wanted {
		if w.Name == "" || w.Status != webhooks.StatusActive && w.Status != webhooks.StatusPaused {
			return changes, fmt.Errorf("webhook %q needs a name, and the status active or paused", w.Name)
		}
		what := "create"
		if id, exists := ids[w.Name]; exists {
			what, err = change(ctx, client, w, id, apply)
		} else if apply {
			err = create(ctx, client, w)
		}
		if what != "" {
			changes++
			fmt.Printf("  %q: %s\n", w.Name, what) // %q escapes terminal control characters.
		}
		if err != nil {
			return changes, err
		}
	}
	fmt.Println(changes, "changes")
	return changes, nil
}

func create(ctx context.Context, client *rpcfleet.Client, w declared) error {
	_, err := client.Webhooks.Create(ctx, webhooks.CreateWebhookRequest{
		Name: w.Name, Network: w.Network, FilterFunction: webhooks.Filter(w.Filter), Status: w.Status,
		Destination: webhooks.Destination{URL: w.URL, Compression: webhooks.CompressionGzip},
	}, rpcfleet.WithCreateOnce())
	return err
}

// change compares one webhook, and returns the names of the fields that differ. A list does not have the filters.
func change(ctx context.Context, client *rpcfleet.Client, w declared, id string, apply bool) (string, error) {
	now, err := client.Webhooks.Get(ctx, id)
	if err != nil {
		return "", err
	}
	var differ []string
	var update webhooks.UpdateWebhookRequest
	if now.Network != w.Network || now.TemplateID != "" {
		return "", fmt.Errorf("webhook %q has another network or a template: neither can be changed", w.Name)
	}
	if filter := webhooks.Filter(w.Filter); now.FilterFunction != filter {
		differ, update.FilterFunction = append(differ, "filter"), &filter
	}
	if now.Destination.URL.Reveal() != w.URL.Reveal() {
		differ = append(differ, "url")
		update.Destination = &webhooks.Destination{URL: w.URL, Compression: now.Destination.Compression}
	}
	if now.Status != w.Status {
		differ, update.Status = append(differ, "status"), &w.Status
	}
	if len(differ) > 0 && apply {
		_, err = client.Webhooks.Change(ctx, id, update)
	}
	return strings.Join(differ, ", "), err
}
