package clienttest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestTheDrawingIsTrue holds the arrows of docs/architecture.md against the imports of the packages that it shows.
func TestTheDrawingIsTrue(t *testing.T) {
	race.Skip(t)
	page := must(os.ReadFile("../../docs/architecture.md"))(t)
	drawing, _, _ := strings.Cut(string(page), "\n```\n")
	boxes := map[string]string{} // The name of a box by the path of its package.
	for _, box := range regexp.MustCompile(`(?m)^ +(\w+)\["([\w/]+)<br/>`).FindAllStringSubmatch(drawing, -1) {
		boxes[strings.TrimSuffix(module+"/"+box[2], "/rpcfleet")] = box[1]
	}
	require.Contains(t, boxes, module, "the root package has a box")
	drawn := map[string]bool{}
	for _, arrow := range regexp.MustCompile(`(?m)^ +\w+ --> \w+$`).FindAllString(drawing, -1) {
		drawn[strings.TrimSpace(arrow)] = true
	}
	arguments := []string{"list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`}
	for path := range boxes {
		arguments = append(arguments, path)
	}
	list := exec.Command("go", arguments...)
	list.Dir = "../.."
	output := must(list.Output())(t)
	imported := map[string]bool{}
	for line := range strings.Lines(string(output)) {
		paths := strings.Fields(line)
		for _, path := range paths[1:] {
			if !strings.HasPrefix(path, module) {
				continue
			}
			if assert.Contains(t, boxes, path, "a package without a box") {
				imported[boxes[paths[0]]+" --> "+boxes[path]] = true
			}
		}
	}
	assert.Equal(t, imported, drawn)
}

// TestTypeNamesMeanOneThing: no two packages that a caller uses have a type of the same name. Option is the exception:
// in any package, it is the parameter of New.
func TestTypeNamesMeanOneThing(t *testing.T) {
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

// TestParametersArePassedOneWay: every method of a service takes a context, then ids and other single values, then at
// most one struct of parameters by value, then options of the call. The struct is one of the area's package, so that
// there is one place to look for it, or named Options if it says how the library goes about something. MakeRequest is
// an interface of genqlient's.
func TestParametersArePassedOneWay(t *testing.T) {
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
