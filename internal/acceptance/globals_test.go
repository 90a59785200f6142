package acceptance

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// libraryFolders are the packages that a program with a client has in it.
var libraryFolders = []string{".", "admin", "alerts", "graph", "scalar", "internal"}

// touchesGlobals are the functions that change state of the whole program.
var touchesGlobals = map[string][]string{
	"flag": nil, "log": nil, "os/signal": nil, "expvar": nil, // None at all.
	"os":            {"Setenv", "Unsetenv", "Clearenv", "Chdir", "Exit", "Stdout", "Stderr"},
	"log/slog":      {"SetDefault", "Default", "Info", "Warn", "Error", "Debug", "SetLogLoggerLevel"},
	"net/http":      {"Handle", "HandleFunc", "DefaultServeMux", "DefaultClient"},
	"runtime":       {"GOMAXPROCS", "SetFinalizer"},
	"runtime/debug": {"SetGCPercent", "SetMemoryLimit", "SetMaxStack"},
}

// TestTheLibraryTouchesNoGlobalState looks for such functions in the sources of the library. It reads
// http.DefaultTransport, from which it makes its own, and does not set it.
func TestTheLibraryTouchesNoGlobalState(t *testing.T) {
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
				checkGlobals(t, path)
				return nil
			}))
	}
	assert.Greater(t, files, 100)
}

// isTestFolder reports whether a folder contains tests, their helpers, or programs.
func isTestFolder(path string) bool {
	return slices.Contains([]string{"acceptance", "benchmarks", "test", "tools"}, filepath.Base(path))
}

func checkGlobals(t *testing.T, path string) {
	file := must(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))(t)
	imported := map[string]string{}
	for _, spec := range file.Imports {
		whole := must(strconv.Unquote(spec.Path.Value))(t)
		name := filepath.Base(whole)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = whole
		names, listed := touchesGlobals[whole]
		assert.False(t, listed && names == nil, "%s imports %s", path, whole)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if of, ok := node.X.(*ast.Ident); ok {
				assert.NotContains(t, touchesGlobals[imported[of.Name]], node.Sel.Name, "%s: %s.%s", path, of.Name, node.Sel.Name)
			}
		case *ast.AssignStmt:
			for _, to := range node.Lhs {
				if to, ok := to.(*ast.SelectorExpr); ok {
					assert.NotEqual(t, "DefaultTransport", to.Sel.Name, path)
				}
			}
		case *ast.FuncDecl:
			assert.False(t, node.Recv == nil && node.Name.Name == "init", "%s: init", path)
		}
		return true
	})
}

// TestAClientLeavesTheProgramAsItIs makes calls, good and failing, and compares the state of the whole program with its
// state before.
func TestAClientLeavesTheProgramAsItIs(t *testing.T) {
	type state struct {
		transport, client any
		settings          string
		logger            *slog.Logger
		writer            io.Writer
		flags, prefix     string
		arguments         int
		environment       []string
	}
	now := func() state {
		s := state{
			transport: http.DefaultTransport, client: *http.DefaultClient, logger: slog.Default(), writer: log.Writer(),
			flags: strconv.Itoa(log.Flags()), prefix: log.Prefix(), environment: os.Environ(),
		}
		shared := http.DefaultTransport.(*http.Transport)
		s.settings = strconv.Itoa(shared.MaxIdleConns) + shared.TLSHandshakeTimeout.String() +
			strconv.FormatBool(shared.DialTLSContext == nil)
		flag.VisitAll(func(*flag.Flag) { s.arguments++ })
		return s
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
