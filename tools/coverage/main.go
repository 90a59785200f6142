// Coverage measures how many statements of the hand-written code the tests of all modules run. From the project's
// folder:
//
//	GOWORK=off go run -C tools ./coverage                       # run all tests and measure
//	GOWORK=off go run -C tools ./coverage -minimum 97           # exit with 1 where the total is below
//	GOWORK=off go run -C tools ./coverage -keep /tmp/profiles   # leave the profiles there
//	GOWORK=off go run -C tools ./coverage -uncovered . /tmp/profiles/*
//
// Its arguments are what earlier runs left: profiles of go test, and folders that instrumented processes wrote into
// (GOCOVERDIR). Without arguments it runs the tests itself. A block that several profiles know is covered if one of them
// covers it, so that tests count that are in another package, in another module, or start the program as a process.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
)

// The codes that the program ends with.
const (
	exitEnough = 0
	exitFailed = 1
	exitUsage  = 2
)

// options are the flags, and the arguments behind them.
type options struct {
	minimum   float64
	uncovered *regexp.Regexp
	keep      string
	sources   []string
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(arguments []string, out, errs io.Writer) int {
	o, err := parse(arguments, errs)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitEnough
	case err != nil:
		return exitUsage
	}
	if err := measure(o, out, errs); err != nil {
		_, _ = fmt.Fprintln(errs, "coverage:", err)
		return exitFailed
	}
	return exitEnough
}

func parse(arguments []string, errs io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("coverage", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Float64Var(&o.minimum, "minimum", 0, "fail where less than `percent` of the statements are covered")
	flags.StringVar(&o.keep, "keep", "", "leave the profiles of the run in this `folder`")
	flags.Func("uncovered", "print the uncovered blocks of the files that match a `pattern`; . is all", func(pattern string) (err error) {
		o.uncovered, err = regexp.Compile(pattern)
		return err
	})
	err := flags.Parse(arguments)
	o.sources = flags.Args()
	return o, err
}

// measure prints the coverage. Its error says that there is too little, or none.
func measure(o options, out, errs io.Writer) error {
	root, err := projectRoot()
	if err != nil {
		return err
	}
	if len(o.sources) == 0 {
		folder, remove, err := keptFolder(o.keep)
		if err != nil {
			return err
		}
		defer remove()
		if o.sources, err = runTests(root, folder, errs); err != nil {
			return err
		}
	}
	p := profile{}
	for _, source := range o.sources {
		if err := p.read(source); err != nil {
			return err
		}
	}
	r := newReport(p, root.module)
	r.write(out, o.uncovered)
	return r.check(o.minimum)
}
