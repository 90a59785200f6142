// Openapipage writes OpenAPI files as one HTML page, to its output: a page that needs no network, no script and no
// second file, for a narrow window as well as for a wide one.
//
//	GOWORK=off go run -C tools ./openapipage ../openapi/admin.yaml ../openapi/alerts.yaml > api.html
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: openapipage file.yaml... > page.html")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "openapipage:", err)
		os.Exit(1)
	}
}

func write(out io.Writer, files []string) error {
	var areas []*area
	for _, file := range files {
		read, err := readArea(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		areas = append(areas, read)
	}
	return page.Execute(out, areas)
}
