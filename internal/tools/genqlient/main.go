// Genqlient generates the typed queries of the graph area: it runs the generator of github.com/Khan/genqlient on the
// library's schema and queries, and divides its code. Package graph gets the public types, with Go's spelling of
// initialisms, interfaces without pointers, and a record for unknown types. Package graphql gets the queries, and
// decoders that read JSON with package scan, because the decoders of genqlient parse a response several times. The root
// gets the methods of GraphService, with the comments of the queries.
//
//	go run ./genqlient ROOT
package main

import (
	"bytes"
	"embed"
	"log"
	"os"
	"path/filepath"
	"text/template"

	"github.com/Khan/genqlient/generate"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/imports"
)

//go:embed *.tmpl
var files embed.FS

// outputs are the generated files with their templates.
var outputs = map[string]string{
	"graph/graph.gen.go": "records.tmpl", "internal/graphql/queries.gen.go": "queries.tmpl",
	"internal/graphql/decode.gen.go": "decode.tmpl", "services_graph.gen.go": "services.tmpl",
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: genqlient ROOT")
	}
	made, err := run(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for name, source := range made {
		if err := os.WriteFile(name, source, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// run returns the generated files by their names.
func run(root string) (map[string][]byte, error) {
	config, err := generate.ReadAndValidateConfig(filepath.Join(root, "graph", "genqlient.yaml"))
	if err != nil {
		return nil, err
	}
	generated, err := generate.Generate(config)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "graph", "schema.graphql"))
	if err != nil {
		return nil, err
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: string(text)})
	if err != nil {
		return nil, err
	}
	c, err := parse(generated[config.Generated])
	if err != nil {
		return nil, err
	}
	for _, r := range c.types {
		if r.Typename != "" {
			r.Doc = schema.Types[r.Typename].Description
		}
	}
	templates, err := template.New("").ParseFS(files, "*.tmpl")
	if err != nil {
		return nil, err
	}
	made := map[string][]byte{}
	for output, with := range outputs {
		var text bytes.Buffer
		if c.Package = "graph."; with == "records.tmpl" {
			c.Package = ""
		}
		if err := templates.ExecuteTemplate(&text, with, c); err != nil {
			return nil, err
		}
		name := filepath.Join(root, output)
		if made[name], err = imports.Process(name, text.Bytes(), nil); err != nil {
			return nil, err
		}
	}
	return made, nil
}
