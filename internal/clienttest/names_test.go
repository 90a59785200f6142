package clienttest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A name means one thing: no two packages that a caller uses have a type of the same name. Option is what New of its
// package takes, in any package.

func TestTypeNamesMeanOneThing(t *testing.T) {
	owners := map[string][]string{}
	for _, folder := range []string{".", "admin", "alerts", "graph", "scalar", "emulator"} {
		names := typeNames(t, folder)
		require.NotEmpty(t, names, folder)
		for _, name := range names {
			owners[name] = append(owners[name], folder)
		}
	}
	for name, folders := range owners {
		if name != "Option" {
			assert.Len(t, folders, 1, "%s is a type of several packages: %v", name, folders)
		}
	}
	assert.Equal(t, []string{".", "emulator"}, owners["Option"])
}

// typeNames returns the exported types of a package, apart from other names for a type, which mean that.
func typeNames(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
	require.NoError(t, err)
	var names []string
	for _, file := range slices.DeleteFunc(files, isTestFile) {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range syntax.Decls {
			types, _ := declaration.(*ast.GenDecl)
			if types == nil || types.Tok != token.TYPE {
				continue
			}
			for _, spec := range types.Specs {
				if spec := spec.(*ast.TypeSpec); spec.Name.IsExported() && !spec.Assign.IsValid() {
					names = append(names, spec.Name.Name)
				}
			}
		}
	}
	return names
}

func isTestFile(file string) bool { return strings.HasSuffix(file, "_test.go") }
