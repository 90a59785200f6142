package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// outcome is the result of running the tests with a mutant.
type outcome string

const (
	unreached outcome = "reached by no test"
	survived  outcome = "survives"
	killed    outcome = "killed" // A test failed, or did not end in time.
	listed    outcome = "listed" // In the list of survivors, and not run.
)

// suite is the compiled tests of a package.
type suite struct {
	dir, binary string
	tests       []string

	mu        sync.Mutex
	durations map[string]time.Duration // Without a mutant.
	covering  map[string][]string      // By mutant.
	kills     map[[2]string]int        // By function and test, the number of mutants killed.
}

// writeOverlay writes the sources into a folder, and returns the overlay file for the go command.
func writeOverlay(folder string, sources map[string][]byte) (string, error) {
	replace := map[string]string{}
	for name, source := range sources {
		replace[name] = filepath.Join(folder, filepath.Base(name))
		if err := os.WriteFile(replace[name], source, 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}

// buildSuite compiles the tests of the package in a directory, with the mutated package, and lists them.
func buildSuite(dir, overlay, binary string) (*suite, error) {
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	build.Dir, build.Env, build.Stdout, build.Stderr = dir, environment(), os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("tests of %s: %w", dir, err)
	}
	list := exec.Command(binary, "-test.list", "^(Test|Example|Fuzz)")
	list.Dir, list.Stderr = dir, os.Stderr
	out, err := list.Output()
	return &suite{
		dir: dir, binary: binary, tests: strings.Fields(string(out)), durations: map[string]time.Duration{},
		covering: map[string][]string{}, kills: map[[2]string]int{},
	}, err
}

// environment returns the environment of commands. GOWORK is reset because this module is run with GOWORK=off.
func environment(more ...string) []string {
	return append(os.Environ(), append(more, "GOWORK=")...)
}

// failure matches the output line of a failed test.
var failure = regexp.MustCompile(`--- FAIL: (\w+)`)

// try runs tests until the first failure, and returns the name of the failed test, if known.
func (s *suite) try(tests []string, limit time.Duration, env string) (outcome, string) {
	var out bytes.Buffer
	cmd := exec.Command(s.binary, "-test.failfast", fmt.Sprint("-test.timeout=", limit),
		"-test.run=^("+strings.Join(tests, "|")+")$")
	cmd.Dir, cmd.WaitDelay, cmd.Stdout, cmd.Stderr = s.dir, time.Second, &out, &out
	cmd.Env = environment(env)
	if cmd.Run() == nil {
		return survived, ""
	}
	if failed := failure.FindStringSubmatch(out.String()); failed != nil {
		return killed, failed[1]
	}
	return killed, ""
}

// measure runs each test alone and without a mutant, and records its duration and the mutants that it reaches.
func (s *suite) measure(folder string) error {
	log.Printf("%s: %d tests, each alone", s.dir, len(s.tests))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for _, t := range s.tests {
		group.Go(func() error {
			path := filepath.Join(folder, "reached."+t)
			begin := time.Now()
			if result, _ := s.try([]string{t}, 30*time.Minute, "MUTANTS_REACHED="+path); result != survived {
				log.Printf("%s: %s fails without a mutant, and is not used", s.dir, t)
				return nil
			}
			reached, err := os.ReadFile(path)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.durations[t] = time.Since(begin)
			for id := range strings.FieldsSeq(string(reached)) {
				s.covering[id] = append(s.covering[id], t)
			}
			return err
		})
	}
	return group.Wait()
}

// run runs the mutants that are still alive.
func (s *suite) run(mutants []*mutant) {
	alive := slices.DeleteFunc(slices.Clone(mutants), func(m *mutant) bool {
		return m.outcome != unreached && m.outcome != survived || len(s.covering[strconv.Itoa(m.id)]) == 0
	})
	log.Printf("%s: %d mutants reached", s.dir, len(alive))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, m := range alive {
		group.Go(func() error {
			if m.outcome = s.kill(m); m.outcome == survived || i%100 == 0 {
				log.Printf("%d of %d, line %d %s: %s", i+1, len(alive), m.line, m.outcome, m.name)
			}
			return nil
		})
	}
	_ = group.Wait()
}

// kill runs the tests that reach a mutant until one fails: first the ones that killed other mutants of its function,
// then the fastest, first few and then many at a time.
func (s *suite) kill(m *mutant) outcome {
	tests := s.ordered(m)
	for n := 2; len(tests) > 0; n *= 3 {
		batch := tests[:min(n, len(tests))]
		tests = tests[len(batch):]
		limit := 10 * time.Second
		for _, t := range batch {
			limit += 8 * s.durations[t]
		}
		result, name := s.try(batch, limit, fmt.Sprint("MUTANTS_CHOSEN=", m.id))
		if result != survived {
			s.mu.Lock()
			s.kills[[2]string{m.function, name}]++
			s.mu.Unlock()
			return result
		}
	}
	return survived
}

// ordered returns the tests that reach a mutant, in the order in which to run them.
func (s *suite) ordered(m *mutant) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	kills := func(test string) int { return s.kills[[2]string{m.function, test}] }
	return slices.SortedFunc(slices.Values(s.covering[strconv.Itoa(m.id)]), func(a, b string) int {
		return cmp.Or(cmp.Compare(kills(b), kills(a)), cmp.Compare(s.durations[a], s.durations[b]))
	})
}
