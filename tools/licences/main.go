// Licences lists every module that the project's builds and tests pull in, with its version and its licence, and refuses
// those that are not permissive. From the project's folder:
//
//	GOWORK=off go run -C tools ./licences           # hold the list against docs/licences.md; exit with 1 where it differs
//	GOWORK=off go run -C tools ./licences -update   # write docs/licences.md anew
//
// A licence is read off the files in the folders of a module whose packages are used. The versions are those that the
// workspace and the module of the tools select.
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
	flags := flag.NewFlagSet("licences", flag.ContinueOnError)
	flags.SetOutput(errs)
	update := flags.Bool("update", false, "write docs/licences.md anew")
	switch err := flags.Parse(arguments); {
	case errors.Is(err, flag.ErrHelp):
		return exitSame
	case err != nil:
		return exitUsage
	case flags.NArg() > 0:
		_, _ = fmt.Fprintf(errs, "licences: unexpected argument %q\n", flags.Arg(0))
		return exitUsage
	}
	if err := list(*update, out); err != nil {
		_, _ = fmt.Fprintln(errs, "licences:", err)
		return exitFailed
	}
	return exitSame
}

func list(update bool, out io.Writer) error {
	root, err := workspace.Folder()
	if err != nil {
		return err
	}
	modules, err := needed(root)
	if err != nil {
		return err
	}
	var refused []error
	for i := range modules {
		refused = append(refused, modules[i].judge())
	}
	if err := errors.Join(refused...); err != nil {
		return err
	}
	is, path := page(modules), filepath.Join(root, "docs", "licences.md")
	if update {
		return os.WriteFile(path, []byte(is), 0o644)
	}
	was, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if differences(string(was), is, out) {
		return errors.New("docs/licences.md is not up to date:\n  GOWORK=off go run -C tools ./licences -update")
	}
	return nil
}
