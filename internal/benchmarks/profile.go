package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
)

// profileAll writes CPU and allocation profiles of each contestant on each payload.
func (s settings) profileAll(f field, out io.Writer) error {
	if err := os.MkdirAll(s.profile, 0o755); err != nil {
		return err
	}
	for _, p := range s.payloads {
		for _, c := range s.contestants {
			call, err := f.call(context.Background(), c, p)
			if err != nil {
				return err
			}
			if call == nil {
				continue
			}
			name := filepath.Join(s.profile, fmt.Sprintf("%s-%s-%s-%s", f.protocol, f.encoding, p.Name, c.Name))
			n, err := s.profileOne(call, name)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			_, err = fmt.Fprintf(out, "go tool pprof %s.cpu # %d calls\n"+
				"go tool pprof -sample_index=alloc_objects -base %[1]s.before %[1]s.after # %[3]d calls\n", name, n, allocated)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// allocated is the number of calls of an allocation profile. It is small because recording each allocation is slow.
const allocated = 100

// profileOne writes the profiles of a call and returns the number of calls of the CPU profile. An allocation profile
// covers the program since its start: the state before is written as well, to be subtracted.
func (s settings) profileOne(call contestant.Call, name string) (n int, err error) {
	rate := runtime.MemProfileRate
	defer func() { runtime.MemProfileRate = rate }()
	runtime.MemProfileRate = 0
	ctx := context.Background()
	s.batch = s.profiled
	if n, err = s.batchSize(ctx, call); err != nil {
		return 0, err
	}
	cpu, err := os.Create(name + ".cpu")
	if err != nil {
		return 0, err
	}
	defer func() { _ = cpu.Close() }()
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return 0, err
	}
	_, err = s.runBatch(ctx, call, n)
	pprof.StopCPUProfile()
	if err != nil {
		return 0, err
	}
	if err := writeAllocations(name + ".before"); err != nil {
		return 0, err
	}
	runtime.MemProfileRate = 1
	for range allocated {
		if _, err := call(ctx); err != nil {
			return 0, err
		}
	}
	runtime.MemProfileRate = 0
	return n, writeAllocations(name + ".after")
}

// writeAllocations writes the profile of all allocations so far.
func writeAllocations(name string) error {
	runtime.GC() // Garbage collection completes the profile.
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := pprof.Lookup("allocs").WriteTo(file, 0); err != nil {
		return err
	}
	return file.Close()
}
