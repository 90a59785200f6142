// Filegraph prints which file of a package uses what which other files of it declare, and which files use each other in
// a circle. Tests are left out.
//
//	go run ./internal/filegraph         the root package
//	go run ./internal/filegraph FOLDER  another one
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	graph, err := load(dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(graph)
}
