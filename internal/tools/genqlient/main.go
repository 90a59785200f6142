// Genqlient generates the typed queries of the graph area: it runs the generator of github.com/Khan/genqlient on the
// library's schema and queries, and splits its code in two. Package graph gets the public types, with Go's spelling of
// initialisms, interfaces without pointers, and a record for unknown types. Package graphql gets the documents, the
// variables and the data of responses, as one struct each. The decoding methods of genqlient are left out: they parse a
// response several times.
//
//	go run ./genqlient CONFIG QUERIES
package main

import (
	"bytes"
	"embed"
	"log"
	"os"
	"text/template"

	"github.com/Khan/genqlient/generate"
	"golang.org/x/tools/imports"
)

//go:embed *.tmpl
var files embed.FS

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: genqlient CONFIG QUERIES")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

// run writes the records to the file named in the configuration, and the queries to the other file.
func run(configuration, queries string) error {
	config, err := generate.ReadAndValidateConfig(configuration)
	if err != nil {
		return err
	}
	generated, err := generate.Generate(config)
	if err != nil {
		return err
	}
	c, err := parse(generated[config.Generated])
	if err != nil {
		return err
	}
	templates, err := template.New("").ParseFS(files, "*.tmpl")
	if err != nil {
		return err
	}
	for name, with := range map[string]string{config.Generated: "records.tmpl", queries: "queries.tmpl"} {
		var text bytes.Buffer
		if c.Package = ""; name == queries {
			c.Package = "graph."
		}
		if err := templates.ExecuteTemplate(&text, with, c); err != nil {
			return err
		}
		source, err := imports.Process(name, text.Bytes(), nil)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, source, 0o644); err != nil {
			return err
		}
	}
	return nil
}
