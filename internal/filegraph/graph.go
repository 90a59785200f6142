package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// graph has the files of a package, and for each the files whose declarations it uses.
type graph map[string][]string

// load reads the package in a folder, without its tests.
func load(dir string) (graph, error) {
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	exports, err := exportData(dir)
	if err != nil {
		return nil, err
	}
	return uses(fset, files, importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	}))
}

// exportData returns the files in which the compiler says what the packages declare that the one in a folder depends
// on.
func exportData(dir string) (map[string]string, error) {
	list := exec.Command("go", "list", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}")
	list.Dir, list.Stderr = dir, os.Stderr
	lines, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(lines)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[path] = file
	}
	return exports, nil
}

// uses looks up in which file each name that the files use was declared.
func uses(fset *token.FileSet, files []*ast.File, imports types.Importer) (graph, error) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports}
	pkg, err := config.Check(".", fset, files, info)
	if err != nil {
		return nil, err
	}
	found := map[string]map[string]bool{}
	fileOf := func(pos token.Pos) string { return filepath.Base(fset.Position(pos).Filename) }
	for _, file := range files {
		found[fileOf(file.Pos())] = map[string]bool{}
	}
	for ident, object := range info.Uses {
		from := fileOf(ident.Pos())
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		if to := fileOf(object.Pos()); to != from {
			found[from][to] = true
		}
	}
	result := graph{}
	for file, used := range found {
		result[file] = slices.Sorted(maps.Keys(used))
	}
	return result, nil
}

// files returns the files in alphabetical order.
func (g graph) files() []string { return slices.Sorted(maps.Keys(g)) }

// String is the graph, a file a line, and then its cycles.
func (g graph) String() string {
	text := ""
	for _, file := range g.files() {
		text += fmt.Sprintf("%s -> %v\n", file, g[file])
	}
	for _, cycle := range g.cycles() {
		text += fmt.Sprintf("cycle of %d: %v\n", len(cycle), cycle)
	}
	return text
}
