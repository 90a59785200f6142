package acceptance

import (
	"context"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestEmulatorProgram_meetsContract starts the emulator's program with an account that has some of everything. It
// executes every operation of the OpenAPI files through a proxy that validates both sides of each exchange.
func TestEmulatorProgram_meetsContract(t *testing.T) {
	race.Skip(t)
	program := filepath.Join(t.TempDir(), "emulator")
	output, err := exec.Command("go", "build", "-o", program, "../../emulator/cmd/emulator").CombinedOutput()
	require.NoError(t, err, string(output))
	f := startSampleAccount(t)
	snapshot := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, f.SaveSnapshot(snapshot))
	f.url = proxied(t, program, "-snapshot", snapshot)
	succeeded := map[string]bool{}
	client := f.client(t, rpcfleet.WithCallHook(
		func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
			return ctx, func(result rpcfleet.CallResult) { succeeded[op.ID] = result.Err == nil }
		}))
	for _, q := range slices.Concat(adminQueries, securityQueries, alertsQueries) {
		_, err := q.run(t.Context(), client, f)
		assert.NoError(t, err, q.method)
	}
	operations(func(_ *area, _, _ string, op *openapi3.Operation) {
		assert.True(t, succeeded[op.OperationID], op.OperationID)
	})
}

// proxied starts the program behind a validating proxy, and returns the proxy's address.
func proxied(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	command := exec.Command(program, append([]string{"-addr", "127.0.0.1:0", "-quiet"}, arguments...)...)
	said := must(command.StdoutPipe())(t)
	command.Stderr = os.Stderr
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
	address, text := regexp.MustCompile(`address  (\S+)\n`), []byte{}
	for address.FindSubmatch(text) == nil {
		part := make([]byte, 1<<10)
		n, err := said.Read(part)
		require.NoError(t, err, string(text))
		text = append(text, part[:n]...)
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	to := must(url.Parse(string(address.FindSubmatch(text)[1])))(t)
	proxy := httptest.NewServer(validated(t, httputil.NewSingleHostReverseProxy(to)))
	t.Cleanup(proxy.Close)
	return proxy.URL
}
