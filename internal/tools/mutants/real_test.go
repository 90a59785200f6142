package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestRealCode plants the mutants of packages of this project. Their code is rewritten so that it has types, and at
// most one mutant in twenty is dropped for lack of types.
func TestRealCode(t *testing.T) {
	for dir, least := range map[string]int{"../../../internal/transport": 800, "../../../internal/reply": 700, "../../..": 4000} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			s := &settings{files: regexp.MustCompile("."), only: regexp.MustCompile(".")}
			mutants, p, err := s.plant(dir)
			if err != nil {
				t.Fatal(err)
			}
			last := 0
			for _, m := range mutants {
				last = max(last, m.id)
			}
			sources, dropped, err := p.rewrite(last)
			if err != nil {
				t.Fatal(err)
			}
			without := 0
			for _, m := range mutants {
				if dropped[m.file][m.group] {
					without++
				}
			}
			if len(mutants) < least || without > len(mutants)/20 {
				t.Errorf("%d mutants, and %d of them without types", len(mutants), without)
			}
			if !strings.Contains(string(sources["mutants_switches.go"]), "package "+p.Name) {
				t.Error("the switches are of another package")
			}
			t.Logf("%d mutants, and %d of them without types", len(mutants), without)
		})
	}
}
