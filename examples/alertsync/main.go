// Alertsync keeps the alerts of an account as a YAML file says: destinations, and the notifications that deliver to
// them. It tries every expression, shows what it would create and update, and does so with -apply. Running it again
// changes nothing.
//
// Names are the keys, and the file is all that it knows: what the file does not name it neither changes nor deletes,
// and what the file no longer names stays. A destination cannot be changed by the service, so that one which differs
// from the file is an error: give it a new name, and delete the old one by hand once nothing needs it.
//
// With no environment set it starts the emulator on a loopback port and applies a bundled file twice:
//
//	go run ./examples/alertsync
//
// With RPCFLEET_BASE_URL and RPCFLEET_API_KEY set it talks to a real account:
//
//	go run ./examples/alertsync -file alerts.yaml
//	go run ./examples/alertsync -file alerts.yaml -apply
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

//go:embed alerts.yaml
var bundled []byte

func main() { cli.Main(run) }

// run returns the code that the program ends with.
func run(ctx context.Context, args []string, _ io.Reader, out, errs io.Writer) int {
	flags := cli.NewFlags("alertsync", "Alertsync makes an account's alerts what a YAML file says. It prints its plan, and writes with -apply alone.")
	path := flags.String("file", "", "the YAML `file`")
	apply := flags.Bool("apply", false, "create and update what differs")
	err := flags.Parse(args, out)
	if err == nil {
		err = synchronize(ctx, log.New(out, "", 0), *path, *apply)
	}
	return cli.Exit(errs, "alertsync", err)
}

// synchronize applies the file to the account in the environment, or to an emulator.
func synchronize(ctx context.Context, out *log.Logger, path string, apply bool) error {
	onEmulator := os.Getenv("RPCFLEET_BASE_URL") == ""
	content := bundled
	if path != "" {
		var err error
		if content, err = os.ReadFile(path); err != nil {
			return err
		}
	} else if !onEmulator {
		return cli.Usagef("name a file with -file")
	}
	want, err := read(content)
	if err != nil {
		return err
	}
	if onEmulator {
		return twice(ctx, out, want)
	}
	client, err := rpcfleet.NewFromEnv()
	if err != nil {
		return err
	}
	_, err = reconcile(ctx, out, client, want, apply)
	return err
}

// twice applies the file to a fresh emulator, and applies it again to show that nothing is left to do.
func twice(ctx context.Context, out *log.Logger, want *file) error {
	server := emulator.Start()
	defer server.Close()
	out.Println("No RPCFLEET_BASE_URL: using an emulator at", server.URL)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
	if err != nil {
		return err
	}
	if _, err := reconcile(ctx, out, client, want, true); err != nil {
		return err
	}
	out.Println("\nOnce more:")
	changes, err := reconcile(ctx, out, client, want, true)
	if err == nil && changes > 0 {
		err = fmt.Errorf("the second run made %d changes", changes)
	}
	return err
}

// reconcile makes the account what the file says, or with apply unset only shows how. It returns the number of changes.
func reconcile(ctx context.Context, out *log.Logger, client *rpcfleet.Client, want *file, apply bool) (int, error) {
	if err := try(ctx, out, client, want); err != nil {
		return 0, err
	}
	steps, err := compare(ctx, client, want)
	if err != nil {
		return 0, err
	}
	changes := show(out, steps)
	if changes == 0 || !apply {
		return changes, nil
	}
	for _, s := range steps {
		if s.change == nil {
			continue
		}
		if err := s.change(ctx); err != nil {
			return changes, fmt.Errorf("%s %s: %w (what was done before stays done: run again to go on)", s.verb, s.what, err)
		}
	}
	out.Println("Applied.")
	return changes, nil
}
