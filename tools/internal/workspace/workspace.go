// Package workspace finds the project around a tool. The tools are a module outside the workspace and are run with
// GOWORK=off; what they ask the go command about is inside, with [Environment].
package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folder returns the folder of the workspace that the working directory is in.
func Folder() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.work")); err == nil {
			return folder, nil
		}
		up := filepath.Dir(folder)
		if up == folder {
			return "", errors.New("no go.work here or above")
		}
		folder = up
	}
}

// Environment returns the environment of a go command that sees the workspace.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "GOWORK=") })
}
