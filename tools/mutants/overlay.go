package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// switches is the source of what the mutated package asks which mutant is in force.
//
//go:embed runtime.go.txt
var switches string

// imported are the packages that it imports.
var imported = []string{"cmp", "os", "strconv", "sync/atomic"}

// rewrite makes the sources of the package with all mutants in them, by file name. A mutant with which the package has
// no types is dropped; dropped has their groups, by file.
func (p *pkg) rewrite(mutants int) (sources map[string][]byte, dropped map[*file]map[int]bool, err error) {
	dropped = map[*file]map[int]bool{}
	for _, f := range p.files {
		dropped[f] = map[int]bool{}
	}
	for {
		sources = map[string][]byte{"mutants_switches.go": []byte(
			strings.NewReplacer("PACKAGE", p.Name, "COUNT", fmt.Sprint(mutants+1)).Replace(switches))}
		fset := token.NewFileSet()
		var parsed []*ast.File
		spans := map[string][]span{}
		for _, f := range p.files {
			sources[f.name], spans[f.name] = f.edited(dropped[f])
		}
		for _, name := range slices.Sorted(maps.Keys(sources)) {
			syntax, err := parser.ParseFile(fset, name, sources[name], parser.SkipObjectResolution)
			if err != nil {
				return nil, nil, fmt.Errorf("the mutated file has no syntax: %w", err)
			}
			parsed = append(parsed, syntax)
		}
		var wrong []types.Error
		config := types.Config{Importer: p.deps, Error: func(err error) {
			var mistake types.Error
			if errors.As(err, &mistake) {
				wrong = append(wrong, mistake)
			}
		}}
		_, _ = config.Check(p.ImportPath, fset, parsed, nil)
		if len(wrong) == 0 {
			return sources, dropped, nil
		}
		progress := false
		for _, e := range wrong {
			at := fset.Position(e.Pos)
			for _, f := range p.files {
				if group := innermost(spans[f.name], at.Offset); f.name == at.Filename && group != 0 {
					progress = progress || !dropped[f][group]
					dropped[f][group] = true
				}
			}
		}
		if !progress {
			return nil, nil, fmt.Errorf("the mutated package has no types: %w", wrong[0])
		}
	}
}

// edited is the mutated source of a file, and where in it which edits are.
func (f *file) edited(dropped map[int]bool) ([]byte, []span) {
	source, spans := f.edits.apply(f.source, dropped)
	var imports []byte
	for path, name := range f.imports {
		if bytes.Contains(source, []byte(name+".")) {
			imports = fmt.Appendf(imports, "; import %s %q", name, path)
		}
	}
	for i := range spans {
		spans[i].from, spans[i].to = spans[i].from+len(imports), spans[i].to+len(imports)
	}
	end := int(f.syntax.Name.End() - f.syntax.FileStart) // Of the package clause.
	return slices.Insert(source, end, imports...), spans
}

// innermost is the group whose edits lie closest around a place, or 0.
func innermost(spans []span, at int) int {
	best := span{}
	for _, s := range spans {
		if s.group != 0 && s.from <= at && at <= s.to && (best.group == 0 || s.to-s.from < best.to-best.from) {
			best = s
		}
	}
	return best.group
}

// overlay writes the sources into a folder, and the file there that has the go command take them for the package's.
func (p *pkg) overlay(folder string, sources map[string][]byte) (string, error) {
	replace := map[string]string{}
	for name, source := range sources {
		written := filepath.Join(folder, name)
		if err := os.WriteFile(written, source, 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(p.Dir, name)] = written
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, list, 0o644)
}
