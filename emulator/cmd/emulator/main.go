// Emulator serves the whole service in memory, for programs in any language and for people who want to look around.
//
//	go run ./emulator/cmd/emulator -addr 127.0.0.1:8080 -seed emulator/cmd/emulator/fleet.yaml
//
// It prints its key, its address and three requests to begin with. A page at the address shows the state in a browser.
// Programs inject faults at /_emulator/faults, and see what was asked at /_emulator/calls: see emulator.WithControl.
// It ends with SIGINT or SIGTERM, after the requests that are under way; with -snapshot it saves the state then, and
// begins with it the next time. It exits with 0 when it was told to end, with 2 when its flags are wrong, and with 1 when
// something else is.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // A second signal ends the program at once.
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
