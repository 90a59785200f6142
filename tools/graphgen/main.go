// Graphgen makes Go code of the graph area's schema and queries, in three files: what callers use (a record for each
// fragment, the enums, the inputs), what only the library calls (for each query a request builder, the data of the
// response and a row of the table of operations), and what the schema says of the responses, for who looks for drift.
//
// What it has no code for is an error with file and line.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "graphgen:", err)
		os.Exit(1)
	}
}

// run writes the files that a configuration asks for.
func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: graphgen CONFIG")
	}
	files, err := generate(args[0])
	if err != nil {
		return err
	}
	for name, source := range files {
		if err := os.WriteFile(name, source, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate makes the files that the configuration asks for.
func generate(configuration string) (map[string][]byte, error) {
	c, err := readConfig(configuration)
	if err != nil {
		return nil, err
	}
	g, err := load(c)
	if err != nil {
		return nil, err
	}
	g.addFragments()
	g.addOperations()
	if len(g.problems) == 0 {
		g.addShapes()
	}
	if len(g.problems) > 0 {
		return nil, g.problems
	}
	files := map[string][]byte{}
	for output, template := range map[string]string{c.Records: "records.tmpl", c.Wire: "wire.tmpl", c.Contract: "contract.tmpl"} {
		if files[output], err = g.write(template); err != nil {
			return nil, err
		}
	}
	return files, nil
}
