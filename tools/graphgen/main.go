// Graphgen makes Go code of the graph area's schema and queries, in two files: what callers use (a record for each
// fragment, the enums, the inputs) and what only the library calls (for each query a request builder, the data of the
// response and a row of the table of operations).
//
// What it has no code for is an error with file and line.
package main

import (
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: graphgen CONFIG")
	}
	files, err := generate(os.Args[1])
	if err != nil {
		log.Fatal("graphgen: ", err)
	}
	for name, source := range files {
		if err := os.WriteFile(name, source, 0o644); err != nil {
			log.Fatal("graphgen: ", err)
		}
	}
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
	if len(g.problems) > 0 {
		return nil, g.problems
	}
	files := map[string][]byte{}
	for output, template := range map[string]string{c.Records: "records.tmpl", c.Wire: "wire.tmpl"} {
		if files[output], err = g.write(template); err != nil {
			return nil, err
		}
	}
	return files, nil
}
