package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func main() {
	serveIfAsked()
	log.SetFlags(0)
	var err error
	if generated == nil {
		err = startAgain(os.Args[1:])
	} else {
		err = run(os.Args[1:], os.Stdout)
	}
	if err != nil {
		log.Fatal("benchmarks: ", err)
	}
}

// startAgain generates the clients and runs the program with them.
func startAgain(args []string) error {
	const module = "github.com/rpcfleet/rpcfleet-go/internal/benchmarks"
	for _, command := range [][]string{
		{"generate", module}, append([]string{"run", "-tags", "contestants", module}, args...),
	} {
		c := exec.Command("go", command...)
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("go %s: %w", command[0], err)
		}
	}
	return nil
}

// settings holds the command line.
type settings struct {
	payloads []payload
	rounds   int
	cpu      bool   // The clock is the processor time of the contestants' process.
	page     string // The file to write the tables into, or empty.
}

// parse parses a command line.
func parse(args []string) (settings, error) {
	s := settings{payloads: payloads}
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.IntVar(&s.rounds, "rounds", 15, "how many rounds the medians are of")
	flags.StringVar(&s.page, "page", "", "a file to write the tables into as well, between the markers for them")
	batch := flags.Duration("batch", 50*time.Millisecond, "about how long a contestant calls in each round")
	clock := flags.String("clock", "wall", "what time is: wall, or cpu for the processor time of the contestants' process")
	names := flags.String("payloads", "all", "the payloads, with commas between")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.cpu = *clock == "cpu"
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("%q is no flag", flags.Arg(0))
	case s.rounds < 1 || *batch <= 0:
		return s, errors.New("-rounds and -batch must be positive")
	case !s.cpu && *clock != "wall":
		return s, fmt.Errorf("-clock: %q is neither wall nor cpu", *clock)
	}
	if *names != "all" {
		wanted := strings.Split(*names, ",")
		s.payloads = slices.DeleteFunc(slices.Clone(payloads), func(p payload) bool {
			return !slices.Contains(wanted, p.name)
		})
		if len(s.payloads) != len(wanted) {
			return s, fmt.Errorf("-payloads: not all of %q are payloads", *names)
		}
	}
	testing.Init() // The length of a benchmark is a flag of package testing.
	return s, flag.Set("test.benchtime", batch.String())
}

// run executes a command line.
func run(args []string, out io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	origin, err := startServer()
	if err != nil {
		return err
	}
	defer func() { _ = origin.close() }()
	var columns [][]column
	for _, f := range fields {
		measured, err := s.measure(origin, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.title, err)
		}
		columns = append(columns, measured)
	}
	text := s.report(columns)
	if _, err := io.WriteString(out, text); err != nil || s.page == "" {
		return err
	}
	return writePage(s.page, text)
}
