package scan_test

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPackage_isUnder400Lines limits the price of our own scanner: fewer than 400 lines that are neither blank nor
// comments. Fields and records are read in package api, and interfaces by the JSON library.
func TestPackage_isUnder400Lines(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	lines := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "variant.go" {
			continue
		}
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		lines += codeLines(source)
	}
	assert.Less(t, lines, 400)
	assert.Greater(t, lines, 100, "the lines are counted")
}

func codeLines(source []byte) int {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	lines := map[int]bool{}
	for {
		position, kind, _ := s.Scan()
		if kind == token.EOF {
			return len(lines)
		}
		lines[file.Line(position)] = true
	}
}
