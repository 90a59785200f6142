package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Flags are the flags of a program or of one of its subcommands.
type Flags struct {
	*flag.FlagSet
	about string
}

// NewFlags returns flags without any. The name is that of the program, and of the subcommand where it is of one; what it
// is about is what -h explains before the flags.
func NewFlags(name, about string) *Flags {
	f := &Flags{flag.NewFlagSet(name, flag.ContinueOnError), strings.TrimSpace(about)}
	f.SetOutput(io.Discard) // What is wrong is said once, by Exit.
	return f
}

// Parse reads the flags, and refuses arguments behind them. What is wrong is a [*UsageError]. Where help is asked for, it
// goes to stdout, and the error is [flag.ErrHelp].
func (f *Flags) Parse(args []string, stdout io.Writer) error {
	switch err := f.FlagSet.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		if err := f.help(stdout); err != nil {
			return err
		}
		return flag.ErrHelp
	case err != nil:
		return Usagef("%v", err)
	case f.NArg() > 0:
		return Usagef("unexpected argument %q", f.Arg(0))
	}
	return nil
}

func (f *Flags) help(w io.Writer) error {
	var page strings.Builder
	fmt.Fprintf(&page, "%s\n\nUsage: %s [flags]\n", f.about, f.Name())
	f.SetOutput(&page)
	f.PrintDefaults()
	f.SetOutput(io.Discard)
	_, err := io.WriteString(w, page.String())
	return err
}
