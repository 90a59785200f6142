package acceptance

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var request = regexp.MustCompile(`(?m)^(?:GET|POST|PUT|PATCH|DELETE) /\S+$`)

// TestEveryMethodNamesItsRequest reconciles the comments of the services' methods with the tables of operations: a
// method names the request that it sends, which is one of its service's, and every operation is named by a method.
func TestEveryMethodNamesItsRequest(t *testing.T) {
	requests := map[string]string{"POST /graphql": "Graph"} // The service of each request.
	for _, a := range areas {
		for _, op := range a.table {
			requests[op.Method+" "+a.prefix+op.Path] = op.Tag
		}
	}
	named := map[string]bool{}
	for _, service := range facade(t).Types {
		tag, is := strings.CutSuffix(service.Name, "Service")
		if !is {
			continue
		}
		for _, method := range service.Methods {
			name := tag + "." + method.Name
			found := request.FindAllString(method.Doc, -1)
			if local[name] {
				continue
			}
			if !assert.NotEmpty(t, found, "%s names no request", name) {
				continue
			}
			for _, r := range found {
				named[r] = true
				assert.Equal(t, tag, requests[r], "%s names %s", name, r)
			}
		}
	}
	for r, tag := range requests {
		assert.True(t, named[r], "no method of %s names %s", tag, r)
	}
}

// local are methods that send nothing by themselves.
var local = map[string]bool{"Graph.With": true}

// facade is the documentation of the root package.
func facade(t *testing.T) *doc.Package {
	t.Helper()
	files := token.NewFileSet()
	names, err := filepath.Glob("../*.go")
	require.NoError(t, err)
	var parsed []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		require.NoError(t, err)
		parsed = append(parsed, file)
	}
	documentation, err := doc.NewFromFiles(files, parsed, "github.com/rpcfleet/rpcfleet-go")
	require.NoError(t, err)
	return documentation
}

// TestEveryExportedNameHasAComment covers the root package; the linter's rules cover form, not presence.
func TestEveryExportedNameHasAComment(t *testing.T) {
	documentation := facade(t)
	commented := func(name, comment string) { assert.NotEmpty(t, strings.TrimSpace(comment), "%s has no comment", name) }
	for _, f := range documentation.Funcs {
		commented(f.Name, f.Doc)
	}
	for _, ty := range documentation.Types {
		commented(ty.Name, ty.Doc)
		for _, f := range append(ty.Funcs, ty.Methods...) {
			commented(ty.Name+"."+f.Name, f.Doc)
		}
	}
}
