// Costguard holds the credits that the endpoints of each tag have used against a budget: it says how much of it is
// used, warns from a share on, and pauses the endpoints of a tag that is over its budget where it is told to.
//
//	go run ./examples/costguard                                       # a tour on an emulator
//	go run ./examples/costguard -budget production=5000000 -warn 80   # on the account in the environment
//
// See the README beside it.
package main

import (
	"context"
	"io"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

const name = "costguard"

var errNoBudget = cli.Usagef("name a budget: -budget tag=credits, or -file")

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return cli.Exit(stderr, name, command(ctx, args, stdout, stderr))
}

func command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	guards := len(o.budgets) > 0
	if len(args) > 0 && !guards {
		return errNoBudget
	}
	account, err := cli.Connect(stderr, seed)
	if err != nil {
		return err
	}
	defer account.Close()
	switch {
	case guards:
		return guard(ctx, account.Client, o, stdout, stderr)
	case account.Emulator != nil:
		return tour(ctx, account.Client, o, stdout, stderr)
	}
	return errNoBudget
}
