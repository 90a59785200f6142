package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// use is what a run of tests takes: of the processor, and at a stretch with nothing to do for the processor. Both mean
// much the same on an idle and on a loaded machine, unlike the time on the clock.
type use struct{ work, idle time.Duration }

// supervise runs a command, and ends it when it takes more than the limit. It reports whether it did so.
func supervise(cmd *exec.Cmd, limit use) (used use, ended bool, err error) {
	if err := cmd.Start(); err != nil {
		return use{}, false, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	const interval = 100 * time.Millisecond
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	var last, idle time.Duration
	for {
		select {
		case err := <-done:
			used.work = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			return used, ended, err
		case <-ticker.C:
		}
		work, runs := processor(cmd.Process.Pid)
		if runs || work != last {
			last, idle = work, 0
		} else {
			idle += interval
		}
		used.idle = max(used.idle, idle)
		if !ended && (work > limit.work || idle > limit.idle) {
			ended = true
			_ = cmd.Process.Kill()
		}
	}
}

// processor is how much a process has had of the processor, and whether it has it or waits for it. Where the system
// keeps no /proc, a process always works.
func processor(pid int) (work time.Duration, runs bool) {
	const tick = time.Second / 100
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, path := range threads {
		text, _ := os.ReadFile(path)
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 12 {
			user, _ := strconv.Atoi(fields[11])
			system, _ := strconv.Atoi(fields[12])
			work += time.Duration(user+system) * tick
			runs = runs || fields[0] != "S"
		}
	}
	return work, runs || len(threads) == 0
}
