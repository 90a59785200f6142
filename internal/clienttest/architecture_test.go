package clienttest

import (
	"context"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

const module = "github.com/rpcfleet/rpcfleet-go"

// TestTheDrawingsAreTrue holds the arrows of docs/architecture.md against the imports of the packages that it shows: a
// drawing has an arrow for each import between its boxes, and each import is in a drawing.
func TestTheDrawingsAreTrue(t *testing.T) {
	race.Skip(t)
	page := must(os.ReadFile("../../docs/architecture.md"))(t)
	list := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "work")
	list.Dir = "../.."
	output := must(list.Output())(t)
	imports := map[string][]string{} // By the path of the importing package.
	for line := range strings.Lines(string(output)) {
		paths := strings.Fields(line)
		imports[paths[0]] = slices.DeleteFunc(paths[1:], func(path string) bool { return !strings.HasPrefix(path, module) })
	}
	inDrawings, shown := map[string]bool{}, map[[2]string]bool{} // Packages and imports.
	drawings := regexp.MustCompile("(?ms)^flowchart TD\n(.*?)^```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, drawings, 2)
	for _, drawing := range drawings {
		boxes := map[string]string{} // The name of a box by the path of its package.
		for _, box := range regexp.MustCompile(`(?m)^ +(\w+)\["([\w/]+)<br/>`).FindAllStringSubmatch(drawing[1], -1) {
			boxes[strings.TrimSuffix(module+"/"+box[2], "/rpcfleet")] = box[1]
		}
		assert.LessOrEqual(t, len(boxes), 20, "boxes of a drawing")
		var drawn, imported []string
		for _, arrow := range regexp.MustCompile(`(?m)^ +(\w+ --> \w+)$`).FindAllStringSubmatch(drawing[1], -1) {
			drawn = append(drawn, arrow[1])
		}
		for path, box := range boxes {
			inDrawings[path] = true
			for _, other := range imports[path] {
				if boxes[other] != "" {
					imported = append(imported, box+" --> "+boxes[other])
					shown[[2]string{path, other}] = true
				}
			}
		}
		assert.ElementsMatch(t, imported, drawn)
	}
	for path := range inDrawings {
		for _, other := range imports[path] {
			assert.Contains(t, shown, [2]string{path, other}, "an import that no drawing shows")
		}
	}
}

// TestPackages_typeNamesAreUnique: no two packages that a caller uses have a type of the same name. Option is the
// exception: in any package, it is the parameter of New.
func TestPackages_typeNamesAreUnique(t *testing.T) {
	race.Skip(t)
	owners := map[string][]string{}
	for _, named := range loadExported(t, module, module+"/admin", module+"/alerts", module+"/graph", module+"/scalar",
		module+"/emulator").types {
		name := named.Obj().Name()
		owners[name] = append(owners[name], named.Obj().Pkg().Path())
	}
	assert.Equal(t, []string{module, module + "/emulator"}, owners["Option"])
	delete(owners, "Option")
	require.Greater(t, len(owners), 200)
	for name, packages := range owners {
		assert.Len(t, packages, 1, "%s is a type of several packages: %v", name, packages)
	}
}

// TestServices_methodParametersHaveOneOrder: every method of a service takes a context, then ids and other single
// values, then at most one struct of parameters by value, then options of the call. The struct is one of the area's
// package, so that there is one place to look for it, or named Options if it says how the library goes about something.
// MakeRequest is an interface of genqlient's.
func TestServices_methodParametersHaveOneOrder(t *testing.T) {
	client := reflect.TypeFor[rpcfleet.Client]()
	seen := 0
	for field := range client.Fields() {
		if !field.IsExported() || field.Type.Kind() != reflect.Pointer {
			continue
		}
		for method := range field.Type.Methods() {
			if method.Type.NumIn() < 2 || method.Type.In(1) != reflect.TypeFor[context.Context]() ||
				method.Name == "MakeRequest" {
				continue
			}
			seen++
			assert.NoError(t, passedOneWay(method.Type, 2), "%s.%s", field.Name, method.Name)
		}
	}
	require.Greater(t, seen, 90, "methods that were looked at")
}

// passedOneWay returns an error if the parameters of a function are wrong from a position on, which is behind the
// context.
func passedOneWay(function reflect.Type, from int) error {
	last := function.NumIn() - 1
	if !function.IsVariadic() || function.In(last) != reflect.TypeFor[[]rpcfleet.CallOption]() {
		return fmt.Errorf("takes no options of the call")
	}
	for i := from; i < last; i++ {
		switch parameter := function.In(i); {
		case parameter.Kind() == reflect.Slice && parameter.Elem().Kind() != reflect.Pointer:
		case parameter.Kind() == reflect.Pointer, parameter.Kind() == reflect.Slice, parameter.Kind() == reflect.Map:
			return fmt.Errorf("takes a %s, not a value", parameter)
		case parameter.Kind() != reflect.Struct, isValue(parameter):
		case i != last-1:
			return fmt.Errorf("takes a %s that is not the last parameter", parameter)
		case !isParameters(parameter):
			return fmt.Errorf("takes a %s, which is neither of an area's package nor named Options", parameter)
		}
	}
	return nil
}

// isValue reports whether a struct is a single value.
func isValue(parameter reflect.Type) bool {
	return parameter == reflect.TypeFor[time.Time]() || strings.HasSuffix(parameter.PkgPath(), "/scalar")
}

// isParameters reports whether a struct may hold parameters.
func isParameters(parameter reflect.Type) bool {
	area := parameter.PkgPath()[strings.LastIndexByte(parameter.PkgPath(), '/')+1:]
	switch area {
	case "admin", "alerts", "graph":
		return true
	}
	return strings.HasPrefix(parameter.String(), "rpcfleet.") && strings.HasSuffix(parameter.Name(), "Options")
}

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
	output := must(list.Output())(t)
	files := map[string]string{}
	for line := range strings.Lines(string(output)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	e := &exported{mentioned: map[*types.Named]bool{}}
	for _, path := range packages {
		imported := must(compiled.Import(path))(t)
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

// TestExportedAPI_hidesTypesOfJSONLibrary: its version is 0, so its types may change, and callers would not compile.
func TestExportedAPI_hidesTypesOfJSONLibrary(t *testing.T) {
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

// TestExportedTypes_areReachableFromMethods: every type of the areas is taken or returned by a function or method, is a
// field of a type that is, or implements an interface that is. Other records are internal.
func TestExportedTypes_areReachableFromMethods(t *testing.T) {
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
