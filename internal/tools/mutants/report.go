package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// readList reads a list of mutants: survivors.txt or a report. The indented line below a mutant is the reason why it
// survives. If several mutants share a reason, it follows the last of them. No path is no list.
//
//	pool.go *pool.next: `0` plus 1
//	pool.go *pool.next: `c.Available()` with >=
//		Reserve decides whether there is a slot.
func readList(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
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
		if count[m.outcome]++; m.outcome <= survived {
			_, _ = fmt.Fprintf(out, "%s\n\tline %d, %s\n", m.name, m.line, m.outcome)
		}
	}
	killed, all := count[killed]+count[hung], float64(len(mutants))
	_, _ = fmt.Fprintf(out, "# %s: %v mutants, %v killed (%v hung), %v survive (%v reached by no test), %v listed: "+
		"%.1f%% killed, %.1f%% killed or listed\n", dir, all, killed, count[hung], count[survived]+count[unreached],
		count[unreached], count[listed], 100*killed/all, 100*(killed+count[listed])/all)
	if count[survived]+count[unreached] > 0 {
		return errSurvivors
	}
	return nil
}
