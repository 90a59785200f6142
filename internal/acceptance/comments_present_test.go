package acceptance

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// foreign are the packages with code from generators that are not ours. Their comments are not ours either.
var foreign = []string{"../../emulator/internal/adminapi", "../../emulator/internal/alertsapi",
	"../../examples/ownqueries"}

// TestEveryExportedNameHasAComment covers every package of the project, generated code included, which linters leave
// out: a comment of the package that stands alone, and one of each function, type, method, constant and variable that
// begins with the name.
func TestEveryExportedNameHasAComment(t *testing.T) {
	for _, folder := range folders(t) {
		p := documentation(t, folder)
		if p.Name != "main" {
			assert.Regexp(t, `^Package `+p.Name+` [^\n]`, p.Doc, "%s: the comment of the package", folder)
		}
		assert.NotEmpty(t, p.Doc, "%s: the comment of the package", folder)
		if slices.Contains(foreign, folder) {
			continue
		}
		for name, comment := range comments(p) {
			words := append(strings.Fields(comment), "", "")
			if slices.Contains([]string{"A", "An", "The"}, words[0]) {
				words = words[1:]
			}
			assert.Equal(t, name[strings.LastIndex(name, ".")+1:], words[0], "%s: the comment of %s begins with its name",
				folder, name)
		}
		for _, name := range valuesWithoutComment(p) {
			assert.Fail(t, "no comment", "%s: %s", folder, name)
		}
	}
}

// comments are the comments of functions, types and methods, by name.
func comments(p *doc.Package) map[string]string {
	all := map[string]string{}
	for _, f := range p.Funcs {
		all[f.Name] = f.Doc
	}
	for _, ty := range p.Types {
		all[ty.Name] = ty.Doc
		for _, f := range ty.Funcs {
			all[f.Name] = f.Doc
		}
		for _, m := range ty.Methods {
			all[ty.Name+"."+m.Name] = m.Doc
		}
	}
	return all
}

// valuesWithoutComment are constants and variables that neither have a comment nor stand in a group that has one.
func valuesWithoutComment(p *doc.Package) []string {
	groups := slices.Concat(p.Consts, p.Vars)
	for _, ty := range p.Types {
		groups = slices.Concat(groups, ty.Consts, ty.Vars)
	}
	var names []string
	for _, group := range groups {
		for _, spec := range group.Decl.Specs {
			if value := spec.(*ast.ValueSpec); group.Doc+value.Doc.Text()+value.Comment.Text() == "" {
				for _, name := range value.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// folders are the folders with a package that does not belong to a test.
func folders(t *testing.T) []string {
	t.Helper()
	var all []string
	require.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "../.." &&
			(entry.Name() == "testdata" || entry.Name() == "generated" || entry.Name()[0] == '.'):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			all = append(all, filepath.ToSlash(filepath.Dir(path)))
		}
		return nil
	}))
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// documentation is the output of go doc for a package, and for a main package its exported names too.
func documentation(t *testing.T, folder string) *doc.Package {
	t.Helper()
	files := token.NewFileSet()
	names := must(filepath.Glob(filepath.Join(folder, "*.go")))(t)
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := must(parser.ParseFile(files, name, nil, parser.ParseComments))(t)
		parsed = append(parsed, file)
	}
	path := strings.TrimPrefix(filepath.ToSlash(folder), "../..")
	documentation := must(doc.NewFromFiles(files, parsed, "github.com/rpcfleet/rpcfleet-go"+path))(t)
	return documentation
}
