// Alertreceiver is a service that receives the webhooks of alerts: verified, each handled once, behind a bounded queue.
// See the README beside it.
//
//	go run ./examples/alertreceiver
//	RPCFLEET_DESTINATION_TOKENS=… go run ./examples/alertreceiver -listen :8080
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/cli"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const name = "alertreceiver"

// tokensVariable names the environment variable with the destination's tokens. It is the only place they come from.
const tokensVariable = "RPCFLEET_DESTINATION_TOKENS"

const about = `
Alertreceiver receives the webhooks of one destination of alerts: it verifies each delivery, handles each once, and writes
it to the output as a line of JSON. Deliveries that no worker is free for wait in a queue; a full one asks the sender for
another attempt. Ctrl-C takes no more of them and ends when those that are there are handled.

RPCFLEET_DESTINATION_TOKENS has the destination's token, or several with commas between them while it rotates. Without
it and without flags, a tour runs on an emulator.`

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return cli.Exit(stderr, name, command(ctx, args, stdout, stderr))
}

type options struct {
	listen  string
	path    string
	queue   int
	workers int
	drain   time.Duration
}

func parse(args []string, stdout io.Writer) (o options, given bool, err error) {
	flags := cli.NewFlags(name, about)
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8080", "the `address` to listen on")
	flags.StringVar(&o.path, "path", "/alerts", "the `path` of the webhook; /healthz is taken")
	flags.IntVar(&o.queue, "queue", 100, "how many deliveries may wait for a worker")
	flags.IntVar(&o.workers, "workers", 4, "how many deliveries are handled at once")
	flags.DurationVar(&o.drain, "drain", 20*time.Second, "how long the deliveries that are there may take after Ctrl-C")
	if err := flags.Parse(args, stdout); err != nil {
		return o, false, err
	}
	switch {
	case !strings.HasPrefix(o.path, "/") || o.path == healthPath || strings.ContainsAny(o.path, "{} "):
		err = cli.Usagef("-path must begin with a slash, and be no pattern and not %s", healthPath)
	case o.queue < 0:
		err = cli.Usagef("-queue must not be negative")
	case o.workers < 1:
		err = cli.Usagef("-workers must be at least 1")
	case o.drain < 0:
		err = cli.Usagef("-drain must not be negative")
	}
	return o, flags.NFlag() > 0, err
}

// tokens reads the tokens in the environment.
func tokens() (tokens []scalar.Secret) {
	for text := range strings.SplitSeq(os.Getenv(tokensVariable), ",") {
		if text = strings.TrimSpace(text); text != "" {
			tokens = append(tokens, scalar.NewSecret(text))
		}
	}
	return tokens
}

func command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, given, err := parse(args, stdout)
	if err != nil {
		return err
	}
	secrets := tokens()
	switch {
	case len(secrets) > 0:
	case given:
		return cli.Usagef("%s must have the destination's token", tokensVariable)
	default:
		return tour(ctx, stdout, stderr)
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stderr, "Listening on http://%s%s\n", listener.Addr(), o.path)
	s, err := newService(o, secrets, (&writer{out: stdout}).handle, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	return s.serve(ctx, listener)
}
