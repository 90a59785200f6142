package acceptance

import (
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
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	p := proxied(t, program, "-snapshot", snapshot)
	f.url = p.URL
	client := f.client(t)
	for _, q := range slices.Concat(adminQueries, securityQueries, alertsQueries) {
		_, err := q.run(t.Context(), client, f)
		assert.NoError(t, err, q.method)
	}
	operations(func(_ *area, _, _ string, op *openapi3.Operation) {
		assert.True(t, p.good[op.OperationID], op.OperationID)
	})
}

// validatingProxy stands between a client and the program.
type validatingProxy struct {
	*httptest.Server
	mu   sync.Mutex
	good map[string]bool // The operations that have succeeded.
}

// proxied starts the program behind a proxy.
func proxied(t *testing.T, program string, arguments ...string) *validatingProxy {
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
	p := &validatingProxy{good: map[string]bool{}}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = p.note
	p.Server = httptest.NewServer(validated(t, proxy))
	t.Cleanup(p.Close)
	return p
}

// note keeps which operation has succeeded.
func (p *validatingProxy) note(response *http.Response) error {
	area, path := areaOf(response.Request.URL.Path)
	if area == nil || response.StatusCode >= http.StatusMultipleChoices {
		return nil
	}
	inside := response.Request.Clone(response.Request.Context())
	inside.URL = &url.URL{Path: path}
	route, _, err := area.router.FindRoute(inside)
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.good[route.Operation.OperationID] = true
	}
	return err
}
