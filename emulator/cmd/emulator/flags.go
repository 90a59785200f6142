package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
)

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
