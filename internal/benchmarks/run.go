package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/server"
)

// settings holds the command line.
type settings struct {
	protocols, encodings []string
	payloads             []payload.Payload
	contestants          []contestant.Contestant
	rounds               int
	batch                time.Duration
	seed                 uint64
	clock                string
	// decoders compares decoders instead of calls.
	decoders bool
	// page is the file to write the tables into.
	page string
}

// run executes a command line.
func run(args []string, out io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	if s.decoders {
		return s.compareDecoders(out)
	}
	origin, err := server.Start()
	if err != nil {
		return err
	}
	defer func() { _ = origin.Close() }()
	var tables []table
	for _, protocol := range s.protocols {
		for _, encoding := range s.encodings {
			field := newField(origin, protocol, encoding)
			if tables, err = s.printAll(tables, field, out); err != nil {
				return fmt.Errorf("%s, %s: %w", protocol, encoding, err)
			}
		}
	}
	return s.finish(tables, out)
}

// printAll measures everything on a field, prints its table and adds it to the others.
func (s settings) printAll(tables []table, f field, out io.Writer) ([]table, error) {
	t, err := s.measureAll(f)
	if err == nil {
		_, err = fmt.Fprintf(out, "### %s\n\n%s\n", t.title(), t.text())
	}
	return append(tables, t), err
}

// finish prints a summary of the tables, and writes it into README if asked to.
func (s settings) finish(tables []table, out io.Writer) error {
	if len(tables) > 1 {
		if _, err := fmt.Fprintf(out, "### Time on the other fields\n\n%s", times(tables[1:])); err != nil {
			return err
		}
	}
	if s.page == "" {
		return nil
	}
	return writePage(s.page, tables)
}

// parse parses a command line.
func parse(args []string) (settings, error) {
	var s settings
	var payloads, names, protocols, encodings string
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.IntVar(&s.rounds, "rounds", 15, "how many rounds the medians are of")
	flags.DurationVar(&s.batch, "batch", 50*time.Millisecond, "about how long a contestant calls in each round")
	flags.Uint64Var(&s.seed, "seed", 1, "the seed of the random order")
	flags.StringVar(&s.clock, "clock", wallClock,
		"what time is: wall, or cpu for the processor time of the contestants' process")
	flags.BoolVar(&s.decoders, "decoders", false, "compare the ways to decode a page, instead of calls")
	flags.StringVar(&s.page, "page", "", "a file to write the tables into as well, between the markers for them")
	flags.StringVar(&payloads, "payloads", "all", "the payloads, with commas between")
	flags.StringVar(&names, "contestants", "all",
		"the contestants, with commas between; encoding-json takes part in every table")
	flags.StringVar(&protocols, "protocols", "all", "http1, http2, or all, with commas between")
	flags.StringVar(&encodings, "encodings", "all", "identity, gzip, or all, with commas between")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q is no flag", flags.Arg(0))
	}
	if s.rounds < 1 || s.batch <= 0 {
		return s, errors.New("-rounds and -batch must be positive")
	}
	if s.clock != wallClock && s.clock != cpuClock {
		return s, fmt.Errorf("-clock: %q is neither %s nor %s", s.clock, wallClock, cpuClock)
	}
	if s.page != "" && s.decoders {
		return s, errors.New("-page and -decoders exclude one another")
	}
	if names != "all" {
		names += "," + contestants[0].Name
	}
	var errs [4]error
	s.payloads, errs[0] = choose("payloads", payloads, payload.All, func(p payload.Payload) string { return p.Name })
	s.contestants, errs[1] = choose("contestants", names, contestants,
		func(c contestant.Contestant) string { return c.Name })
	itself := func(name string) string { return name }
	s.protocols, errs[2] = choose("protocols", protocols, []string{server.HTTP1, server.HTTP2}, itself)
	s.encodings, errs[3] = choose("encodings", encodings, []string{server.Identity, server.Gzip}, itself)
	return s, errors.Join(errs[:]...)
}

// choose returns the items of all whose names are in a list, in the order of all.
func choose[T any](flag, list string, all []T, name func(T) string) ([]T, error) {
	if list == "all" {
		return all, nil
	}
	wanted := strings.Split(list, ",")
	var known []string
	chosen := slices.DeleteFunc(slices.Clone(all), func(one T) bool {
		known = append(known, name(one))
		return !slices.Contains(wanted, name(one))
	})
	for _, one := range wanted {
		if !slices.Contains(known, one) {
			return nil, fmt.Errorf("-%s: %q is none of %s", flag, one, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}
