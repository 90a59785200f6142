package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/tools/internal/workspace"
)

// module is a dependency in one version.
type module struct {
	Path, Version, Dir string
	Main               bool

	group    int             // The first of the groups that need it.
	packages map[string]bool // The folders of its packages that are used.
	licence  string
}

// group is a part of the project, with the patterns of its packages. The nearer one is to a caller, the earlier it stands.
type group struct {
	name     string
	folder   string
	patterns []string
}

// groups are the parts of the project.
func groups(root string) ([]group, error) {
	contrib := group{"`contrib/`", root, nil}
	files, err := filepath.Glob(filepath.Join(root, "contrib", "*", "go.mod"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		contrib.patterns = append(contrib.patterns, filepath.Dir(file)+"/...")
	}
	return []group{
		{"the library", root, []string{"."}},
		{"the emulator", root, []string{"./emulator/..."}},
		contrib,
		{"examples and tests", root, []string{"-test", "work"}},
		{"`tools/`", filepath.Join(root, "tools"), []string{"-test", "./...", "tool"}},
	}, nil
}

// systems are those whose builds may need different modules.
var systems = []string{"linux", "darwin", "windows"}

// needed returns the modules that the groups pull in, those of callers first.
func needed(root string) ([]module, error) {
	parts, err := groups(root)
	if err != nil {
		return nil, err
	}
	found := map[string]module{}
	for i, part := range parts {
		for _, system := range systems {
			if err := part.collect(i, system, found); err != nil {
				return nil, err
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b module) int {
		return cmp.Or(a.group-b.group, cmp.Compare(a.Path, b.Path), cmp.Compare(a.Version, b.Version))
	}), nil
}

// collect adds what go list says of a group's packages.
func (g group) collect(number int, system string, found map[string]module) error {
	command := exec.Command("go", append([]string{"list", "-deps", "-json=Dir,Module"}, g.patterns...)...)
	command.Dir, command.Stderr = g.folder, os.Stderr
	command.Env = append(workspace.Environment(), "GOOS="+system, "CGO_ENABLED=0")
	if filepath.Base(g.folder) == "tools" {
		command.Env = append(command.Env, "GOWORK=off")
	}
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("go list of %s for %s: %w", g.name, system, err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir    string
			Module *module
		}
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case p.Module == nil || p.Module.Version == "": // The standard library, and the project itself.
			continue
		}
		key := p.Module.Path + "@" + p.Module.Version
		known, is := found[key]
		if !is {
			known = *p.Module
			known.group, known.packages = number, map[string]bool{}
			found[key] = known
		}
		known.packages[p.Dir] = true
	}
}
