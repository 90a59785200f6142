package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/tools/internal/workspace"
)

// project is the folder with the workspace, and the module path that those of all its modules begin with.
type project struct{ folder, module string }

// projectRoot finds the project around the working directory.
func projectRoot() (project, error) {
	folder, err := workspace.Folder()
	if err != nil {
		return project{}, err
	}
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return project{}, err
	}
	for line := range strings.Lines(string(text)) {
		if module, found := strings.CutPrefix(line, "module "); found {
			return project{folder, strings.TrimSpace(module)}, nil
		}
	}
	return project{}, fmt.Errorf("%s names no module", filepath.Join(folder, "go.mod"))
}
