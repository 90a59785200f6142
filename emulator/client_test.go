package emulator_test

import (
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// inMemory makes a client of the library that reaches the emulator without a socket.
func inMemory(t *testing.T, e *emulator.Emulator, options ...rpcfleet.ClientOption) *rpcfleet.Client {
	t.Helper()
	t.Cleanup(e.Close)
	client, err := rpcfleet.New(append([]rpcfleet.ClientOption{
		rpcfleet.WithBaseURL(emulator.ClientURL), rpcfleet.WithAPIKey(e.APIKey), rpcfleet.WithHTTPClient(e.Client()),
	}, options...)...)
	require.NoError(t, err)
	return client
}

// TestAnHourOfFollowing follows a log for an hour of a bubble's time, with an entry every ten seconds.
func TestAnHourOfFollowing(t *testing.T) {
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New()
		client := inMemory(t, e)
		id := e.CreateEndpoints(1)[0]
		hour := time.Now().Add(time.Hour)
		go func() {
			for time.Now().Before(hour) {
				time.Sleep(10 * time.Second)
				_, err := e.AppendLog(id, emulator.LoggedCall{Method: "eth_call", Timestamp: time.Now()})
				assert.NoError(t, err)
			}
		}()
		seen := map[string]bool{}
		for followed, err := range client.Logs.Follow(t.Context(), []string{id}, rpcfleet.FollowOptions{From: time.Now()}) {
			require.NoError(t, err)
			require.False(t, seen[followed.Entry.RequestID])
			seen[followed.Entry.RequestID] = true
			if len(seen) == 360 {
				break
			}
		}
		assert.False(t, time.Now().Before(hour), "an hour has passed")
		assert.NotEmpty(t, e.Calls("listLogs"))
	})
	t.Logf("an hour took %s", time.Since(began))
}

// TestClientsShareConnections: they are kept alive, and closing the emulator ends them.
func TestClientsShareConnections(t *testing.T) {
	e := emulator.New()
	one, two := inMemory(t, e), inMemory(t, e)
	var group sync.WaitGroup
	for _, client := range []*rpcfleet.Client{one, two, one, two} {
		group.Go(func() {
			for range 10 {
				_, err := client.Chains.List(t.Context())
				assert.NoError(t, err)
			}
		})
	}
	group.Wait()
	assert.Len(t, e.Calls("listChains"), 40)
	e.Close()
	e.Close()
	_, err := e.Client().Get(emulator.ClientURL + "/v0/chains")
	require.ErrorIs(t, err, net.ErrClosed)

	unused := emulator.New()
	unused.Close()
	_, err = unused.Client().Get(emulator.ClientURL + "/v0/chains")
	require.ErrorIs(t, err, net.ErrClosed)
}

// TestCloseEndsWhatWaits closes the emulator while a request waits for its response.
func TestCloseEndsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.WithFaults(emulator.Fault{Latency: time.Hour}))
		done := make(chan error, 1)
		go func() {
			response, err := e.Client().Do(request(e, "/v0/chains"))
			if err == nil {
				_ = response.Body.Close()
			}
			done <- err
		}()
		synctest.Wait()
		began := time.Now()
		e.Close()
		require.Error(t, <-done)
		assert.Equal(t, began, time.Now())
	})
}

// TestAServerHasAClientInMemoryToo: both ways lead to the same account, and Close ends both.
func TestAServerHasAClientInMemoryToo(t *testing.T) {
	server := emulator.Start()
	client := inMemory(t, server.Emulator)
	_, err := client.Chains.List(t.Context())
	require.NoError(t, err)
	response, err := http.Get(server.URL + "/v0/chains")
	require.NoError(t, err)
	_ = response.Body.Close()
	assert.Len(t, server.Calls(), 2)
	server.Close()
	_, err = client.Chains.List(t.Context(), rpcfleet.WithoutRetries())
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
}
