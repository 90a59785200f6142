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

// use is the processor time of a run of tests, and its longest idle period. Unlike wall time, both are about the same
// on an idle and on a loaded machine.
type use struct{ work, idle time.Duration }

// supervise runs a command, and kills it if it exceeds the limit, which it reports.
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

// processor returns a process's processor time, and reports whether it is running or runnable. If the system has no
// /proc, it always reports true.
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
