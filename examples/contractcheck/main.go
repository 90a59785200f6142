// Contractcheck reads an account and reports where the service strays from the contract that the library was made for:
// unknown members, values and statuses, what is missing, null or of another type. It only reads. The report shows no
// secret, and of what it found the kind of value alone, so that it can be pasted into an issue.
//
// With no environment set it starts the emulator on a loopback port, which keeps to the contract:
//
//	go run ./examples/contractcheck
//
// With RPCFLEET_BASE_URL and RPCFLEET_API_KEY set it reads a real account:
//
//	go run ./examples/contractcheck -endpoints 20
//	go run ./examples/contractcheck -o json >drift.json
//
// It ends with 0 where nothing strays, with 3 where something does, with 1 where something could not be read and nothing
// strays, and with 2 for wrong flags.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
)

// The codes that the program ends with.
const (
	exitClean = 0
	exitError = 1
	exitUsage = 2
	exitDrift = 3
)

// options are the flags.
type options struct {
	endpoints int
	logs      time.Duration
	output    string
}

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, _ io.Reader, out, errs io.Writer) int {
	o, err := parse(args, out)
	if err != nil {
		return cli.Exit(errs, "contractcheck", err)
	}
	report := newReport()
	client, done, err := connect(report)
	if err == nil {
		defer done()
		err = (&checker{client, report, o}).account(ctx)
	}
	if err == nil {
		err = report.write(out, o.output)
	}
	if err != nil {
		_, _ = fmt.Fprintln(errs, "contractcheck:", err)
		return exitError
	}
	return report.exitCode()
}

// parse reads the flags. Where help is asked for, it goes to out.
func parse(args []string, out io.Writer) (options, error) {
	var o options
	flags := cli.NewFlags("contractcheck", "Contractcheck reads an account and tells where the service strays from its contract.")
	flags.IntVar(&o.endpoints, "endpoints", 5, "look into `N` endpoints at most, and into as many chains, teams, destinations and notifications")
	flags.DurationVar(&o.logs, "logs", 24*time.Hour, "look at the logs of the last `time`")
	flags.StringVar(&o.output, "o", "table", "the `format` of the report: table or json")
	if err := flags.Parse(args, out); err != nil {
		return o, err
	}
	switch {
	case o.endpoints < 0:
		return o, cli.Usagef("-endpoints must not be negative")
	case o.logs <= 0:
		return o, cli.Usagef("-logs must be positive")
	case o.output != "table" && o.output != "json":
		return o, cli.Usagef("-o must be table or json")
	}
	return o, nil
}

// connect makes a client for the account in the environment, or for an emulator. The report is told of every call.
func connect(report *report) (*rpcfleet.Client, func(), error) {
	told := []rpcfleet.Option{rpcfleet.WithDrift(report.strayed), rpcfleet.WithObserver(report.called)}
	if os.Getenv("RPCFLEET_BASE_URL") != "" {
		client, err := rpcfleet.NewFromEnv(told...)
		return client, func() {}, err
	}
	server := emulator.Start()
	for range 3 {
		spec := emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Tags: []string{"fleet"}}
		if _, err := server.AddEndpoint(spec); err != nil {
			server.Close()
			return nil, nil, err
		}
	}
	client, err := rpcfleet.New(append(told, rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))...)
	return client, server.Close, err
}
