package main

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/rpcfleet/rpcfleet-go/tools/internal/workspace"
)

// load reads the packages that a caller can import: those of the library's module and of the modules in contrib/.
func load(root string) (promises, error) {
	config := &packages.Config{Mode: packages.LoadTypes | packages.NeedModule, Dir: root, Env: workspace.Environment()}
	patterns := []string{"./..."}
	contrib, err := filepath.Glob(filepath.Join(root, "contrib", "*", "go.mod"))
	if err != nil {
		return nil, err
	}
	for _, file := range contrib {
		patterns = append(patterns, filepath.Dir(file)+"/...")
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	module := shortest(loaded)
	is := promises{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		if p.Name == "main" || slices.Contains(strings.Split(p.PkgPath, "/"), "internal") {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, module), "/")
		if name == "" {
			name = path.Base(module)
		}
		lines := newLister(module, p.Types).lines()
		slices.Sort(lines)
		is[name+".txt"] = lines
	}
	return is, nil
}

// shortest returns the module path that those of all modules begin with.
func shortest(loaded []*packages.Package) string {
	return slices.MinFunc(loaded, func(a, b *packages.Package) int { return len(a.Module.Path) - len(b.Module.Path) }).Module.Path
}
