// Walletwatch has the transactions of a set of wallets delivered. The wallets are in a file, and may change while it
// runs: the webhook reads them from a Key-Value list, which is kept equal to the file.
//
//	go run ./examples/walletwatch
//	SECURITY_TOKEN=... go run ./examples/walletwatch -file wallets.txt -url https://hooks.example.com/wallets
//
// The file has one address on a line. SECURITY_TOKEN is the secret that deliveries are signed with, which the receiver
// at the URL needs too (see the example webhookreceiver).
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator in
// its own process, which loses the response to the create, and receives the deliveries itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// The name of the webhook is also the key of the list.
const name, network = "walletwatch", "ethereum-mainnet"

func main() {
	file := flag.String("file", "", "the `file` with the addresses")
	address := flag.String("url", "", "the `URL` of the receiver")
	every := flag.Duration("every", 10*time.Second, "the `time` between two looks at the file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		err = demonstrate(ctx)
	} else {
		err = watch(ctx, *file, *address, *every)
	}
	if ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "walletwatch:", err)
		os.Exit(1)
	}
}

// watch keeps the list equal to the file until the context ends. The webhook stays.
func watch(ctx context.Context, file, address string, every time.Duration) error {
	token := scalar.NewSecret(os.Getenv("SECURITY_TOKEN"))
	if file == "" || address == "" || every <= 0 {
		return errors.New("set -file and -url, and a time of more than zero")
	}
	client, err := rpcfleet.NewFromEnv()
	if err != nil {
		return err
	}
	for created := false; ; created = true {
		text, err := os.ReadFile(file)
		if len(strings.Fields(string(text))) > 0 { // An empty file may be one that is being written.
			err = keep(ctx, client, strings.Fields(string(text)))
		}
		if err == nil && !created {
			err = create(ctx, client, address, token)
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

// keep makes the list equal to the wallets. The webhook need not be touched.
func keep(ctx context.Context, client *rpcfleet.Client, wallets []string) error {
	change, err := client.KeyValue.SetList(ctx, name, slices.Values(wallets))
	if len(change.AddItems)+len(change.RemoveItems) > 0 { // Also before an error.
		fmt.Printf("Wallets added: %q, removed: %q\n", change.AddItems, change.RemoveItems)
	}
	return err
}

// create creates the webhook if an earlier run has not.
func create(ctx context.Context, client *rpcfleet.Client, address string, token scalar.Secret) error {
	for webhook, err := range client.Webhooks.All(ctx, webhooks.ListWebhooksParams{}) {
		if err != nil {
			return err
		}
		if webhook.Name == name && webhook.Network == network {
			return nil
		}
	}
	webhook, err := client.Webhooks.CreateFromTemplate(ctx, webhooks.EVMWalletFilter{WalletsListName: name},
		webhooks.CreateFromTemplateRequest{Name: name, Network: network, Destination: webhooks.Destination{
			URL: scalar.NewSecretURL(address), SecurityToken: token, Compression: webhooks.CompressionGzip,
		}}, rpcfleet.WithCreateOnce())
	if err != nil {
		return err
	}
	fmt.Printf("Webhook %q is there, once\n", webhook.ID)
	return nil
}

// demonstrate changes the wallets between blocks of an emulator.
func demonstrate(ctx context.Context) error {
	fmt.Println("No RPCFLEET_BASE_URL: using an emulator")
	service := emulator.Start(emulator.WithFaults(
		emulator.Fault{Operation: "createWebhookFromTemplate", Times: 1, Effect: emulator.EffectLoseResponse}))
	defer service.Close()
	client, failed := rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	token := scalar.NewSecret("qnsec_made-up")
	verifier, err := webhooks.NewVerifier([]scalar.Secret{token})
	if err = errors.Join(failed, err); err != nil {
		return err
	}
	receiver, err := webhooks.NewReceiver(verifier, func(_ context.Context, delivery *webhooks.Delivery) error {
		fmt.Printf("Delivery %.60q\n", delivery.Payload)
		return nil
	})
	if err != nil {
		return err
	}
	server := httptest.NewServer(receiver)
	defer server.Close()
	for i, last := range []string{"7", "2"} { // The last digit of an address is the last of a block with it.
		err := keep(ctx, client, []string{"0x" + strings.Repeat("0", 39) + last})
		if err == nil && i == 0 {
			err = create(ctx, client, server.URL, token)
		}
		if err == nil {
			_, err = service.DeliverBlocks(ctx, network, []int64{8, 12}[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
