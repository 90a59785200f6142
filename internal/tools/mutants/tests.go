package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// suite is the compiled tests of a package.
type suite struct {
	dir, binary string
	tests       []*test
	covering    map[int][]*test // By mutant, cheapest first.
	failing     []string        // Tests that fail without a mutant; they are not used.

	dear int // The number of tests beyond the cost limit.

	lock    sync.Mutex
	killers map[string][]string // By function, the tests that killed its mutants.
}

// test is one test function.
type test struct {
	name string
	use  use
}

// buildSuite compiles the tests of the package in a directory, with the mutated package.
func buildSuite(dir, overlay, binary string) (*suite, error) {
	cmd := goCommand(dir, "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	cmd.Stdout = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("tests of %s: %w", dir, err)
	}
	return &suite{dir: dir, binary: binary, covering: map[int][]*test{}, killers: map[string][]string{}}, nil
}

// list lists the tests that match the pattern. If a package has no tests, it has no binary.
func (s *suite) list(pattern string) error {
	if _, err := os.Stat(s.binary); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	cmd := exec.Command(s.binary, "-test.list", pattern)
	cmd.Dir, cmd.Stderr = s.dir, os.Stderr
	out, err := cmd.Output()
	for _, name := range strings.Fields(string(out)) {
		if regexp.MustCompile(`^(Test|Example|Fuzz)`).MatchString(name) {
			s.tests = append(s.tests, &test{name: name})
		}
	}
	return err
}

// failure matches the output line of a failed test.
var failure = regexp.MustCompile(`--- FAIL: (\w+)`)

// verdict is the result of a run of tests.
type verdict struct {
	pass, ended bool
	use         use
	failed      string // The failed test, if known.
}

// run runs tests with additional environment variables until the first failure, within the limits.
func (s *suite) run(tests []*test, limit use, env ...string) verdict {
	var names []string
	for _, t := range tests {
		names = append(names, t.name)
	}
	var out bytes.Buffer
	cmd := exec.Command(s.binary, "-test.failfast", "-test.timeout=30m", "-test.run=^("+strings.Join(names, "|")+")$")
	cmd.Dir, cmd.WaitDelay, cmd.Stdout = s.dir, time.Second, &out
	cmd.Env = append(os.Environ(), append(env, "RPCFLEET_EMULATOR_RECORD=")...)
	used, ended, err := supervise(cmd, limit)
	v := verdict{pass: err == nil, ended: ended, use: used}
	if found := failure.FindSubmatch(out.Bytes()); found != nil {
		v.failed = string(found[1])
	}
	return v
}

// measure runs each test alone and without a mutant, and records the mutants that it reaches and its cost. If dearest
// is not 0, tests beyond that cost are not used.
func (s *suite) measure(folder string, mutants, workers int, dearest time.Duration) {
	each(s.tests, workers, func(t *test) {
		path := filepath.Join(folder, "reached."+t.name)
		defer func() { _ = os.Remove(path) }()
		var v verdict
		for range 2 {
			_ = os.WriteFile(path, make([]byte, mutants+1), 0o644)
			if v = s.run([]*test{t}, use{time.Hour, time.Hour}, "MUTANTS_REACHED="+path); v.pass {
				break
			}
		}
		reached, _ := os.ReadFile(path)
		s.lock.Lock()
		defer s.lock.Unlock()
		if !v.pass {
			s.failing = append(s.failing, t.name)
			return
		}
		if t.use = v.use; dearest > 0 && t.use.work > dearest {
			s.dear++
			return
		}
		for id, is := range reached {
			if is != 0 {
				s.covering[id] = append(s.covering[id], t)
			}
		}
	})
	for _, tests := range s.covering {
		slices.SortFunc(tests, func(a, b *test) int { return cmp.Compare(a.use.work, b.use.work) })
	}
}

// try runs the tests that reach a mutant until one fails: first the tests that recently killed other mutants of its
// function, then a few cheap tests, then many expensive ones.
func (s *suite) try(m *mutant) outcome {
	tests, n := s.order(m)
	for share := time.Second / 10; len(tests) > 0; share *= 4 {
		if n == 0 {
			for n = 1; n < len(tests) && total(tests[:n]).work < share; n++ {
			}
		} else {
			share /= 4 // Recent killers run alone.
		}
		limit := total(tests[:n])
		limit.work, limit.idle = 8*limit.work+5*time.Second, 4*limit.idle+2*time.Second
		v := s.run(tests[:n], limit, fmt.Sprint("MUTANTS_CHOSEN=", m.id))
		switch {
		case v.ended:
			return ended
		case !v.pass:
			s.note(m, v.failed)
			return killed
		}
		tests, n = tests[n:], 0
	}
	return survived
}

// total returns the sum of the work and the longest idle period.
func total(tests []*test) (sum use) {
	for _, t := range tests {
		sum.work += t.use.work
		sum.idle = max(sum.idle, t.use.idle)
	}
	return sum
}

// order returns the tests that reach a mutant in the order in which to run them, and the number of tests in the first
// run.
func (s *suite) order(m *mutant) (tests []*test, first int) {
	const most = 3
	s.lock.Lock()
	killers := s.killers[m.function]
	s.lock.Unlock()
	tests = slices.Clone(s.covering[m.id])
	for _, name := range killers {
		i := slices.IndexFunc(tests, func(t *test) bool { return t.name == name })
		if i >= first && first < most {
			killer := tests[i]
			tests = slices.Insert(slices.Delete(tests, i, i+1), first, killer)
			first++
		}
	}
	return tests, first
}

// note records that a test killed a mutant, most recent first.
func (s *suite) note(m *mutant, test string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	others := slices.DeleteFunc(slices.Clone(s.killers[m.function]), func(name string) bool { return name == test })
	s.killers[m.function] = append([]string{test}, others...)
}

// each calls a function for each item of a list, several at a time.
func each[T any](list []T, workers int, do func(T)) {
	queue := make(chan T)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for item := range queue {
				do(item)
			}
		})
	}
	for _, item := range list {
		queue <- item
	}
	close(queue)
	group.Wait()
}
