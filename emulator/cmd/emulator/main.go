// Emulator serves the whole service in memory, for programs in any language and for people who want to look around.
//
//	go run ./emulator/cmd/emulator -addr 127.0.0.1:8080 -seed emulator/cmd/emulator/fleet.yaml
//
// It prints its key, its address and three requests to begin with. A page at the address shows the state in a browser.
// Programs inject faults at /_emulator/faults, and see what was asked at /_emulator/calls: see emulator.WithControl.
// It ends with SIGINT or SIGTERM, after the requests that are under way; with -snapshot it saves the state then, and
// begins with it the next time. It exits with 0 when it was told to end, with 2 when its flags are wrong, and with 1 when
// something else is.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // A second signal ends the program at once.
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The program's exit codes.
const (
	ended  = 0
	failed = 1
	misled = 2
)

// run is the program. It ends when the context does.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return ended
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "emulator: %v (-help lists the flags)\n", err)
		return misled
	}
	if err := serve(ctx, f, stdout, stderr); err != nil {
		_, _ = fmt.Fprintf(stderr, "emulator: %v\n", err)
		return failed
	}
	return ended
}

// graceTime is how long requests that are under way have at the end.
const graceTime = 10 * time.Second

func serve(ctx context.Context, f flags, stdout, stderr io.Writer) error {
	service, err := begin(f, stderr)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: service, ReadHeaderTimeout: time.Minute}
	greet(stdout, service.APIKey, "http://"+listener.Addr().String())
	over := make(chan error, 1)
	go func() { over <- server.Serve(listener) }()
	select {
	case err := <-over:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	err = server.Shutdown(grace)
	if f.snapshot != "" {
		err = errors.Join(err, service.SaveSnapshot(f.snapshot))
	}
	return err
}

// begin makes an emulator that has what the flags ask for.
func begin(f flags, stderr io.Writer) (*emulator.Emulator, error) {
	options := []emulator.Option{emulator.WithPage(), emulator.WithControl(), emulator.WithHosts(f.hosts...)}
	if f.key != "" {
		options = append(options, emulator.WithAPIKey(f.key))
	}
	if !f.quiet {
		options = append(options, emulator.WithObserver(printer(stderr)))
	}
	service := emulator.New(options...)
	if f.snapshot != "" {
		err := service.RestoreSnapshot(f.snapshot)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return service, err
		}
	}
	if f.seed == "" {
		return service, nil
	}
	return service, populate(service, f.seed)
}

// printer prints a line for each request. A query may hold anything, and is left out.
func printer(to io.Writer) func(emulator.Exchange) {
	var mu sync.Mutex
	return func(x emulator.Exchange) {
		address, err := url.ParseRequestURI(x.URL)
		if err != nil {
			address = &url.URL{}
		}
		mu.Lock()
		defer mu.Unlock()
		_, _ = fmt.Fprintf(to, "%s %s %d\n", x.Method, address.EscapedPath(), x.Status)
	}
}

// flags are what the program was asked for.
type flags struct {
	addr, seed, snapshot, key string
	hosts                     []string

	anyAddress, quiet bool
}

const controlHelp = `
Faults and calls, over HTTP and with the key in X-Api-Key:
  POST   /_emulator/faults        inject a fault: {"operation":"listEndpoints","times":1,"status":429}
  GET    /_emulator/faults        list the faults; DELETE ends them all
  DELETE /_emulator/faults/{id}   end one
  GET    /_emulator/calls         list the calls so far; ?operation=... picks some; DELETE forgets them
The comments of package emulator describe a fault's members.
`

// parse reads the flags. The error is flag.ErrHelp where the caller asked for help, which is written then.
func parse(args []string, stdout io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("emulator", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on this `address`; port 0 is a free one")
	set.StringVar(&f.seed, "seed", "", "begin with the fleet in this `file` of YAML, or of JSON where it ends with .json")
	set.StringVar(&f.snapshot, "snapshot", "", "begin with the state in this `file` where there is one, in place of -seed, and save the state to it at the end")
	set.StringVar(&f.key, "key", "", "take this API `key` for the administrator's")
	set.Func("host", "let requests name this `host`, beside localhost and the address they come to; may be repeated", func(name string) error {
		f.hosts = append(f.hosts, name)
		return nil
	})
	set.BoolVar(&f.anyAddress, "any-address", false, "allow an address that other machines reach: anybody with the key can then use the emulator, and without it look at its page")
	set.BoolVar(&f.quiet, "quiet", false, "do not print a line for each request")
	err := set.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		set.SetOutput(stdout)
		set.Usage()
		_, _ = io.WriteString(stdout, controlHelp)
		return f, err
	case err != nil:
		return f, err
	case set.NArg() > 0:
		return f, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	return f, f.checkAddress()
}

func (f *flags) checkAddress() error {
	host, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return fmt.Errorf("-addr: %w", err)
	}
	f.hosts = append(f.hosts, host)
	ip, err := netip.ParseAddr(host)
	loopback := host == "localhost" || err == nil && ip.Unmap().IsLoopback()
	if !loopback && !f.anyAddress {
		return fmt.Errorf("-addr: %s is not a loopback address, which takes -any-address", f.addr)
	}
	return nil
}

// greet prints what a caller needs, and requests to begin with.
func greet(to io.Writer, key, address string) {
	header := quote("x-api-key: " + key)
	_, _ = fmt.Fprintf(to, `key      %[1]s
address  %[2]s
page     %[2]s/
control  %[2]s/_emulator/faults and /_emulator/calls

curl -H %[3]s %[2]s/v0/endpoints
curl -H %[3]s -H 'Content-Type: application/json' -d '{"chain":"base","network":"base-mainnet"}' %[2]s/v0/endpoints
curl -H %[3]s -H 'Content-Type: application/json' -d '{"query":"{ethereum{collections(first:3){edges{node{name address}}}}}"}' %[2]s/graphql

The next list of endpoints fails then:
curl -H %[3]s -d '{"operation":"listEndpoints","times":1,"status":429}' %[2]s/_emulator/faults

`, key, address, header)
}

// quote quotes a text for a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
