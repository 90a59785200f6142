// Mutants finds out what the tests of a package would not notice. It changes the package in many small ways, such as a
// condition negated, a statement or the field of a struct left out, or a zero value returned, runs the tests that reach
// the change, and reports the changes with which they still pass.
//
//	cd tools && GOWORK=off go run ./mutants -tests ../acceptance ../internal/transport
//
// All mutants are compiled into one test binary, through an overlay, each behind a switch; the files of the package are
// left as they are. A first run of every test alone, without a mutant, finds which mutants it reaches. Then each mutant
// meets the tests that reach it, the cheapest first. Those of -tests are asked about what the package's own let live.
//
// Mutants that survive by right stand with their reasons in survivors.txt, one file for all packages. Where another one
// survives, the exit status is 1.
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

// settings are what the command line says.
type settings struct {
	tests       []string
	files, only *regexp.Regexp
	run, again  string
	known       string
	workers     int
	dearest     time.Duration
}

// errSurvivors ends a run that went well, and found something.
var errSurvivors = errors.New("mutants survive that are not in the list")

func main() {
	log.SetFlags(log.Ltime)
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal(err)
	}
}

// run carries out a command line. Its error is errSurvivors where a mutant survives that should not.
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

// parse reads a command line: the settings, and the folders of the packages to mutate.
func parse(args []string) (s *settings, dirs []string, err error) {
	every := regexp.MustCompile(".")
	s = &settings{files: new(regexp.Regexp), only: new(regexp.Regexp)}
	var tests string
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	flags.SetOutput(log.Writer())
	flags.StringVar(&tests, "tests", "", "folders of further packages, with commas, whose tests are asked about what survives")
	flags.TextVar(s.files, "files", every, "files to mutate, a regular expression")
	flags.TextVar(s.only, "only", every, "names of mutants to try, a regular expression")
	flags.StringVar(&s.run, "run", ".", "tests to run, a regular expression")
	flags.StringVar(&s.again, "again", "", "try only the mutants that this file names, in the form of survivors.txt or of a report")
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

// mutate tries the mutants of the package in a directory, and reports whether none survives that should not.
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

// plant loads the package and plants the mutants.
func (s *settings) plant(dir string) ([]*mutant, *pkg, error) {
	p, err := load(dir)
	if err != nil {
		return nil, nil, err
	}
	return plant(p, s.files.MatchString), p, nil
}

// chosen are the mutants that the flags choose.
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

// ask runs the tests of the package in a directory with each mutant that no other tests have killed.
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
			return // What is known by now is reported.
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
