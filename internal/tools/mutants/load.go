package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pkg is the type-checked package to mutate.
type pkg struct {
	Dir, ImportPath, Name string

	GoFiles []string

	fset  *token.FileSet
	files []*file
	types *types.Package
	info  *types.Info
	deps  types.Importer
}

// file is a source file of the package.
type file struct {
	name   string
	source []byte
	syntax *ast.File
	// mutated reports whether the file gets mutants: generated files are only type-checked.
	mutated bool
	edits   edits
	imports map[string]string // By import path, the name in a mutated file.
}

// goCommand runs the go command in a directory, with the directory's workspace.
func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "GOWORK=")
	return cmd
}

// load loads the package in a directory and its imports.
func load(dir string) (*pkg, error) {
	list := []string{"list", "-export", "-deps", "-json=ImportPath,Export,GoFiles,Dir,Name,DepOnly,Standard", "."}
	out, err := goCommand(dir, append(list, imported...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	exports := map[string]string{}
	p := &pkg{fset: token.NewFileSet()}
	for listing := json.NewDecoder(strings.NewReader(string(out))); ; {
		var listed struct {
			pkg

			Export            string
			DepOnly, Standard bool
		}
		if err := listing.Decode(&listed); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[listed.ImportPath] = listed.Export
		if !listed.DepOnly && !listed.Standard {
			p.Dir, p.ImportPath, p.Name, p.GoFiles = listed.Dir, listed.ImportPath, listed.Name, listed.GoFiles
		}
	}
	p.deps = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, name := range p.GoFiles {
		source, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		syntax, err := parser.ParseFile(p.fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, &file{
			name: name, source: source, syntax: syntax, mutated: !ast.IsGenerated(syntax), imports: map[string]string{},
		})
	}
	p.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	var syntax []*ast.File
	for _, f := range p.files {
		syntax = append(syntax, f.syntax)
	}
	p.types, err = (&types.Config{Importer: p.deps}).Check(p.ImportPath, p.fset, syntax, p.info)
	return p, err
}
