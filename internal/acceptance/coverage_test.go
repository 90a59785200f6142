package acceptance

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// coverage contains the things that the facade's requests have touched. A thing is named by a line of text, such as
// "listEndpoints: query limit" or "setEndpointStatus: body status = paused".
type coverage struct {
	mu   sync.Mutex
	seen map[string]bool
}

var touched = &coverage{seen: map[string]bool{}}

// note counts one exchange of the facade. Arguments count only in requests that keep the contract.
func (c *coverage) note(_ *area, op *openapi3.Operation, r *http.Request, body []byte, valid bool, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[op.OperationID] = true
	c.seen[fmt.Sprintf("%s: status %d", op.OperationID, status)] = true
	if !valid {
		return
	}
	for _, parameter := range op.Parameters {
		values, there := r.URL.Query()[parameter.Value.Name]
		if parameter.Value.In != "query" || !there {
			continue
		}
		name := fmt.Sprintf("%s: query %s", op.OperationID, parameter.Value.Name)
		c.seen[name] = true
		for _, value := range values {
			c.seen[name+" = "+value] = true
		}
	}
	if schema := bodySchema(op); schema != nil {
		var value any
		if json.Unmarshal(body, &value) == nil {
			c.walk(op.OperationID+": body", schema, value)
		}
	}
}

// walk counts the fields and enum values of a body.
func (c *coverage) walk(name string, schema *openapi3.Schema, value any) {
	switch value := value.(type) {
	case map[string]any:
		for field, inner := range value {
			if property := schema.Properties[field]; property != nil {
				c.seen[name+" "+field] = true
				c.walk(name+" "+field, property.Value, inner)
			}
		}
	case []any:
		for _, item := range value {
			if schema.Items != nil {
				c.walk(name, schema.Items.Value, item)
			}
		}
	default:
		if len(schema.Enum) > 0 {
			c.seen[fmt.Sprintf("%s = %v", name, value)] = true
		}
	}
}

func bodySchema(op *openapi3.Operation) *openapi3.Schema {
	if op.RequestBody == nil {
		return nil
	}
	return op.RequestBody.Value.Content.Get("application/json").Schema.Value
}

// wanted lists everything that the contract names of an operation: the operation, its query parameters, the fields of
// its body, the values of their enums, and its documented statuses. Statuses that the contract does not document are
// left out.
func wanted(op *openapi3.Operation) []string {
	lines := []string{op.OperationID}
	for _, parameter := range op.Parameters {
		if parameter.Value.In == "query" {
			name := fmt.Sprintf("%s: query %s", op.OperationID, parameter.Value.Name)
			lines = append(lines, name)
			lines = append(lines, enums(name, parameter.Value.Schema.Value)...)
		}
	}
	if schema := bodySchema(op); schema != nil {
		lines = append(lines, fields(op.OperationID+": body", schema)...)
	}
	for code, response := range op.Responses.Map() {
		status, err := strconv.Atoi(code)
		if err == nil && source(response.Value.Extensions) == "contract" {
			lines = append(lines, fmt.Sprintf("%s: status %d", op.OperationID, status))
		}
	}
	return lines
}

func fields(name string, schema *openapi3.Schema) []string {
	var lines []string
	for field, property := range schema.Properties {
		lines = append(lines, name+" "+field)
		lines = append(lines, fields(name+" "+field, property.Value)...)
	}
	return append(lines, enums(name, schema)...)
}

func enums(name string, schema *openapi3.Schema) []string {
	var lines []string
	if schema.Items != nil {
		schema = schema.Items.Value
	}
	for _, value := range schema.Enum {
		lines = append(lines, fmt.Sprintf("%s = %v", name, value))
	}
	return lines
}

// exempt are statuses that the contract documents and that the emulator has no cause to respond with; scripted servers
// bring them about instead.
var exempt = map[string]string{
	"updateRateLimits: status 500": "the emulator has no internal errors; TestRateLimitsThatCannotBeSet scripts one",
}

// missing compares the touched things with the things that the contract names.
func missing() (lines []string, covered, all map[string]int) {
	covered, all = map[string]int{}, map[string]int{}
	operations(func(a *area, _, _ string, op *openapi3.Operation) {
		all[a.name]++
		complete := true
		for _, line := range wanted(op) {
			if !touched.seen[line] && exempt[line] == "" {
				lines, complete = append(lines, line), false
			}
		}
		if complete {
			covered[a.name]++
		}
	})
	sort.Strings(lines)
	return lines, covered, all
}

