// Emulator serves the whole service in memory, for programs in any language and for people who want to try it.
//
//	go run ./emulator/cmd/emulator -addr 127.0.0.1:8080 -seed emulator/cmd/emulator/fleet.yaml
//
// It prints its key, its address and some requests to try. Programs control it at /_emulator: see emulator.WithAdminAPI.
// It ends with SIGINT or SIGTERM, after the open requests. It exits with 0 after a signal, with 2 if its flags are
// wrong, and with 1 for any other error.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // A second signal ends the program at once.
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the program until the context ends, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "emulator: %v (-help lists the flags)\n", err)
		return 2
	}
	if err := serve(ctx, f, stdout); err != nil {
		_, _ = fmt.Fprintf(stderr, "emulator: %v\n", err)
		return 1
	}
	return 0
}

// graceTime is the time that open requests have at the end.
const graceTime = 10 * time.Second

func serve(ctx context.Context, f flags, stdout io.Writer) error {
	service, err := newService(f)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: service, ReadHeaderTimeout: time.Minute}
	greet(stdout, service.APIKey, "http://"+listener.Addr().String())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
	defer cancel()
	return server.Shutdown(grace)
}

// newService makes the emulator that the flags describe.
func newService(f flags) (*emulator.Emulator, error) {
	options := []emulator.Option{emulator.WithAdminAPI(), emulator.WithHosts(f.hosts...)}
	if f.key != "" {
		options = append(options, emulator.WithAPIKey(f.key))
	}
	service := emulator.New(options...)
	if f.seed == "" {
		return service, nil
	}
	return service, populate(service, f.seed)
}

// flags are the program's flags.
type flags struct {
	addr, seed, key string
	hosts           []string
	anyAddress      bool
}

// parse parses the flags. For -help it prints them, and returns flag.ErrHelp.
func parse(args []string, stdout io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("emulator", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on this `address`; port 0 is a free one")
	set.StringVar(&f.seed, "seed", "", "begin with the fleet in this `file` of YAML or JSON")
	set.StringVar(&f.key, "key", "", "use this API `key` for the administrator")
	set.Func("host", "let requests name this `host`, beside localhost and the address they come to; may be repeated",
		func(name string) error {
			f.hosts = append(f.hosts, name)
			return nil
		})
	set.BoolVar(&f.anyAddress, "any-address", false,
		"allow an address that other machines reach: anybody with the key can then use the emulator")
	err := set.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		set.SetOutput(stdout)
		set.Usage()
		return f, err
	case err != nil:
		return f, err
	case set.NArg() > 0:
		return f, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	host, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return f, fmt.Errorf("-addr: %w", err)
	}
	f.hosts = append(f.hosts, host)
	ip, err := netip.ParseAddr(host)
	if loopback := host == "localhost" || err == nil && ip.Unmap().IsLoopback(); !loopback && !f.anyAddress {
		return f, fmt.Errorf("-addr: %s is not a loopback address, which takes -any-address", f.addr)
	}
	return f, nil
}

// greet prints the key, the address, and some requests to try.
func greet(to io.Writer, key, address string) {
	quoted := "'" + strings.ReplaceAll("x-api-key: "+key, "'", `'\''`) + "'" // For a shell.
	_, _ = fmt.Fprintf(to, `key      %[1]s
address  %[2]s
control  %[2]s/_emulator/faults and /_emulator/calls

curl -H %[3]s %[2]s/v0/endpoints
curl -H %[3]s -H 'Content-Type: application/json' -d '{"chain":"base","network":"base-mainnet"}' %[2]s/v0/endpoints
curl -H %[3]s -H 'Content-Type: application/json' -d '{"query":"{ethereum{collections(first:3){edges{node{name address}}}}}"}' %[2]s/graphql

The next list of endpoints fails then:
curl -H %[3]s -d '{"operation":"listEndpoints","times":1,"status":429}' %[2]s/_emulator/faults

`, key, address, quoted)
}

// mergeKey matches a key that a small file can use to take minutes.
var mergeKey = regexp.MustCompile(`<<["']?\s*:`)

// populate executes the fleet in a file. An error names the file, and the request or the place in it.
func populate(service *emulator.Emulator, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var fleet []emulator.Request
	if mergeKey.Match(text) {
		err = errors.New("merge keys are not supported")
	} else {
		decoder := yaml.NewDecoder(bytes.NewReader(text)) // It bounds aliases and depth.
		decoder.KnownFields(true)
		err = decoder.Decode(&fleet)
	}
	if err == nil || errors.Is(err, io.EOF) { // An empty file is an empty fleet.
		_, err = service.Populate(fleet...)
	}
	if err != nil {
		return fmt.Errorf("%s: %s", file, strings.Join(strings.Fields(err.Error()), " ")) // On one line.
	}
	return nil
}
