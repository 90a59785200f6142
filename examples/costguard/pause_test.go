package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	emulated "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// spent adds an endpoint that has used 20 credits.
func spent(t *testing.T, service *emulator.Server, paused bool, tags ...string) string {
	t.Helper()
	id, err := service.AddEndpoint(emulator.EndpointSpec{Chain: "ethereum", Network: "ethereum-mainnet", Tags: tags, Paused: paused,
		Usage: []emulated.Usage{{Method: "eth_call", Requests: 1}}})
	require.NoError(t, err)
	return id
}

// statuses are those of all endpoints.
func statuses(t *testing.T) map[string]admin.EndpointStatus {
	t.Helper()
	client, err := rpcfleet.NewFromEnv()
	require.NoError(t, err)
	found := map[string]admin.EndpointStatus{}
	for endpoint, err := range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
		require.NoError(t, err)
		found[endpoint.ID] = endpoint.Status
	}
	return found
}

// TestPause pauses what has a tag over its budget, once.
func TestPause(t *testing.T) {
	service := newService(t)
	guilty := []string{spent(t, service, false, "a"), spent(t, service, false, "b", "a")}
	idle := spent(t, service, true, "a")
	innocent := []string{spent(t, service, false, "b"), spent(t, service, false, "A"), spent(t, service, false)}
	args := []string{"-budget", "a=59", "-budget", "b=1000", "-budget", "=1000", "-pause"}

	code, stdout, stderr := runs(t, args...)
	assert.Equal(t, 4, code)
	assert.Equal(t, "paused "+guilty[0]+"\npaused "+guilty[1]+"\nover budget: the tag \"a\" has used 60 credits of 59\n", stderr)
	assert.Contains(t, stdout, "over")
	assert.Equal(t, []any{map[string]any{"ids": []any{guilty[0], guilty[1]}, "status": "paused"}}, writes(service))
	found := statuses(t)
	for _, id := range append(guilty, idle) {
		assert.Equal(t, admin.EndpointStatusPaused, found[id])
	}
	for _, id := range innocent {
		assert.Equal(t, admin.EndpointStatusActive, found[id])
	}

	service.ResetCalls()
	code, _, stderr = runs(t, args...)
	assert.Equal(t, 4, code, "it is still over")
	assert.Equal(t, "over budget: the tag \"a\" has used 60 credits of 59\n", stderr)
	assert.Empty(t, writes(service), "twice changes nothing")
}

// TestPauseWithoutATag pauses the endpoints that have none, and those alone.
func TestPauseWithoutATag(t *testing.T) {
	service := newService(t)
	tagged, bare := spent(t, service, false, "untagged"), spent(t, service, false)
	code, _, _ := runs(t, "-budget", "=19", "-pause")
	assert.Equal(t, 4, code)
	assert.Equal(t, map[string]admin.EndpointStatus{tagged: admin.EndpointStatusActive, bare: admin.EndpointStatusPaused}, statuses(t))
}

// TestPauseManyPages of a listing, and more than a call takes.
func TestPauseManyPages(t *testing.T) {
	service := newService(t, emulator.WithPageCap(50))
	for range 120 {
		spent(t, service, false, "a")
	}
	code, _, stderr := runs(t, "-budget", "a=1", "-pause")
	assert.Equal(t, 4, code)
	assert.Equal(t, 120, strings.Count(stderr, "paused "))
	for id, status := range statuses(t) {
		assert.Equal(t, admin.EndpointStatusPaused, status, id)
	}
}

// TestPauseFails and the report comes all the same. The next run does it.
func TestPauseFails(t *testing.T) {
	service := newService(t)
	spent(t, service, false, "a")
	t.Setenv("RPCFLEET_API_KEY", service.ViewerKey)
	code, stdout, stderr := runs(t, "-budget", "a=1", "-pause")
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "403 Forbidden")
	assert.Contains(t, stdout, "over")

	t.Setenv("RPCFLEET_API_KEY", service.APIKey)
	fault, err := service.Inject(emulator.Fault{Operation: "listEndpoints", Status: 400, Times: 1})
	require.NoError(t, err)
	code, stdout, stderr = runs(t, "-budget", "a=1", "-pause")
	assert.Equal(t, 1, code, "%v %s", fault, stderr)
	assert.Contains(t, stdout, "over")
	assert.Empty(t, writes(service)[1:])

	code, _, _ = runs(t, "-budget", "a=1", "-pause")
	assert.Equal(t, 4, code)
	assert.Len(t, writes(service), 2)
}

// TestPauseInPart says which endpoints are not known to be paused.
func TestPauseInPart(t *testing.T) {
	for name, fault := range map[string]emulator.Fault{
		"reported as failed": {Effect: emulator.SetLeaf, Pointer: "/data/results/1/success", Value: false},
		"not reported":       {Effect: emulator.SetLeaf, Pointer: "/data/results/1/id", Value: "another"},
	} {
		t.Run(name, func(t *testing.T) {
			service := newService(t)
			ids := []string{spent(t, service, false, "a"), spent(t, service, false, "a")}
			fault.Operation = "bulkSetEndpointStatus"
			_, err := service.Inject(fault)
			require.NoError(t, err)
			code, stdout, stderr := runs(t, "-budget", "a=1", "-pause")
			assert.Equal(t, 1, code)
			assert.Contains(t, stderr, "paused "+ids[0]+"\n")
			assert.Contains(t, stderr, "costguard: not paused, as far as is known: [\""+ids[1]+"\"]\n")
			assert.Contains(t, stdout, "over")
		})
	}
}

// TestArchived endpoints have used what they have used, and their tag is none that nobody has.
func TestArchived(t *testing.T) {
	service := newService(t)
	id := spent(t, service, false, "x=y")
	client, err := rpcfleet.NewFromEnv()
	require.NoError(t, err)
	require.NoError(t, client.Endpoints.Archive(t.Context(), id))
	service.ResetCalls()
	code, stdout, _ := runs(t, "-budget", "x=y=1", "-pause")
	assert.Equal(t, 4, code)
	assert.Contains(t, stdout, "x=y  20    1       2000.0%  over")
	assert.Empty(t, writes(service))
}
