package main

import (
	"cmp"
	_ "embed"
	"io"
	"os"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/contrib/pacer"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// bundled is the file where none is named.
//
//go:embed fleet.yaml
var bundled []byte

// options are the flags of a command.
type options struct {
	path, statePath string
	parallel        int
	settle          time.Duration
	prune, yes      bool
	format          *cli.Format
}

// flags adds the flags that all commands have.
func (o *options) flags(command, about string) *cli.Flags {
	flags := cli.NewFlags(name+" "+command, about)
	flags.IntVar(&o.parallel, "parallel", 24, "do `N` things at a time at most")
	return flags
}

// fileFlags adds the flags of the commands that read a file.
func (o *options) fileFlags(flags *cli.Flags) {
	flags.StringVar(&o.path, "file", "", "the YAML `file`; on an emulator, an example stands in for it")
	flags.StringVar(&o.statePath, "state", "", "the `file` that apply keeps its state in (FILE.state.json unless set)")
	o.format = flags.Format(cli.FormatTable, cli.FormatJSON, cli.FormatCSV)
}

// parse reads the flags and checks them.
func (o *options) parse(flags *cli.Flags, args []string, stdout io.Writer) error {
	if err := flags.Parse(args, stdout); err != nil {
		return err
	}
	switch {
	case o.parallel < 1:
		return cli.Usagef("-parallel must be at least 1")
	case o.settle < 0:
		return cli.Usagef("-settle must not be negative")
	}
	return nil
}

// connect makes a client that keeps within the limits which the service tells of.
func connect(stderr io.Writer) (*cli.Account, error) {
	return cli.Connect(stderr, seed, rpcfleet.WithPacer(new(pacer.Adaptive)), rpcfleet.WithUserAgent(name))
}

// open connects to the account, and reads the file and the state.
func (o *options) open(stderr io.Writer) (*planner, *cli.Account, error) {
	account, err := connect(stderr)
	if err != nil {
		return nil, nil, err
	}
	p, err := o.planner(account)
	if err != nil {
		account.Close()
		return nil, nil, err
	}
	return p, account, nil
}

func (o *options) planner(account *cli.Account) (*planner, error) {
	if o.path == "" && account.Emulator == nil {
		return nil, cli.Usagef("name a file with -file")
	}
	var f *fleet
	var err error
	if o.path == "" {
		f, err = read(bundled, os.Getenv)
	} else {
		f, err = load(o.path)
		o.statePath = cmp.Or(o.statePath, o.path+".state.json")
	}
	if err != nil {
		return nil, err
	}
	s, err := openState(o.statePath)
	if err != nil {
		return nil, err
	}
	return newPlanner(account.Client, f, s, o.parallel, o.settle), nil
}
