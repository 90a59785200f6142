// Mutants finds changes of a package that its tests do not detect. It makes many small changes, such as a negated
// condition, a statement left out, or a zero value returned. It runs the tests that reach each change, and reports the
// changes with which they still pass.
//
//	cd internal/tools && GOWORK=off go run ./mutants -tests ../clienttest ../transport
//
// All mutants are compiled into one test binary, through an overlay, each behind a switch; the package's files are not
// changed. A first run of every test alone, without a mutant, records which mutants it reaches. Each mutant is then run
// with the tests that reach it. If the package's own tests do not kill a mutant, the tests of -tests are run.
// survivors.txt lists the mutants of all packages that may survive, with reasons; they are not run. If another one
// survives, the exit status is 1.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

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
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	tests := flags.String("tests", "", "comma-separated folders of other packages, whose tests are run for survivors")
	survivors := flags.String("survivors", "mutants/survivors.txt", "list of mutants that may survive, with reasons")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the folder of the package to mutate")
	}
	known, err := readList(*survivors)
	if err != nil {
		return err
	}
	dir := flags.Arg(0)
	m, err := plant(dir)
	if err != nil {
		return err
	}
	log.Printf("%s: %d mutants, and %d that do not compile", dir, len(m.mutants), len(m.dropped))
	others := strings.FieldsFunc(*tests, func(r rune) bool { return r == ',' })
	if err := m.run(append([]string{dir}, others...), known); err != nil {
		return err
	}
	return report(out, dir, m.mutants)
}

// run runs the tests of the packages in some directories with each mutant that is not in the list.
func (m *mutator) run(dirs []string, known map[string]string) error {
	folder, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	overlay, err := writeOverlay(folder, m.sources)
	if err != nil {
		return err
	}
	for _, mutant := range m.mutants {
		if known[mutant.name] != "" {
			mutant.outcome = listed
		}
	}
	for i, dir := range dirs {
		suite, err := buildSuite(dir, overlay, filepath.Join(folder, fmt.Sprint("tests", i)))
		if err != nil {
			return err
		}
		if err := suite.measure(folder); err != nil {
			return err
		}
		suite.run(m.mutants)
	}
	return nil
}

// readList reads a list of mutants. The indented line below a mutant is the reason why it survives. If several mutants
// share a reason, it follows the last of them.
//
//	pool.go *pool.next: `0` plus 1
//	pool.go *pool.next: `c.Available()` with >=
//		Reserve decides whether there is a slot.
func readList(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	var waiting []string
	for line := range strings.Lines(string(text)) {
		switch text := strings.TrimSpace(line); {
		case text == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, "\t"):
			waiting = append(waiting, text)
		default:
			for _, name := range waiting {
				known[name] = text
			}
			waiting = nil
		}
	}
	if len(waiting) > 0 {
		return nil, fmt.Errorf("%s: no reason for %s", path, waiting[0])
	}
	return known, nil
}

// report prints the mutants that survived without a reason and a summary of the package, and returns errSurvivors if
// there are any.
func report(out io.Writer, dir string, mutants []*mutant) error {
	count := map[outcome]float64{}
	for _, m := range mutants {
		if count[m.outcome]++; m.outcome == unreached || m.outcome == survived {
			_, _ = fmt.Fprintf(out, "%s\n\tline %d, %s\n", m.name, m.line, m.outcome)
		}
	}
	all := float64(len(mutants))
	_, _ = fmt.Fprintf(out, "# %s: %v mutants, %v killed, %v survive (%v reached by no test), %v listed: "+
		"%.1f%% killed, %.1f%% killed or listed\n", dir, all, count[killed], count[survived]+count[unreached],
		count[unreached], count[listed], 100*count[killed]/all, 100*(count[killed]+count[listed])/all)
	if count[survived]+count[unreached] > 0 {
		return errSurvivors
	}
	return nil
}
