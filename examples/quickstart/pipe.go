//go:build !js

package main

import (
	"os/signal"
	"syscall"
)

// outliveReaders lets the program go on when the reader of its output goes away: endpoints would be left behind.
func outliveReaders() { signal.Ignore(syscall.SIGPIPE) }
