package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// outcome is the result of a mutant.
type outcome int

const (
	unreached outcome = iota
	survived
	killed
	ended // Killed too: the tests hung or looped forever.
)

// tally counts outcomes.
type tally [ended + 1]int

func (t tally) row(name string) string {
	reached := t[survived] + t[killed] + t[ended]
	share := "-"
	if reached > 0 {
		share = fmt.Sprintf("%.1f%%", 100*float64(reached-t[survived])/float64(reached))
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%s\n", name, reached+t[unreached], t[unreached], t[killed]+t[ended],
		t[ended], t[survived], share)
}

// report prints the results of a package's mutants, and reports whether all survivors are known. In the table, a known
// mutant counts as survived as well.
func report(w io.Writer, p *pkg, mutants []*mutant, outcomes map[int]outcome, known map[string]string) bool {
	files, sum, ok := map[string]*tally{}, tally{}, true
	for _, m := range mutants {
		if files[m.file.name] == nil {
			files[m.file.name] = &tally{}
		}
		files[m.file.name][outcomes[m.id]]++
		sum[outcomes[m.id]]++
	}
	for _, kind := range []struct {
		of    outcome
		known bool
		title string
	}{
		{unreached, false, "Reached by no test"}, {survived, true, "Survived, as the list says"},
		{survived, false, "Survived"},
	} {
		_, _ = fmt.Fprintf(w, "\n%s:\n", kind.title)
		for _, m := range mutants {
			if _, is := known[m.name]; outcomes[m.id] == kind.of && is == kind.known {
				_, _ = fmt.Fprintf(w, "%s\n\tline %d, mutant %d\n", m.name, m.line, m.id)
				ok = ok && kind.of != survived || kind.known
			}
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(table, "\n%s\tmutants\tnot reached\tkilled\tof these hung\tsurvived\tkilled of reached\n",
		p.ImportPath)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_, _ = fmt.Fprint(table, files[name].row(name))
	}
	_, _ = fmt.Fprint(table, sum.row("all"))
	_ = table.Flush()
	return ok
}
