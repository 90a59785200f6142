package examples

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// address waits for the address of a service.
func (o *output) address(t *testing.T, p *process) string {
	t.Helper()
	interruptible(t, p)
	_, address, _ := strings.Cut(o.wait(t, "Listening on http://127.0.0.1:"), "Listening on ")
	return strings.TrimSpace(address)
}

// deliver sends a signed delivery to an example, and returns the status of the response.
func deliver(t *testing.T, address, token, payload string, at time.Time) int {
	t.Helper()
	request := must(http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(payload)))(t)
	signer := webhooks.Signer{Token: scalar.NewSecret(token)}
	require.NoError(t, signer.Sign(request.Header, "n", at, []byte(payload)))
	response := must(http.DefaultClient.Do(request))(t)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestWebhookreceiver_handlesDeliveryOnce(t *testing.T) {
	p := start(t, []string{"SECURITY_TOKEN=qnsec_made-up"}, "webhookreceiver")
	address := p.stderr.address(t, p)
	at, payload := time.Now(), "\"\u009b\""
	for range 2 {
		assert.Equal(t, http.StatusOK, deliver(t, address, "qnsec_made-up", payload, at))
		assert.Equal(t, http.StatusUnauthorized, deliver(t, address, "qnsec_other", payload, at))
	}
	done := p.interrupt(t)
	assert.Equal(t, 130, done.code)
	assert.Equal(t, `"\"\u009b\""`+"\n", done.stdout, "handled once, and escaped")
}

// TestBackfill_survivesKill kills the program between two batches, and leaves the beginning of a third in its file.
func TestBackfill_survivesKill(t *testing.T) {
	service, folder := account(t), t.TempDir()
	listener := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	begin := func(streams int) *exec.Cmd {
		p := exec.CommandContext(t.Context(), program(t, "backfill"), "-listen", address, "-url", "http://"+address)
		p.Dir, p.Env = folder, append(append(os.Environ(), of(service)...), "SECURITY_TOKEN=qnsec_made-up")
		service.ResetCalls()
		require.NoError(t, p.Start())
		require.Eventually(t, func() bool { return len(service.Calls("getStream")) > 0 }, time.Minute, time.Millisecond)
		assert.Len(t, service.Calls("createStream"), streams)
		return p
	}
	p, file := begin(1), filepath.Join(folder, "backfill.jsonl")
	assert.Len(t, must(service.DeliverBlocks(t.Context(), "ethereum-mainnet", 112))(t), 2)
	require.NoError(t, p.Process.Kill())
	_ = p.Wait()
	text := must(os.ReadFile(file))(t)
	require.NoError(t, os.WriteFile(file, append(text, strings.Repeat(`{"data":`, 9999)...), 0o600))
	p = begin(0)
	assert.Len(t, must(service.DeliverBlocks(t.Context(), "ethereum-mainnet", 130))(t), 2)
	require.NoError(t, p.Wait())
	lines := strings.Split(string(must(os.ReadFile(file))(t)), "\n")
	require.Len(t, lines, 5)
	assert.Empty(t, lines[4])
	for i, first := range []string{"100", "105", "110", "115"} {
		assert.Contains(t, lines[i], `"batch_start_range":`+first+",")
		assert.True(t, json.Valid([]byte(lines[i])))
	}
}
