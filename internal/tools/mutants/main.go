// Mutants finds changes of a package that its tests do not detect. It makes many small changes, such as a negated
// condition, a statement or the field of a struct left out, or a zero value returned. It runs the tests that reach each
// change, and reports the changes with which they still pass.
//
//	cd internal/tools && GOWORK=off go run ./mutants -tests ../acceptance ../transport
//
// All mutants are compiled into one test binary, through an overlay, each behind a switch; the package's files are not
// changed. A first run of every test alone, without a mutant, records which mutants it reaches. Each mutant is then run
// with the tests that reach it, the cheapest first. If the package's own tests do not kill a mutant, the tests of
// -tests are run.
//
// survivors.txt lists the mutants of all packages that may survive, with reasons. If another one survives, the exit
// status is 1.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// settings are the settings from the command line.
type settings struct {
	tests       []string
	files, only *regexp.Regexp
	run, again  string
	known       string
	workers     int
	dearest     time.Duration
}

// errSurvivors is the error if a run succeeded and mutants survived.
var errSurvivors = errors.New("mutants survive that are not in the list")

func main() {
	log.SetFlags(log.Ltime)
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal(err)
	}
}

// run executes a command line. Its error is errSurvivors if an unlisted mutant survives.
func run(args []string, out io.Writer) error {
	s, dirs, err := parse(args)
	if err != nil {
		return err
	}
	good := true
	for _, dir := range dirs {
		ok, err := s.mutate(out, dir)
		if err != nil {
			return err
		}
		good = good && ok
	}
	if !good {
		return errSurvivors
	}
	return nil
}

// parse parses a command line into the settings and the folders of the packages to mutate.
func parse(args []string) (s *settings, dirs []string, err error) {
	every := regexp.MustCompile(".")
	s = &settings{files: new(regexp.Regexp), only: new(regexp.Regexp)}
	var tests string
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	flags.SetOutput(log.Writer())
	flags.StringVar(&tests, "tests", "",
		"folders of further packages, with commas, whose tests are asked about what survives")
	flags.TextVar(s.files, "files", every, "files to mutate, a regular expression")
	flags.TextVar(s.only, "only", every, "names of mutants to try, a regular expression")
	flags.StringVar(&s.run, "run", ".", "tests to run, a regular expression")
	flags.StringVar(&s.again, "again", "",
		"try only the mutants that this file names, in the form of survivors.txt or of a report")
	flags.StringVar(&s.known, "survivors", "mutants/survivors.txt", "mutants that survive by right, with reasons")
	flags.IntVar(&s.workers, "workers", runtime.NumCPU(), "how many tests run at a time")
	flags.DurationVar(&s.dearest, "dearest", 0, "leave out tests that take more of the processor than this; 0 for none")
	if err := flags.Parse(args); err != nil {
		return nil, nil, err
	}
	if flags.NArg() == 0 {
		return nil, nil, errors.New("name the folders of the packages to mutate")
	}
	if tests != "" {
		s.tests = strings.Split(tests, ",")
	}
	return s, flags.Args(), nil
}

// mutate runs the mutants of the package in a directory, and reports whether all survivors are listed.
func (s *settings) mutate(w io.Writer, dir string) (bool, error) {
	known, err := readKnown(s.known)
	if err != nil {
		return false, err
	}
	mutants, p, err := s.plant(dir)
	if err != nil {
		return false, err
	}
	folder, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	last := 0
	for _, m := range mutants {
		last = max(last, m.id)
	}
	sources, dropped, err := p.rewrite(last)
	if err != nil {
		return false, err
	}
	all := len(mutants)
	mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return dropped[m.file][m.group] })
	log.Printf("%s: %d mutants, and %d that do not compile", p.ImportPath, len(mutants), all-len(mutants))
	mutants, err = s.chosen(mutants)
	if err != nil {
		return false, err
	}
	overlay, err := p.overlay(folder, sources)
	if err != nil {
		return false, err
	}
	outcomes := map[int]outcome{}
	for i, tests := range append([]string{dir}, s.tests...) {
		if err := s.ask(tests, overlay, filepath.Join(folder, fmt.Sprint("tests", i)), last, mutants, outcomes); err != nil {
			return false, err
		}
	}
	mutants = slices.DeleteFunc(mutants, func(m *mutant) bool { return m.reached && !m.tried })
	return report(w, p, mutants, outcomes, known), nil
}

// plant loads the package and creates its mutants.
func (s *settings) plant(dir string) ([]*mutant, *pkg, error) {
	p, err := load(dir)
	if err != nil {
		return nil, nil, err
	}
	return plant(p, s.files.MatchString), p, nil
}

// chosen returns the mutants that the flags select.
func (s *settings) chosen(mutants []*mutant) ([]*mutant, error) {
	var again []byte
	if s.again != "" {
		var err error
		if again, err = os.ReadFile(s.again); err != nil {
			return nil, err
		}
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(again)) {
		named[strings.TrimSuffix(line, "\n")] = true
	}
	return slices.DeleteFunc(mutants, func(m *mutant) bool {
		return !s.only.MatchString(m.name) || again != nil && !named[m.name]
	}), nil
}

// ask runs the tests of the package in a directory with each mutant that is still alive.
func (s *settings) ask(dir, overlay, binary string, last int, mutants []*mutant, outcomes map[int]outcome) error {
	suite, err := buildSuite(dir, overlay, binary)
	if err != nil {
		return err
	}
	if err := suite.list(s.run); err != nil {
		return err
	}
	log.Printf("%s: %d tests, each alone", dir, len(suite.tests))
	suite.measure(filepath.Dir(overlay), last, s.workers, s.dearest)
	for _, name := range suite.failing {
		log.Printf("%s: %s fails without a mutant, and is not asked", dir, name)
	}
	var left []*mutant
	for _, m := range mutants {
		if outcomes[m.id] <= survived && len(suite.covering[m.id]) > 0 {
			m.reached = true
			left = append(left, m)
		}
	}
	log.Printf("%s: %d mutants reached, %d tests left out as too dear", dir, len(left), suite.dear)
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupted)
	var lock sync.Mutex
	done := 0
	each(left, s.workers, func(m *mutant) {
		if len(interrupted) > 0 {
			return // Report the results so far.
		}
		result := suite.try(m)
		lock.Lock()
		defer lock.Unlock()
		outcomes[m.id] = result
		if result == survived {
			log.Printf("line %d survives: %s", m.line, m.name)
		}
		m.tried = true
		if done++; done%100 == 0 {
			log.Printf("%s: %d of %d", dir, done, len(left))
		}
	})
	return nil
}
