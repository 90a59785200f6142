package acceptance

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
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
	output, err := exec.Command("go", "build", "-o", program, "../../emulator/cmd/rpcfleet-emulator").CombinedOutput()
	require.NoError(t, err, string(output))
	f := startSampleAccount(t)
	seed := filepath.Join(t.TempDir(), "fleet.json")
	require.NoError(t, os.WriteFile(seed, must(json.Marshal(f.fleet))(t), 0o600))
	var direct string
	f.url, direct = proxied(t, program, "-seed", seed) // With the same ids, since it has the same seed.
	for path, body := range map[string]any{
		"/notifications/" + f.notification + "/deliver": map[string]int{"block": 14},
		"/endpoints/" + f.id + "/logs":                  f.entries,
	} {
		r := must(http.NewRequestWithContext(t.Context(), http.MethodPost, direct+"/_emulator"+path,
			bytes.NewReader(must(json.Marshal(body))(t))))(t)
		r.Header.Set("X-Api-Key", f.APIKey)
		response := must(http.DefaultClient.Do(r))(t)
		require.NoError(t, response.Body.Close())
		require.Less(t, response.StatusCode, http.StatusMultipleChoices, path)
	}
	succeeded := map[string]bool{}
	client := f.client(t, rpcfleet.WithCallHook(
		func(ctx context.Context, op rpcfleet.Operation) (context.Context, func(rpcfleet.CallResult)) {
			return ctx, func(result rpcfleet.CallResult) { succeeded[op.ID] = result.Err == nil }
		}))
	f.fillPlatform(t, client, "https://hooks.example/made-up-webhook-secret")
	for _, q := range slices.Concat(adminQueries, securityQueries, alertsQueries, platformQueries, platformDeletes) {
		_, err := q.run(t.Context(), client, f)
		assert.NoError(t, err, q.method)
	}
	operations(func(_ *area, _, _ string, op *openapi3.Operation) {
		assert.True(t, succeeded[op.OperationID], op.OperationID)
	})
}

// proxied starts the program behind a validating proxy, and returns the proxy's address and the program's own.
func proxied(t *testing.T, program string, arguments ...string) (proxy, direct string) {
	t.Helper()
	command := exec.Command(program, append([]string{"-addr", "127.0.0.1:0"}, arguments...)...)
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
	direct = string(address.FindSubmatch(text)[1])
	server := httptest.NewServer(validated(t, httputil.NewSingleHostReverseProxy(must(url.Parse(direct))(t))))
	t.Cleanup(server.Close)
	return server.URL, direct
}
