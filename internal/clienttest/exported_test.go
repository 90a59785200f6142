package clienttest

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

const module = "github.com/rpcfleet/rpcfleet-go"

// exported is the exported API of the library's packages.
type exported struct {
	functions []types.Object
	types     []*types.Named
	// mentioned are the types in the signatures and fields of what was walked over.
	mentioned map[*types.Named]bool
}

// loadExported returns the API of packages, from what the compiler exports.
func loadExported(t *testing.T, packages ...string) *exported {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, packages...)...)
	list.Dir = "../.."
	output, err := list.Output()
	require.NoError(t, err)
	files := map[string]string{}
	for line := range strings.Lines(string(output)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	e := &exported{mentioned: map[*types.Named]bool{}}
	for _, path := range packages {
		imported, err := compiled.Import(path)
		require.NoError(t, err)
		for _, name := range imported.Scope().Names() {
			switch object := imported.Scope().Lookup(name).(type) {
			case *types.TypeName:
				if named, is := object.Type().(*types.Named); is && object.Exported() && !object.IsAlias() {
					e.types = append(e.types, named)
				}
			case *types.Func, *types.Var:
				if object.Exported() {
					e.functions = append(e.functions, object)
				}
			}
		}
	}
	return e
}

// walk adds the types that a type mentions in its exported fields, methods and elements, and what these mention.
func (e *exported) walk(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		e.walk(types.Unalias(t))
	case *types.Named:
		e.walkNamed(t)
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				e.walk(field.Type())
			}
		}
	case *types.Signature:
		for parameter := range t.Params().Variables() {
			e.walk(parameter.Type())
		}
		for result := range t.Results().Variables() {
			e.walk(result.Type())
		}
	case *types.Interface:
		for method := range t.Methods() {
			e.walk(method.Type())
		}
	case *types.Map:
		e.walk(t.Key())
		e.walk(t.Elem())
	case interface{ Elem() types.Type }: // A pointer, a list or a channel.
		e.walk(t.Elem())
	}
}

func (e *exported) walkNamed(t *types.Named) {
	for argument := range t.TypeArgs().Types() {
		e.walk(argument)
	}
	t = t.Origin()
	if e.mentioned[t] {
		return
	}
	e.mentioned[t] = true
	if pkg := t.Obj().Pkg(); pkg == nil || !strings.HasPrefix(pkg.Path(), module) {
		return
	}
	e.walk(t.Underlying())
	for method := range t.Methods() {
		if method.Exported() {
			e.walk(method.Type())
		}
	}
}

// implements reports whether a record implements one of the library's interfaces that are mentioned.
func (e *exported) implements(record *types.Named) bool {
	for named := range e.mentioned {
		face, is := named.Underlying().(*types.Interface)
		if is && slices.Contains(e.types, named) && types.Implements(types.NewPointer(record), face) {
			return true
		}
	}
	return false
}

// TestExportedAPINamesNoTypeOfTheJSONLibrary: its version is 0, so its types may change, and callers would not compile.
func TestExportedAPINamesNoTypeOfTheJSONLibrary(t *testing.T) {
	race.Skip(t)
	e := loadExported(t, module, module+"/admin", module+"/alerts", module+"/alerts/replaytest", module+"/graph",
		module+"/scalar", module+"/emulator")
	for _, object := range e.functions {
		e.walk(object.Type())
	}
	for _, named := range e.types {
		e.walk(named)
	}
	for named := range e.mentioned {
		if pkg := named.Obj().Pkg(); pkg != nil {
			assert.NotContains(t, pkg.Path(), "go-json-experiment", "%s is in a signature", named)
		}
	}
	require.Greater(t, len(e.mentioned), 300, "types that were looked at")
}

// TestExportedRecordsAreUsed: every type of the areas is taken or returned by a function or method, is a field of a type
// that is, or implements an interface that is. Other records are internal.
func TestExportedRecordsAreUsed(t *testing.T) {
	race.Skip(t)
	areas := loadExported(t, module+"/admin", module+"/alerts", module+"/graph", module)
	for _, object := range areas.functions {
		areas.walk(object.Type())
	}
	for before := 0; before != len(areas.mentioned); {
		before = len(areas.mentioned)
		for _, record := range areas.types {
			if areas.implements(record) {
				areas.walk(record)
			}
		}
	}
	for _, record := range areas.types {
		switch record.Obj().Name() {
		case "Signer", "ContentVerifier": // Callers make them, and call their methods.
			continue
		}
		if record.Obj().Pkg().Path() != module {
			assert.True(t, areas.mentioned[record], "no function or method takes or returns %s", record)
		}
	}
}
