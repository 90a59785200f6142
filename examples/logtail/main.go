// Logtail follows the logs of endpoints and writes what is new as lines or as JSON, to its standard output or to a file
// in which every entry is once, however often the program is killed and started again.
//
//	go run ./examples/logtail                                       # two seconds on an emulator
//	go run ./examples/logtail -errors -o json -file errors.jsonl    # on the account in the environment, until Ctrl-C
//
// See the README beside it.
package main

import (
	"context"
	"errors"
	"io"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

const name = "logtail"

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return cli.Exit(stderr, name, tail(ctx, args, stdout, stderr))
}

func tail(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	var tour tour
	account, err := cli.Connect(stderr, tour.seed)
	if err != nil {
		return err
	}
	defer account.Close()
	if account.Emulator != nil {
		o.onEmulator()
		defer tour.start()()
	}
	to, err := open(ctx, o, stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if o.lasts > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.lasts)
		defer cancel()
	}
	return follow(ctx, account.Client, o, to, stderr)
}
