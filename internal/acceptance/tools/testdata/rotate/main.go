// Rotate replaces the tokens of the endpoints with a tag: it writes each new one into a file ENDPOINT.OLDTOKEN, waits,
// and deletes the old ones. Without -apply it only prints the plan. If it fails or is killed, the next run in the same
// folder continues.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

var (
	tag     = flag.String("tag", "production", "rotate the tokens of endpoints with this `tag`")
	overlap = flag.Duration("overlap", 10*time.Minute, "how long the old tokens stay valid")
	apply   = flag.Bool("apply", false, "rotate the tokens")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); ctx.Err() != nil {
		os.Exit(130) // Ctrl-C
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "rotate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	client, err := rpcfleet.NewFromEnv(rpcfleet.WithPacer(rpcfleet.PlanBuild.NewPacer()))
	if err != nil {
		return err
	}
	store, key := rpcfleet.FileCheckpointStore{}, "rotation of "+*tag
	saved, err := store.Load(ctx, key)
	if err != nil {
		return err
	}
	old := map[string]string{}                               // Endpoints by the ids of their old tokens.
	if json.Unmarshal([]byte(saved.Metadata), &old) != nil { // There is no unfinished rotation.
		for e, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{TagLabels: []string{*tag}}) {
			if err != nil {
				return err
			}
			tokens, err := client.Security.Tokens(ctx, e.ID)
			if err != nil {
				return fmt.Errorf("endpoint %s: %w", e.ID, err)
			}
			for _, token := range tokens {
				old[token.ID] = e.ID
			}
		}
	}
	if len(old) == 0 {
		return fmt.Errorf("no endpoint with the tag %q has a token", *tag)
	}
	if fmt.Println("replace these tokens of endpoints:", old); !*apply {
		return nil
	}
	state, _ := json.Marshal(old)
	if err := store.Save(ctx, key, rpcfleet.Checkpoint{Metadata: string(state)}); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(old)) { // In one order, so that an unfinished create ends first.
		endpoint := old[id]
		token, err := client.Security.CreateToken(ctx, endpoint, rpcfleet.WithCreateJournal(store, "successor of "+id))
		if err == nil {
			fmt.Printf("endpoint %s: token %s replaces %s\n", endpoint, token.ID, id)
			err = os.WriteFile(endpoint+"."+id, []byte(token.Token.Reveal()), 0o600)
		}
		if err != nil {
			return fmt.Errorf("endpoint %s: %w", endpoint, err)
		}
	}
	fmt.Printf("the old tokens stay valid for %s\n", *overlap)
	pause, end := context.WithTimeout(ctx, *overlap)
	defer end()
	<-pause.Done()
	for id, endpoint := range old {
		tokens, err := client.Security.Tokens(ctx, endpoint)
		if slices.ContainsFunc(tokens, func(t admin.EndpointToken) bool { return t.ID == id }) {
			fmt.Printf("endpoint %s: delete token %s\n", endpoint, id)
			err = client.Security.DeleteToken(ctx, endpoint, id)
		}
		if err != nil {
			return fmt.Errorf("endpoint %s: %w", endpoint, err)
		}
	}
	return store.Save(ctx, key, rpcfleet.Checkpoint{})
}
