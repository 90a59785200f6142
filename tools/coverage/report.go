package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// share is how many of some statements are covered.
type share struct{ covered, statements int }

func (s *share) add(b block, count uint64) {
	s.statements += b.statements
	if count > 0 {
		s.covered += b.statements
	}
}

func (s share) percent() float64 { return 100 * float64(s.covered) / float64(max(s.statements, 1)) }

// report is the coverage by package and as a whole. Packages and files are named from the project's folder.
type report struct {
	packages  map[string]*share
	total     share
	uncovered []block
}

func newReport(p profile, module string) *report {
	r := &report{packages: map[string]*share{}}
	for b, count := range p {
		b.file = strings.TrimPrefix(b.file, module+"/")
		of := r.packages[path.Dir(b.file)]
		if of == nil {
			of = &share{}
			r.packages[path.Dir(b.file)] = of
		}
		of.add(b, count)
		r.total.add(b, count)
		if count == 0 && b.statements > 0 {
			r.uncovered = append(r.uncovered, b)
		}
	}
	slices.SortFunc(r.uncovered, func(a, b block) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	return r
}

// write prints the table, and before it the uncovered blocks of the files that match.
func (r *report) write(out io.Writer, files *regexp.Regexp) {
	for _, b := range r.uncovered {
		if files != nil && files.MatchString(b.file) {
			_, _ = fmt.Fprintf(out, "%s:%d: %d statements to line %d\n", b.file, b.line, b.statements, b.endLine)
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, s share) {
		_, _ = fmt.Fprintf(table, "%.1f%%\t%d of %d\t  %s\n", s.percent(), s.covered, s.statements, name)
	}
	for _, name := range slices.Sorted(maps.Keys(r.packages)) {
		row(name, *r.packages[name])
	}
	row("total", r.total)
	_ = table.Flush()
}

// check fails where less is covered than there must be.
func (r *report) check(minimum float64) error {
	if r.total.statements == 0 {
		return fmt.Errorf("the profiles have no statement of the project")
	}
	if r.total.percent() < minimum {
		return fmt.Errorf("%.2f%% of the statements are covered, and %g%% must be", r.total.percent(), minimum)
	}
	return nil
}
