// Package progress shows how far a long piece of work is, to people who watch it. It is a module of its own, so that
// the library does not require what draws the bar.
package progress

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Bar is the progress of one piece of work.
type Bar struct{ bar *progressbar.ProgressBar }

// throttle is how long a bar stays as it is.
const throttle = 100 * time.Millisecond

// Start begins a bar for a number of steps, or for one that is not known where it is negative. Where w is no terminal,
// nothing is ever written. Work that is done within a blink shows no bar.
func Start(w io.Writer, what string, steps int) *Bar {
	if !isTerminal(w) {
		w = io.Discard
	}
	return &Bar{progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0), // Without a goroutine of its own, which would outlive the bar.
		progressbar.OptionThrottle(throttle),
		progressbar.OptionSetRenderBlankState(false),
	)}
}

// Step counts one step as done. It can be called concurrently.
func (b *Bar) Step() { _ = b.bar.Add(1) }

// Done takes the bar away, after the last step or where the work ends early.
func (b *Bar) Done() {
	_ = b.bar.Exit()
	_ = b.bar.Clear()
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
