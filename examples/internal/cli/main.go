package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Run is a program without its process, so that a test can run it. It returns the code to exit with.
type Run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Main runs a program and ends the process. Ctrl-C, or a request to terminate, cancels the context; from then on, another
// one ends the process at once.
func Main(run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
