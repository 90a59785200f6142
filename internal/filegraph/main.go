// Filegraph prints which file of a package uses what which other files of it declare, and which files use each other in
// a circle. Tests are left out.
//
//	go run ./internal/filegraph         the root package
//	go run ./internal/filegraph FOLDER  another one
package main

import (
	"fmt"
	"io"
	"log"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal("filegraph: ", err)
	}
}

func run(args []string, out io.Writer) error {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	graph, err := load(dir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(out, graph)
	return err
}
