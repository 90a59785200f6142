// Fleetascode makes an account what a YAML file declares: endpoints with tags, security and rate limits, teams, and
// alerts. See the README beside it.
package main

import (
	"context"
	"io"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

const name = "fleetascode"

const about = `
Fleetascode makes an account what a YAML file declares: endpoints with tags, security and rate limits, teams, and
alerts.

  fleetascode plan   says what apply would do
  fleetascode apply  does it, with -yes; running it again changes nothing
  fleetascode drift  says where the account differs from the file, and ends with 3 where it does
  fleetascode adopt  writes the file of the account as it is

Each explains itself with -h. RPCFLEET_BASE_URL and RPCFLEET_API_KEY name the account. With neither of them set, a
command works on an emulator, which ends with it; without a command, a tour of all of them runs there.`

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return cli.Exit(stderr, name, command(ctx, args, stdout, stderr))
}

func command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	commands := map[string]func(context.Context, []string, io.Writer, io.Writer) error{
		"plan": runPlan, "apply": runApply, "drift": runDrift, "adopt": runAdopt,
	}
	if len(args) > 0 && commands[args[0]] != nil {
		return commands[args[0]](ctx, args[1:], stdout, stderr)
	}
	if err := cli.NewFlags(name, about).Parse(args, stdout); err != nil {
		return err
	}
	return tour(ctx, stdout, stderr)
}
