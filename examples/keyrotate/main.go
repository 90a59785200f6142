// Keyrotate replaces the tokens of a fleet's endpoints, with an overlap: it creates the new token, hands it over through
// a command of yours, waits, and removes the old ones. See the README beside it.
//
//	go run ./examples/keyrotate
//	go run ./examples/keyrotate -tag production -hook ./hand-over -overlap 1h -yes
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

const name = "keyrotate"

const about = `
Keyrotate replaces the tokens of endpoints: it creates a new token, hands it over to a command, waits, and removes the
old ones. Without -yes it only says what it would do. Stopped at any moment, it goes on where it was when it is run
again: the state file has ids and no secrets. RPCFLEET_BASE_URL and RPCFLEET_API_KEY name the account. With neither of
them set, and without flags, a tour runs on an emulator.`

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return cli.Exit(stderr, name, command(ctx, args, stdout, stderr))
}

type options struct {
	selection
	hook        string
	hookTimeout time.Duration
	overlap     time.Duration
	state       string
	yes         bool
	format      *cli.Format
	given       bool
}

func parse(args []string, stdout io.Writer) (*options, error) {
	var o options
	var ids string
	flags := cli.NewFlags(name, about)
	flags.BoolVar(&o.all, "all", false, "rotate all endpoints")
	flags.StringVar(&o.tag, "tag", "", "rotate the endpoints with this `tag`")
	flags.StringVar(&ids, "ids", "", "rotate the endpoints with these `ids`, separated by commas")
	flags.StringVar(&o.hook, "hook", "", "the `command` that gets each new token as JSON on its input; it is split at spaces, and no shell is involved")
	flags.DurationVar(&o.hookTimeout, "hook-timeout", time.Minute, "how long the hook may take for an endpoint")
	flags.DurationVar(&o.overlap, "overlap", time.Hour, "how long the old tokens stay after the new one was handed over")
	flags.StringVar(&o.state, "state", "keyrotate.state", "the `file` that keeps how far the rotation is")
	flags.BoolVar(&o.yes, "yes", false, "do it")
	o.format = flags.Format(cli.FormatTable, cli.FormatJSON, cli.FormatCSV)
	if err := flags.Parse(args, stdout); err != nil {
		return nil, err
	}
	o.ids = strings.FieldsFunc(ids, func(r rune) bool { return r == ',' || r == ' ' })
	o.given = flags.NFlag() > 0
	return &o, o.check()
}

func (o *options) check() error {
	switch {
	case !o.given:
		return nil
	case o.count() != 1:
		return cli.Usagef("name the endpoints by one of -all, -tag and -ids")
	case o.yes && len(strings.Fields(o.hook)) == 0:
		return cli.Usagef("-yes needs a -hook: without one, nobody would get the new tokens")
	case o.overlap < 0:
		return cli.Usagef("-overlap must not be negative")
	case o.hookTimeout <= 0:
		return cli.Usagef("-hook-timeout must be more than zero")
	case o.state == "":
		return cli.Usagef("-state must name a file")
	}
	return nil
}

func command(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	account, err := cli.Connect(stderr, seed)
	if err != nil {
		return err
	}
	defer account.Close()
	if !o.given {
		if account.Emulator == nil {
			return cli.Usagef("name the endpoints by one of -all, -tag and -ids")
		}
		return tour(ctx, account.Client, stdout, stderr)
	}
	info, err := account.Client.Account.Info(ctx)
	if err != nil {
		return err
	}
	journal, err := openJournal(o.state, info.ID, o.yes)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	hook := &hook{strings.Fields(o.hook), o.hookTimeout}
	r := &rotation{
		client: account.Client, journal: journal, handOver: hook.run, overlap: o.overlap, settle: 10 * time.Second,
		say: func(format string, arguments ...any) { _, _ = fmt.Fprintf(stderr, format+"\n", arguments...) },
	}
	if err := r.begin(ctx, o.selection); err != nil {
		return err
	}
	if o.yes {
		err = r.run(ctx)
	}
	return errors.Join(r.show(stdout, *o.format), err)
}
