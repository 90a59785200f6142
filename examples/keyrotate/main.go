// Keyrotate replaces tokens of endpoints: it creates new ones, passes them to a hook, waits, and deletes the old ones.
//
//	go run ./examples/keyrotate
//	go run ./examples/keyrotate -tag production -overlap 1h -hook ./hand-over
//
// The hook gets {"endpoint": …, "token": …} on its standard input. The first failure stops the rotation. If it is run
// again, it continues: files in the state folder contain the ids of the old tokens and of the new one of each endpoint,
// and the hook may get a new token once more.
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

var (
	tag     = flag.String("tag", "production", "rotate the tokens of the endpoints with this `tag`")
	hook    = flag.String("hook", "./hand-over", "the `command` that takes new tokens over")
	overlap = flag.Duration("overlap", time.Hour, "how long the old tokens stay")
	state   = flag.String("state", ".", "the `folder` of the files that keep how far the rotation is")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "keyrotate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	client, err := rpcfleet.NewFromEnv()
	if os.Getenv("RPCFLEET_BASE_URL") == "" {
		fmt.Println("No RPCFLEET_BASE_URL: using an emulator")
		service := emulator.Start()
		_, _ = service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Tags: []string{*tag}})
		*hook, *overlap = "whoami", time.Second
		if *state, err = os.MkdirTemp("", "keyrotate"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(*state) }()
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	}
	if err == nil {
		_, err = exec.LookPath(*hook) // Before a token is created that could not be passed on.
	}
	if err != nil {
		return err
	}
	store, old := rpcfleet.FileCheckpointStore{Dir: *state}, map[string][]string{}
	saved, err := store.Load(ctx, "keyrotate") // The ids of the tokens to delete, by endpoint.
	if err == nil && !saved.IsZero() {
		err = json.Unmarshal([]byte(saved.Metadata), &old)
	}
	if err != nil {
		return err
	}
	var ids []string
	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{TagLabels: []string{*tag}}) {
		if err == nil {
			err = replace(ctx, client.Security, store, endpoint.ID, old)
		}
		if err != nil {
			return fmt.Errorf("endpoint %q: %w (run it again to go on)", endpoint.ID, err)
		}
		fmt.Printf("Endpoint %q has a new token\n", endpoint.ID)
		ids = append(ids, endpoint.ID)
	}
	if len(ids) == 0 {
		return fmt.Errorf("no endpoint has the tag %q", *tag)
	}
	fmt.Printf("The old tokens stay for %s\n", *overlap)
	select {
	case <-time.After(*overlap):
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, id := range ids {
		tokens, err := client.Security.Tokens(ctx, id)
		for _, token := range tokens {
			if err == nil && slices.Contains(old[id], token.ID) { // An earlier run may have deleted it.
				err = client.Security.DeleteToken(ctx, id, token.ID)
			}
		}
		if err != nil {
			return fmt.Errorf("endpoint %q: %w (run it again to go on)", id, err)
		}
	}
	fmt.Println("The old tokens are deleted")
	return store.Save(ctx, "keyrotate", rpcfleet.Checkpoint{})
}

// replace creates the new token of an endpoint, unless an earlier run did, and passes it to the hook.
func replace(ctx context.Context, security *rpcfleet.SecurityService, store rpcfleet.FileCheckpointStore, id string,
	old map[string][]string) error {
	if _, begun := old[id]; !begun {
		tokens, err := security.Tokens(ctx, id)
		if err != nil {
			return err
		}
		old[id] = []string{""}
		for _, token := range tokens {
			old[id] = append(old[id], token.ID)
		}
		state, _ := json.Marshal(old)
		if err := store.Save(ctx, "keyrotate", rpcfleet.Checkpoint{Metadata: string(state)}); err != nil {
			return err
		}
	}
	// A later rotation has other old tokens, and so another name.
	name := fmt.Sprintf("keyrotate %s after %s", id, slices.Max(old[id]))
	created, err := security.CreateToken(ctx, id, rpcfleet.WithCreateJournal(store, name))
	if err != nil {
		return err
	}
	message, _ := json.Marshal(map[string]string{"endpoint": id, "token": created.Token.Reveal()})
	command := exec.CommandContext(ctx, *hook)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(message), os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("the hook: %w", err)
	}
	return nil
}
