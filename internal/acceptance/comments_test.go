package acceptance

import (
	"context"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

var request = regexp.MustCompile(`(?m)^(?:GET|POST|PUT|PATCH|DELETE) /\S+$`)

// TestComments_methodsNameRequests reconciles the comments of the services' methods with the tables of operations: a
// method names the request that it sends, which is one of its service's, and every operation is named by a method.
func TestComments_methodsNameRequests(t *testing.T) {
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
			if tag == "Graph" { // All send the same.
				found = request.FindAllString(service.Doc, -1)
			}
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

// TestExamples_everyServiceHasOne: go doc shows an example at a method of each service.
func TestExamples_everyServiceHasOne(t *testing.T) {
	var text strings.Builder
	for _, name := range must(filepath.Glob("../../example_*_test.go"))(t) {
		text.Write(must(os.ReadFile(name))(t))
	}
	for service := range reflect.TypeFor[rpcfleet.Client]().Fields() {
		if service.IsExported() {
			name := "Example" + service.Type.Elem().Name() + "_"
			assert.True(t, strings.Contains(text.String(), "func "+name), name)
		}
	}
}

// local are methods that send nothing by themselves.
var local = map[string]bool{"Graph.With": true}

// facade is the documentation of the root package.
func facade(t *testing.T) *doc.Package {
	t.Helper()
	return documentation(t, "../..")
}

// foreign are the packages with code from generators that are not ours. Their comments are not ours either.
var foreign = []string{"../../emulator/internal/adminapi", "../../emulator/internal/alertsapi",
	"../../emulator/internal/webhooksapi", "../../emulator/internal/keyvalueapi", "../../emulator/internal/streamsapi",
	"../../examples/ownqueries"}

// TestComments_everyExportedName covers every package of the project, generated code included, which linters leave
// out: a comment of the package that stands alone, and one of each function, type, method, constant and variable that
// begins with the name.
func TestComments_everyExportedName(t *testing.T) {
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

// TestComments_recordsDoNotRepeat looks for comments that occur more than three times in a package of records: they say
// nothing about the field. A comment of a field begins with its name.
func TestComments_recordsDoNotRepeat(t *testing.T) {
	for _, folder := range []string{"admin", "alerts", "graph", "webhooks", "streams"} {
		counted := map[string]int{}
		for _, name := range must(filepath.Glob("../../" + folder + "/*.go"))(t) {
			ast.Inspect(must(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments))(t), func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CommentGroup:
					counted[n.Text()]++
				case *ast.Field:
					if n.Doc != nil && len(n.Names) > 0 {
						first, _, _ := strings.Cut(n.Doc.Text(), " ")
						assert.Equal(t, n.Names[0].Name, first, "%s: the comment of a field begins with its name", name)
					}
				}
				return true
			})
		}
		delete(counted, "")
		assert.Greater(t, len(counted), 30, folder)
		maps.DeleteFunc(counted, func(_ string, times int) bool { return times <= 3 })
		assert.Empty(t, counted, "%s: comments with their counts", folder)
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

var (
	printingMethod = regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?(\w+)(?:\[\w+\])?\) (?:Format|String|Error)\(`)
	structType     = regexp.MustCompile(`(?ms)^type (\w+)(?:\[[^\n]*\])? struct \{\n(.*?)^\}`)
	pointerField   = regexp.MustCompile(`(?m)^\t(\w+) +(?:\[\]|map\[\w+\])?\*([\w.]+)`)
)

// TestExportedStructs_printNoAddresses looks in the lists of api/ for pointers that fmt would print as addresses: in
// structs that do not print themselves, and to values that do not either. The services of a Client are not data.
func TestExportedStructs_printNoAddresses(t *testing.T) {
	prints, fields := map[string]bool{}, map[string]string{} // By the names of types and of fields.
	require.NoError(t, filepath.WalkDir("../../api", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		pkg := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".txt") + "."
		for _, method := range printingMethod.FindAllStringSubmatch(string(text), -1) {
			prints[pkg+method[1]] = true
		}
		for _, record := range structType.FindAllStringSubmatch(string(text), -1) {
			for _, field := range pointerField.FindAllStringSubmatch(record[2], -1) {
				target := field[2]
				if !strings.Contains(target, ".") {
					target = pkg + target
				}
				fields[pkg+record[1]+"."+field[1]] = target
			}
		}
		return err
	}))
	require.Greater(t, len(fields), 100)
	for field, target := range fields {
		owner := field[:strings.LastIndex(field, ".")]
		assert.True(t, prints[owner] || prints[target] || owner == "rpcfleet.Client", "%s is printed as an address", field)
	}
}

// TestOpenAPI_filesAreValid lets the validator judge the files, examples included.
func TestOpenAPI_filesAreValid(t *testing.T) {
	race.Skip(t)
	for _, a := range areas {
		doc, err := read(a.file)
		require.NoError(t, err, a.file)
		require.NoError(t, doc.Validate(context.Background()), a.file)
		assert.Equal(t, "3.0.3", doc.OpenAPI)
	}
}

// TestOpenAPI_operationsAreMarked checks the marks on operations, and that the generated table repeats them.
func TestOpenAPI_operationsAreMarked(t *testing.T) {
	ranks := []string{"contract", "observed", "assumed"}
	operations(func(a *area, path, method string, op *openapi3.Operation) {
		name := method + " " + path
		i := slices.IndexFunc(a.table, func(row rpcfleet.Operation) bool { return row.ID == op.OperationID })
		if !assert.GreaterOrEqual(t, i, 0, "%s is not in the generated table", name) {
			return
		}
		row := a.table[i]
		assert.Equal(t, path, row.Path)
		assert.Equal(t, method, row.Method)
		assert.Equal(t, source(op.Extensions), row.Source, name)
		assert.Contains(t, ranks, row.Source, name)
		assert.Equal(t, op.Extensions["x-idempotent"], row.Idempotent, name)
		assert.Equal(t, op.Extensions["x-paging"], row.Paging, name)
		assert.Equal(t, op.Extensions["x-response"], row.Response, name)
		assert.Equal(t, op.Deprecated, row.Deprecated, name)
		assert.Len(t, op.Tags, 1, name)
		assert.NotEmpty(t, op.Summary, name)
		assert.NotNil(t, op.Responses.Value("401"), name)
		if method == http.MethodGet {
			assert.True(t, row.Idempotent, name)
		}
		for _, response := range op.Responses.Map() {
			assert.Contains(t, ranks, source(response.Value.Extensions), name)
		}
	})
	for _, a := range areas {
		n := 0
		for _, item := range a.doc.Paths.Map() {
			n += len(item.Operations())
		}
		assert.Len(t, a.table, n, a.name)
	}
}

// TestOpenAPI_objectsAreNamed checks that every object of the files has its own name, which becomes the name of a Go
// type.
func TestOpenAPI_objectsAreNamed(t *testing.T) {
	var visit func(where string, ref *openapi3.SchemaRef, named bool)
	visit = func(where string, ref *openapi3.SchemaRef, named bool) {
		if ref == nil || ref.Ref != "" && !named {
			return
		}
		schema := ref.Value
		if schema.Type.Is("object") && schema.AdditionalProperties.Schema == nil {
			assert.True(t, named, "%s is an anonymous object", where)
		}
		for name, property := range schema.Properties {
			visit(where+"."+name, property, false)
		}
		visit(where+"[]", schema.Items, false)
		visit(where+"{}", schema.AdditionalProperties.Schema, false)
	}
	for _, a := range areas {
		for name, ref := range a.doc.Components.Schemas {
			visit(name, ref, true)
			assert.NotEmpty(t, ref.Value.Description, "%s has no description", name)
		}
	}
	operations(func(_ *area, path, method string, op *openapi3.Operation) {
		if op.RequestBody != nil {
			visit(method+" "+path, op.RequestBody.Value.Content.Get("application/json").Schema, false)
		}
		for code, response := range op.Responses.Map() {
			for _, media := range response.Value.Content {
				visit(fmt.Sprintf("%s %s %s", method, path, code), media.Schema, false)
			}
		}
	})
}
