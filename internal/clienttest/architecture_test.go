package clienttest

import (
	"cmp"
	"context"
	"maps"
	"os"
	"os/exec"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const module = "github.com/rpcfleet/rpcfleet-go"

// TestArchitecturePage_drawingMatchesImports compares the arrows of docs/architecture.md with the imports of packages:
// there is an arrow for each import between boxes, and each imported package of the project is in a box.
func TestArchitecturePage_drawingMatchesImports(t *testing.T) {
	race.Skip(t)
	page := string(must(os.ReadFile("../../docs/architecture.md"))(t))
	boxes := regexp.MustCompile(`(?m)^ +(\w+)\["([\w/*, ]+)<br/>`).FindAllStringSubmatch(page, -1)
	boxOf := func(name string) string { // The box that lists a package.
		name = strings.TrimPrefix(cmp.Or(strings.TrimPrefix(name, module), "/rpcfleet"), "/")
		for _, box := range boxes {
			for pattern := range strings.SplitSeq(box[2], ", ") {
				if matches, _ := path.Match(pattern, name); matches {
					return box[1]
				}
			}
		}
		return ""
	}
	list := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "work")
	list.Dir = "../.."
	imported := map[string]bool{}
	for line := range strings.Lines(string(must(list.Output())(t))) {
		paths := strings.Fields(line)
		box := boxOf(paths[0])
		for _, other := range paths[1:] {
			if target := boxOf(other); box != "" && box != target && strings.HasPrefix(other, module) {
				assert.NotEmpty(t, target, "%s imports %s, which is in no box", paths[0], other)
				imported[box+" --> "+target] = true
			}
		}
	}
	drawn := regexp.MustCompile(`\w+ --> \w+`).FindAllString(page, -1)
	assert.ElementsMatch(t, slices.Collect(maps.Keys(imported)), drawn)
}

// readAPI returns the exported declarations of a package, as api/ lists them.
func readAPI(t *testing.T, name string) string {
	t.Helper()
	return string(must(os.ReadFile("../../api/" + name + ".txt"))(t))
}

// reach adds the types that a type mentions in its exported fields and methods, and those that these mention.
func reach(of reflect.Type, reached map[reflect.Type]bool) {
	if reached[of] {
		return
	}
	reached[of] = true
	switch of.Kind() {
	case reflect.Map:
		reach(of.Key(), reached)
		reach(of.Elem(), reached)
	case reflect.Pointer, reflect.Slice:
		reach(of.Elem(), reached)
	case reflect.Struct:
		for field := range of.Fields() {
			if field.IsExported() {
				reach(field.Type, reached)
			}
		}
	case reflect.Func:
		for _, mentioned := range slices.AppendSeq(slices.Collect(of.Ins()), of.Outs()) {
			reach(mentioned, reached)
		}
	}
	if strings.Contains(of.String(), ".") && !strings.Contains(of.String(), "reflect.") {
		for method := range of.Methods() {
			reach(method.Type, reached)
		}
	}
}

// TestServices_methodParametersHaveOneOrder: every method of a service takes a context, then ids and other single
// values, then at most one struct of parameters by value, then options of the call. The struct is one of the area's
// package, so that there is one place to look for it, or named Options if it says how the library goes about something.
// It has no Extra, since the fields that a record keeps beside its own are not for sending. MakeRequest is an interface
// of genqlient's.
func TestServices_methodParametersHaveOneOrder(t *testing.T) {
	seen := 0
	for service := range reflect.TypeFor[rpcfleet.Client]().Fields() {
		for method := range service.Type.Methods() {
			in := slices.Collect(method.Type.Ins())[1:]
			if len(in) == 0 || in[0] != reflect.TypeFor[context.Context]() || method.Name == "MakeRequest" {
				continue
			}
			seen++
			name, last := service.Name+"."+method.Name, len(in)-1
			assert.Equal(t, reflect.TypeFor[[]rpcfleet.CallOption](), in[last], "%s takes no options of the call", name)
			for i, of := range in[1:last] {
				assert.NotRegexp(t, `^(\[\])?\*|^map\[string`, of.String(), "%s takes no value", name)
				if of.Kind() != reflect.Struct || strings.HasPrefix(of.String(), "scalar.") || of.PkgPath() == "time" {
					continue // A single value.
				}
				assert.Equal(t, last-2, i, "%s takes %s before another parameter", name, of)
				assert.True(t, of.PkgPath() != module || strings.HasSuffix(of.Name(), "Options"), "%s takes %s", name, of)
				reached := map[reflect.Type]bool{}
				reach(of, reached)
				inUnion := strings.HasPrefix(of.String(), "webhooks.") || strings.HasPrefix(of.String(), "streams.")
				assert.False(t, !inUnion && reached[reflect.TypeFor[scalar.Extra]()], "%s sends Extra", name)
			}
		}
	}
	require.Greater(t, seen, 90, "methods that were looked at")
}

// TestExportedTypes_areReachableFromMethods: every type of the areas is taken or returned by a method, or is a field of
// a type that is. Other records are internal.
func TestExportedTypes_areReachableFromMethods(t *testing.T) {
	reached, names := map[reflect.Type]bool{}, map[string]bool{}
	reach(reflect.TypeFor[rpcfleet.Client](), reached)
	for of := range reached {
		names[of.String()] = true
	}
	for _, area := range []string{"admin", "alerts", "keyvalue"} {
		for _, found := range regexp.MustCompile(`(?m)^type (\w+) [^=]`).FindAllStringSubmatch(readAPI(t, area), -1) {
			signs := strings.HasPrefix(found[1], "HMAC") // Callers make them, and call their methods.
			assert.True(t, signs || names[area+"."+found[1]], "no method takes or returns %s.%s", area, found[1])
		}
	}
}

// TestExportedAPI_hidesTypesOfJSONLibrary: its version is 0, so its types may change, and callers would not compile.
func TestExportedAPI_hidesTypesOfJSONLibrary(t *testing.T) {
	for _, area := range []string{"rpcfleet", "admin", "alerts", "webhooks", "webhooks/replaytest", "graph", "scalar",
		"emulator"} {
		for _, name := range regexp.MustCompile(`\bjson\w*\.[A-Z]\w*`).FindAllString(readAPI(t, area), -1) {
			assert.Equal(t, "json.RawMessage", name, area)
		}
	}
}
