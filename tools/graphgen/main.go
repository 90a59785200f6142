// Graphgen makes Go code of the GraphQL operations. It runs genqlient, which checks every operation against the schema,
// and then changes what genqlient made in the ways that the library needs and genqlient cannot be told:
//
//   - Records are decoded by the library's own call path. genqlient's UnmarshalJSON methods read a body once more for
//     each level of interfaces in it, and refuse an answer with a type that the schema did not have.
//   - Each interface gets a variant for types that are younger than the schema: its common fields, and its raw JSON.
//   - The code depends on three small types of the package that it stands in, not on genqlient's own packages.
//   - A filter leaves out what it does not set, rather than sending null.
//   - Initialisms are in capitals, as Go's style has them.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"

	"github.com/Khan/genqlient/generate"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: graphgen CONFIG")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal("graphgen: ", err)
	}
}

// run writes what the configuration asks for.
func run(config string) error {
	files, err := generated(config)
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

// generated makes the files that the configuration asks for.
func generated(config string) (map[string][]byte, error) {
	settings, err := generate.ReadAndValidateConfig(config)
	if err != nil {
		return nil, err
	}
	files, err := generate.Generate(settings)
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		if files[name], err = adapt(text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// adapt turns genqlient's code into the library's.
func adapt(text []byte) ([]byte, error) {
	before, err := parse(text)
	if err != nil {
		return nil, err
	}
	interfaces, err := before.interfaces()
	if err != nil {
		return nil, err
	}
	stripped := before.strip(interfaces)
	after, err := parse(stripped)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Write(stripped)
	if err := after.writeVariants(&out, interfaces); err != nil {
		return nil, err
	}
	after.writeOperations(&out)
	source, err := format.Source(out.Bytes())
	if err != nil {
		return nil, err
	}
	return capitalize(source)
}
