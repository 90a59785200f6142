// Apisnapshot holds the exported names of the library's packages against the files of api/, one a package, which are
// what the library promises. From the project's folder:
//
//	GOWORK=off go run -C tools ./apisnapshot           # print what differs; exit with 1 where something does
//	GOWORK=off go run -C tools ./apisnapshot -update   # write the files anew
//
// A line of a file is one promise: a constant with its value, a function, a type, a field with its tag, a method,
// promoted ones included. What is not a promise is not in it: the names of parameters, the values of variables.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rpcfleet/rpcfleet-go/tools/internal/workspace"
)

// The codes that the program ends with.
const (
	exitSame   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(arguments []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("apisnapshot", flag.ContinueOnError)
	flags.SetOutput(errs)
	update := flags.Bool("update", false, "write the files of api/ anew")
	switch err := flags.Parse(arguments); {
	case errors.Is(err, flag.ErrHelp):
		return exitSame
	case err != nil:
		return exitUsage
	case flags.NArg() > 0:
		_, _ = fmt.Fprintf(errs, "apisnapshot: unexpected argument %q\n", flags.Arg(0))
		return exitUsage
	}
	if err := snapshot(*update, out); err != nil {
		_, _ = fmt.Fprintln(errs, "apisnapshot:", err)
		return exitFailed
	}
	return exitSame
}

func snapshot(update bool, out io.Writer) error {
	root, err := workspace.Folder()
	if err != nil {
		return err
	}
	is, err := load(root)
	if err != nil {
		return err
	}
	folder := filepath.Join(root, "api")
	if update {
		return is.write(folder)
	}
	was, err := read(folder)
	if err != nil {
		return err
	}
	if is.differences(was, out) {
		return errors.New("the exported API is not the one of api/. Where that is meant, say so in CHANGELOG.md and run:\n" +
			"  GOWORK=off go run -C tools ./apisnapshot -update")
	}
	return nil
}
