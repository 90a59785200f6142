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

// switches is the source of the functions by which the mutated package checks which mutant is active.
//
//go:embed runtime.go.txt
var switches string

// imported contains the imports of switches.
var imported = []string{"cmp", "os", "strconv", "sync/atomic"}

// rewrite returns the sources of the package with all mutants, by file name. If a mutant does not type-check, it is
// dropped; dropped contains the groups of such mutants, by file.
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

// edited returns the mutated source of a file, and the positions of the edits in it.
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
	end := int(f.syntax.Name.End() - f.syntax.FileStart) // End of the package clause.
	return slices.Insert(source, end, imports...), spans
}

// innermost returns the group of the innermost span around a position, or 0.
func innermost(spans []span, at int) int {
	best := span{}
	for _, s := range spans {
		if s.group != 0 && s.from <= at && at <= s.to && (best.group == 0 || s.to-s.from < best.to-best.from) {
			best = s
		}
	}
	return best.group
}

// overlay writes the sources into a folder, with the overlay file for the go command.
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