// TestMain runs the tests and then, after a full run, holds them against the contract.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 && full() {
		lines, covered, all := missing()
		for _, a := range areas {
			fmt.Printf("%s operations exercised through the facade, with every parameter, enum value and documented status"+
				": %d/%d\n", a.name, covered[a.name], all[a.name])
		}
		if len(lines) > 0 {
			fmt.Printf("FAIL: no test has touched:\n\t%s\n", strings.Join(lines, "\n\t"))
			code = 1
		}
	}
	os.Exit(code)
}

// full reports whether no flag has narrowed the run down.
func full() bool {
	return !slices.ContainsFunc([]string{"test.run", "test.skip", "test.list", "test.fuzz"}, func(name string) bool {
		f := flag.Lookup(name)
		return f != nil && f.Value.String() != ""
	})
}

// libraryFolders are the packages that a program with a client has in it.
var libraryFolders = []string{
	".", "admin", "alerts", "graph", "webhooks", "keyvalue", "streams", "scalar", "internal",
}

// touchesGlobals finds code that changes or uses state of the whole program. Comments may name it.
var touchesGlobals = regexp.MustCompile(`(?m)^func init\(|^[^/\n]*(?:\b(?:flag|log|signal|expvar)\.[A-Z]|` +
	`\bos\.(?:Setenv|Unsetenv|Clearenv|Chdir|Exit|Stdout|Stderr)\b|` +
	`\bslog\.(?:SetDefault|Default|Info|Warn|Error|Debug|SetLogLoggerLevel)\(|` +
	`\bhttp\.(?:Handle|HandleFunc|DefaultServeMux|DefaultClient)\b|\bDefaultTransport\b.* = |` +
	`\bruntime\.(?:GOMAXPROCS|SetFinalizer)\b|\bdebug\.Set[A-Z])`)

// TestLibrary_sourceSetsNoGlobalState looks for such code in the sources of the library. It reads
// http.DefaultTransport, from which it makes its own, and does not set it.
func TestLibrary_sourceSetsNoGlobalState(t *testing.T) {
	files := 0
	for _, folder := range libraryFolders {
		require.NoError(t,
			filepath.WalkDir(filepath.Join("../..", folder), func(path string, entry fs.DirEntry, err error) error {
				switch {
				case err != nil:
					return err
				case entry.IsDir() && (folder == "." && path != "../.." || isTestFolder(path)):
					return filepath.SkipDir
				case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
					return nil
				}
				files++
				found := touchesGlobals.FindAllString(string(must(os.ReadFile(path))(t)), -1)
				assert.Empty(t, found, path)
				return nil
			}))
	}
	assert.Greater(t, files, 100)
}

// isTestFolder reports whether a folder contains tests, their helpers, or programs.
func isTestFolder(path string) bool {
	return slices.Contains([]string{"acceptance", "benchmarks", "test", "tools"}, filepath.Base(path))
}

// TestClient_leavesGlobalStateUnchanged makes calls, good and failing, and compares the state of the whole program with
// its state before.
func TestClient_leavesGlobalStateUnchanged(t *testing.T) {
	now := func() []any {
		flags := 0
		flag.VisitAll(func(*flag.Flag) { flags++ })
		shared := http.DefaultTransport.(*http.Transport)
		return []any{
			http.DefaultTransport, *http.DefaultClient, shared.MaxIdleConns, shared.TLSHandshakeTimeout,
			shared.DialTLSContext == nil, slog.Default(), log.Writer(), log.Flags(), log.Prefix(), flags, os.Environ(),
		}
	}
	server := emulator.Start()
	defer server.Close()
	before := now()
	for _, options := range [][]rpcfleet.ClientOption{nil, {rpcfleet.WithAPIKey("wrong")}} {
		client := must(rpcfleet.New(append([]rpcfleet.ClientOption{
			rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey)}, options...)...))(t)
		for endpoint, err := range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
			_, _ = endpoint, err
		}
		_, _ = client.Account.Info(t.Context())
	}
	assert.Equal(t, before, now())
}
