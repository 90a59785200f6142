// Rpcfleet-emulator serves the whole service in memory, for programs in any language and for people who want to try it.
//
//	go run ./emulator/cmd/rpcfleet-emulator -addr 127.0.0.1:8080 -seed emulator/cmd/rpcfleet-emulator/fleet.yaml
//
// It prints its key, its address and some requests to try. Programs control it at /_emulator: see
// emulator.WithAdminAPI. It ends with SIGINT or SIGTERM, after the open requests. It exits with 0 after a signal, with
// 2 if its flags are wrong, and with 1 for any other error.
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
	set := flag.NewFlagSet("rpcfleet-emulator", flag.ContinueOnError)
	set.SetOutput(stderr)
	addr := set.String("addr", "127.0.0.1:8080", "listen on this `address`; port 0 is a free one")
	seed := set.String("seed", "", "begin with the fleet in this `file` of YAML or JSON")
	key := set.String("key", "", "use this API `key` for the administrator")
	anyAddress := set.Bool("any-address", false,
		"allow an address that other machines reach: anybody with the key can then use the emulator")
	options := []emulator.Option{emulator.WithAdminAPI()}
	set.Func("host", "let requests name this `host`, beside localhost and the address they come to; may be repeated",
		func(name string) error {
			options = append(options, emulator.WithHosts(name))
			return nil
		})
	if err := set.Parse(args); err != nil { // The set has printed it.
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	host, _, err := net.SplitHostPort(*addr)
	ip, _ := netip.ParseAddr(host)
	switch {
	case err != nil:
		err = fmt.Errorf("-addr: %w", err)
	case set.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", set.Arg(0))
	case host != "localhost" && !ip.Unmap().IsLoopback() && !*anyAddress:
		err = fmt.Errorf("-addr: %s is not a loopback address, which takes -any-address", *addr)
	}
	code := 2
	if err == nil {
		options = append(options, emulator.WithHosts(host))
		if *key != "" {
			options = append(options, emulator.WithAPIKey(*key))
		}
		code, err = 1, serve(ctx, emulator.New(options...), *addr, *seed, stdout)
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "rpcfleet-emulator: %v\n", err)
		return code
	}
	return 0
}

// graceTime is the time that open requests have at the end.
const graceTime = 10 * time.Second

func serve(ctx context.Context, service *emulator.Emulator, addr, seed string, stdout io.Writer) error {
	if seed != "" {
		if err := populate(service, seed); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", addr)
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

// populate executes the fleet in a file. An error names the file, and the request or the place in it.
func populate(service *emulator.Emulator, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var fleet []emulator.SeedRequest
	decoder := yaml.NewDecoder(bytes.NewReader(text)) // It bounds aliases and depth.
	decoder.KnownFields(true)
	if err = decoder.Decode(&fleet); err == nil || errors.Is(err, io.EOF) { // An empty file is an empty fleet.
		_, err = service.Populate(fleet...)
	}
	if err != nil {
		return fmt.Errorf("%s: %s", file, strings.Join(strings.Fields(err.Error()), " ")) // On one line.
	}
	return nil
}
