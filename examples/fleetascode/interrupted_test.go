//go:build unix

package main

import (
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// victim is the program in a process of its own, which gets a signal at a moment that the service sees.
type victim struct {
	mu      sync.Mutex
	process *os.Process
	signal  os.Signal
	// left counts the requests until the signal, those of the operation alone where it is not empty.
	left int
	path string
}

func (v *victim) observe(exchange emulator.Exchange) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.process == nil || exchange.Method == http.MethodGet || v.path != "" && exchange.URL != v.path {
		return
	}
	if v.left--; v.left == 0 {
		_ = v.process.Signal(v.signal)
	}
}

// apply runs apply in a process of its own, and reports whether it came to its end.
func (v *victim) apply(t *testing.T, file string, signal os.Signal, after int) bool {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), binary, "apply", "-yes", "-file", file, "-settle", "200ms")
	command.Env = append(os.Environ(), asProgram+"=1")
	v.mu.Lock()
	err = command.Start()
	v.process, v.signal, v.left = command.Process, signal, after
	v.mu.Unlock()
	require.NoError(t, err)
	err = command.Wait()
	v.mu.Lock()
	v.process = nil
	v.mu.Unlock()
	if err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		if signal == os.Interrupt {
			assert.Equal(t, 1, exit.ExitCode(), "it ends by itself")
		}
	}
	return err == nil
}

// TestInterrupted stops an apply of a large fleet ten times, at random, by Ctrl-C and by kill -9 in turn.
func TestInterrupted(t *testing.T) {
	t.Setenv("RPCFLEET_EMULATOR_RECORD", "")
	v := &victim{}
	p := newProgram(t, emulator.WithObserver(v.observe), emulator.WithKeptCalls(100_000))
	file := p.file(t, large())
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	// The signals fall at ten random places among four of the six writes or more that an endpoint takes: what is still
	// under way at a signal counts for the next run, and the last signal finds a run that has work left all the same.
	stops := make([]int, 10)
	for i := range stops {
		stops[i] = 1 + random.IntN(4*size)
	}
	slices.Sort(stops)
	for i, before := 0, 0; i < len(stops); i, before = i+1, stops[i] {
		signal := os.Signal(syscall.SIGKILL)
		if i%2 == 1 {
			signal = os.Interrupt
		}
		require.False(t, v.apply(t, file, signal, max(1, stops[i]-before)), "it is stopped before its end")
	}
	require.True(t, v.apply(t, file, os.Interrupt, 1<<30))
	p.isWhole(t, file, size)

	p.ResetCalls()
	require.True(t, v.apply(t, file, os.Interrupt, 1<<30))
	assert.Empty(t, writes(p.Emulator), "a second apply changes nothing")
}

// isWhole asserts that an account is what a file declares, by what the program says and by counting.
func (p *program) isWhole(t *testing.T, file string, endpoints int) {
	t.Helper()
	code, stdout, stderr := runs(t, "drift", "-file", file)
	assert.Zero(t, code, "%s%s", stdout, stderr)
	client, err := rpcfleet.NewFromEnv()
	require.NoError(t, err)
	all, err := collect(client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}))
	require.NoError(t, err)
	assert.Len(t, all, endpoints)
	for _, e := range all {
		assert.NotEmpty(t, text(e.Label))
	}
	assert.Len(t, p.Calls("createEndpoint"), endpoints, "none is created twice")
}

// A death between the creation of an endpoint and its label is what a label alone would not survive.
func TestKilledBeforeTheLabel(t *testing.T) {
	v := &victim{path: "/v0/endpoints"}
	p := newProgram(t, emulator.WithObserver(v.observe))
	client, err := rpcfleet.NewFromEnv()
	require.NoError(t, err)
	own, err := client.Endpoints.Create(t.Context(), admin.CreateEndpointRequest{Chain: "ethereum", Network: "ethereum-mainnet"})
	require.NoError(t, err)
	p.ResetCalls()
	file := p.file(t, `
endpoints:
  - {label: a, chain: ethereum, network: ethereum-mainnet}
  - {label: b, chain: ethereum, network: ethereum-mainnet, tags: [x]}
  - {label: c, chain: ethereum, network: ethereum-mainnet, tags: [x]}
`)
	for range 2 { // Twice, so that what the first has left behind survives the second.
		require.False(t, v.apply(t, file, syscall.SIGKILL, 1))
	}
	unlabelled, err := collect(client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}))
	require.NoError(t, err)
	assert.Len(t, unlabelled, 3)
	_, stdout, _ := runs(t, "plan", "-file", file)
	assert.Contains(t, stdout, "label")
	require.True(t, v.apply(t, file, os.Interrupt, 1<<30))
	assert.Len(t, p.Calls("createEndpoint"), 3)
	left, err := client.Endpoints.Get(t.Context(), own.ID)
	require.NoError(t, err)
	assert.Empty(t, text(left.Label), "what was there before is left alone")
	code, stdout, _ := runs(t, "drift", "-file", file)
	assert.Equal(t, 3, code)
	assert.Contains(t, stdout, "without a label ("+own.ID+")")
}
