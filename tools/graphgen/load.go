package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"go.yaml.in/yaml/v3"
)

// config says what to read and what to write.
type config struct {
	Schema, Queries, Records, Wire, Contract string
	// Scalars are the Go types of the schema's own scalars, with the paths of their packages.
	Scalars map[string]string
	// Kinds are what those are written as in JSON, as words with "or" between them. One without may be any value.
	Kinds map[string]string
	// Identities are the names of the fields without which a record is of no use.
	Identities []string
}

// readConfig reads a configuration. One with a field that means nothing here is refused.
func readConfig(name string) (*config, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c := &config{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(c); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, path := range []*string{&c.Schema, &c.Queries, &c.Records, &c.Wire, &c.Contract} {
		*path = filepath.Join(filepath.Dir(name), *path)
	}
	return c, nil
}

// load reads the schema and the queries, and checks the queries against the schema.
func load(c *config) (*generator, error) {
	source, err := read(c.Schema)
	if err != nil {
		return nil, err
	}
	schema, err := gqlparser.LoadSchema(source)
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(c.Queries)
	if err != nil {
		return nil, err
	}
	queries := &ast.QueryDocument{}
	for _, name := range names {
		if source, err = read(name); err != nil {
			return nil, err
		}
		parsed, err := parser.ParseQuery(source)
		if err != nil {
			return nil, err
		}
		queries.Operations = append(queries.Operations, parsed.Operations...)
		queries.Fragments = append(queries.Fragments, parsed.Fragments...)
	}
	if problems := validator.Validate(schema, queries); problems != nil {
		return nil, problems
	}
	return newGenerator(c, schema, queries), nil
}

func read(name string) (*ast.Source, error) {
	text, err := os.ReadFile(name)
	return &ast.Source{Name: name, Input: string(text)}, err
}

// refuse notes, once, that there is no code for what stands at a position.
func (g *generator) refuse(at *ast.Position, format string, args ...any) {
	problem := gqlerror.ErrorPosf(at, format, args...)
	if !slices.ContainsFunc(g.problems, func(other *gqlerror.Error) bool { return other.Error() == problem.Error() }) {
		g.problems = append(g.problems, problem)
	}
}
