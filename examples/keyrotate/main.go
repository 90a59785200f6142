// Keyrotate replaces tokens of endpoints: it creates new ones, passes them to a hook, waits, and deletes the old ones.
//
//	go run ./examples/keyrotate
//	go run ./examples/keyrotate -tag production -overlap 1h -hook ./hand-over
//
// The hook gets {"endpoint": …, "token": …} on its standard input. The first failure stops the rotation. If it is run
// again, it continues: the state file contains the ids of the old tokens, and the hook may get a new token once more.
//
// RPCFLEET_BASE_URL and RPCFLEET_API_KEY select the account. If RPCFLEET_BASE_URL is not set, it runs on an emulator.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	path    = flag.String("state", "keyrotate.state", "the `file` that keeps how far the rotation is")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx)
	if ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	}
	if err != nil {
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
		*hook, *overlap, *path = "whoami", time.Second, fmt.Sprintf("%s/keyrotate-%d", os.TempDir(), os.Getpid())
		client, err = rpcfleet.New(rpcfleet.WithBaseURL(service.URL), rpcfleet.WithAPIKey(service.APIKey))
	}
	if err == nil {
		_, err = exec.LookPath(*hook) // Before a token is created that could not be passed on.
	}
	if err != nil {
		return err
	}
	old := map[string][]string{} // The state: the ids of the tokens to delete, by endpoint.
	if text, err := os.ReadFile(*path); err == nil && json.Unmarshal(text, &old) != nil {
		return fmt.Errorf("%s is not the state of a rotation", *path)
	}
	var ids []string
	for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{TagLabels: []string{*tag}}) {
		if err == nil {
			err = replace(ctx, client.Security, endpoint.ID, old)
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
		tokens, err := client.Security.FindCreatedToken(ctx, id)
		for _, token := range old[id] {
			if err == nil && slices.Contains(tokens.IDs(), token) { // An earlier run may have deleted it.
				err = client.Security.DeleteToken(ctx, id, token)
			}
		}
		if err != nil {
			return fmt.Errorf("endpoint %q: %w (run it again to go on)", id, err)
		}
	}
	fmt.Println("The old tokens are deleted")
	return os.Remove(*path)
}

// replace creates the new token of an endpoint, unless an earlier run did, and passes it to the hook.
func replace(ctx context.Context, security *rpcfleet.SecurityService, id string, old map[string][]string) error {
	tokens, err := security.FindCreatedToken(ctx, id) // All tokens of the endpoint.
	if _, begun := old[id]; err == nil && !begun {
		old[id] = tokens.IDs()
		err = save(old)
	}
	if err != nil {
		return err
	}
	if len(tokens.Exclude(old[id]...).Records) == 0 {
		// The response may be lost. The endpoint's tokens show whether there is a new one.
		if _, err = security.CreateToken(ctx, id); err == nil || errors.Is(err, rpcfleet.ErrOutcomeUnknown) {
			tokens, err = security.FindCreatedToken(ctx, id)
		}
		if err != nil {
			return err
		}
	}
	created := tokens.Exclude(old[id]...)
	if len(created.Records) != 1 || created.Records[0].Token.IsZero() {
		return fmt.Errorf("its new token is not there, or is one of %q", created.IDs())
	}
	message, _ := json.Marshal(map[string]string{"endpoint": id, "token": created.Records[0].Token.Reveal()})
	command := exec.CommandContext(ctx, *hook)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(message), os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("the hook: %w", err)
	}
	return nil
}

// save writes the state atomically.
func save(old map[string][]string) error {
	text, err := json.Marshal(old)
	if err == nil {
		err = os.WriteFile(*path+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(*path+".new", *path)
	}
	return err
}
