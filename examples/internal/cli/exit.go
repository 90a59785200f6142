package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
)

// The codes that every program ends with. A program may have others of its own, from 3 on: see [Code].
const (
	ExitOK    = 0
	ExitError = 1
	ExitUsage = 2
)

// UsageError is a mistake in how the program was called.
type UsageError struct{ Reason string }

// Error implements error.
func (e *UsageError) Error() string { return e.Reason }

// Usagef returns a [*UsageError].
func Usagef(format string, arguments ...any) error {
	return &UsageError{fmt.Sprintf(format, arguments...)}
}

// Code is an outcome that is no failure and has an exit code of its own, such as that something differs. Nothing is
// printed for it.
type Code int

// Error implements error.
func (c Code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Exit says on stderr how a program failed, and returns the code to exit with: ExitOK for nil and where help was asked
// for, ExitUsage for a [*UsageError], a [Code] itself, and ExitError for all else.
func Exit(stderr io.Writer, name string, err error) int {
	var usage *UsageError
	var code Code
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return ExitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		say(stderr, "%s: %s (-h explains)", name, usage.Reason)
		return ExitUsage
	case errors.Is(err, context.Canceled):
		say(stderr, "%s: interrupted: %v", name, err)
	default:
		say(stderr, "%s: %v", name, err)
	}
	return ExitError
}

// say writes a line for people. Where nobody reads it, nothing can be done about that.
func say(w io.Writer, format string, arguments ...any) {
	_, _ = fmt.Fprintf(w, format+"\n", arguments...)
}
