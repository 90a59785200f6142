package clienttest

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
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

// declared matches the first line of a declaration in api/: of a type, or of a function, with its receiver's type.
var declared = regexp.MustCompile(`^(?:type (\w+)|func (?:\((?:\w+ )?\*?(\w+))?)`)

// declarations are the exported types of packages with their methods, as api/ lists them, by package and name. The
// functions of a package are under its name and a dot.
type declarations map[string]string

func readAPI(t *testing.T, packages ...string) declarations {
	t.Helper()
	all := declarations{}
	for _, name := range packages {
		owner := ""
		for line := range strings.Lines(string(must(os.ReadFile("../../api/" + name + ".txt"))(t))) {
			if found := declared.FindStringSubmatch(line); found != nil {
				owner = name + "." + found[1] + found[2]
			} else if !strings.ContainsAny(line[:1], "\t})") { // A constant, a variable or a heading.
				owner = ""
			}
			all[owner] += line
		}
	}
	delete(all, "")
	return all
}

// mentioned matches a type in a declaration, with its package. The name of a field, which comes first, is not one.
var mentioned = regexp.MustCompile(`(?m)^\t(?:[A-Z]\w*(?:, [A-Z]\w*)* +)|(?:(\w+)\.)?\b([A-Z]\w*)`)

// reach adds the types that a declaration mentions, those that these mention, and the implementations of interfaces.
func (d declarations) reach(name string, reached map[string]bool) {
	if reached[name] {
		return
	}
	reached[name] = true
	area, _, _ := strings.Cut(name, ".")
	for _, found := range mentioned.FindAllStringSubmatch(d[name], -1) {
		if other := cmp.Or(found[1], area) + "." + found[2]; d[other] != "" {
			d.reach(other, reached)
		}
	}
	if _, methods, is := strings.Cut(d[name], " interface {\n\t"); is {
		methods, _, _ = strings.Cut(methods, "\n}")
		for other, text := range d {
			lacks := func(method string) bool { return !strings.Contains(text, ") "+method+"\n") }
			if strings.HasPrefix(other, area+".") && !slices.ContainsFunc(strings.Split(methods, "\n\t"), lacks) {
				d.reach(other, reached)
			}
		}
	}
}

// methodWithContext matches a method that takes a context, and what it takes after it.
var methodWithContext = regexp.MustCompile(`(\w+)\(ctx context\.Context(?:, ([^()]*))?\)`)

// TestServices_methodParametersHaveOneOrder: every method of a service takes a context, then ids and other single
// values, then at most one struct of parameters by value, then options of the call. The struct is one of the area's
// package, so that there is one place to look for it, or named Options if it says how the library goes about something.
// MakeRequest is an interface of genqlient's.
func TestServices_methodParametersHaveOneOrder(t *testing.T) {
	api, seen := readAPI(t, "rpcfleet", "admin", "alerts", "graph", "scalar", "webhooks"), 0
	for service, text := range api {
		if !strings.HasSuffix(service, "Service") {
			continue
		}
		for _, method := range methodWithContext.FindAllStringSubmatch(text, -1) {
			name := service + "." + method[1]
			if method[1] == "MakeRequest" {
				continue
			}
			seen++
			taken, ok := strings.CutSuffix(strings.Join(strings.Fields(method[2]), " "), "opts ...CallOption")
			assert.True(t, ok, "%s takes no options of the call", name)
			parameters := regexp.MustCompile(`\w+ ([^,]+), `).FindAllStringSubmatch(taken, -1)
			for i, parameter := range parameters {
				of := parameter[1]
				assert.NotRegexp(t, `^(\[\])?\*|^map\[string\]`, of, "%s takes no value", name)
				area, bare, qualified := strings.Cut(of, ".")
				if !qualified {
					area, bare = "rpcfleet", of
				}
				if !strings.HasPrefix(api[area+"."+bare], "type "+bare+" struct") || area == "scalar" {
					continue // A single value.
				}
				assert.Equal(t, len(parameters)-1, i, "%s takes %s before another parameter", name, of)
				assert.True(t, qualified || strings.HasSuffix(of, "Options"), "%s takes %s", name, of)
			}
		}
	}
	require.Greater(t, seen, 90, "methods that were looked at")
}

// TestPackages_typeNamesAreUnique: no two packages that a caller uses have a type of the same name. Option is the
// exception: in any package, it is the parameter of New. The packages webhooks, keyvalue and streams have the words of
// their areas.
func TestPackages_typeNamesAreUnique(t *testing.T) {
	owners := map[string][]string{}
	for path := range readAPI(t, "rpcfleet", "admin", "alerts", "graph", "scalar", "emulator") {
		area, name, _ := strings.Cut(path, ".")
		owners[name] = append(owners[name], area)
	}
	assert.ElementsMatch(t, []string{"rpcfleet", "emulator"}, owners["Option"])
	delete(owners, "Option")
	delete(owners, "") // Functions.
	require.Greater(t, len(owners), 200)
	for name, packages := range owners {
		assert.Len(t, packages, 1, "%s is a type of several packages: %v", name, packages)
	}
}

// TestExportedAPI_hidesTypesOfJSONLibrary: its version is 0, so its types may change, and callers would not compile.
func TestExportedAPI_hidesTypesOfJSONLibrary(t *testing.T) {
	api := readAPI(t, "rpcfleet", "admin", "alerts", "webhooks", "webhooks/replaytest", "graph", "scalar", "emulator")
	ofJSON := regexp.MustCompile(`\bjson\w*\.[A-Z]\w*`)
	seen := map[string]bool{}
	for path, text := range api {
		for _, name := range ofJSON.FindAllString(text, -1) {
			seen[name] = true
			assert.Equal(t, "json.RawMessage", name, path)
		}
	}
	assert.NotEmpty(t, seen)
}

// TestExportedTypes_areReachableFromMethods: every type of the areas is taken or returned by a function or method, is a
// field of a type that is, or implements an interface that is. Other records are internal.
func TestExportedTypes_areReachableFromMethods(t *testing.T) {
	api, reached := readAPI(t, "rpcfleet", "admin", "alerts", "graph"), map[string]bool{}
	for name := range api {
		if strings.HasPrefix(name, "rpcfleet.") || strings.HasSuffix(name, ".") {
			api.reach(name, reached)
		}
	}
	for name := range api {
		if !strings.HasSuffix(name, "Signer") { // Callers make them, and call their methods.
			assert.True(t, reached[name], "no function or method takes or returns %s", name)
		}
	}
}

// TestRequests_haveNoExtra: the fields that a record keeps beside its own are not for sending.
func TestRequests_haveNoExtra(t *testing.T) {
	api, reached := readAPI(t, "admin", "alerts"), map[string]bool{}
	for name := range api {
		if strings.HasSuffix(name, "Request") {
			api.reach(name, reached)
		}
	}
	require.Greater(t, len(reached), 10)
	for name := range reached {
		assert.NotContains(t, api[name], "scalar.Extra", name)
	}
}
