//go:build unix

package fleetredis_test

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	fleetredis "github.com/rpcfleet/rpcfleet-go/contrib/redis"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// A server that is stopped takes commands, and responds to none.

func TestDedupStore_unreachableServerIsError(t *testing.T) {
	shared := startRedis(t)
	memory := shared.memory(t, fleetredis.DedupOptions{Timeout: 200 * time.Millisecond})
	claim := webhooks.Claim{Delivery: "d", Name: "1"}
	assert.Equal(t, webhooks.ClaimGranted, must(memory.Claim(t.Context(), claim, time.Minute))(t))

	require.NoError(t, shared.process.Signal(syscall.SIGSTOP))
	_, err := memory.Claim(t.Context(), claim, time.Minute)
	require.ErrorContains(t, err, "fleetredis: claiming a delivery: context deadline exceeded")
	ended, end := context.WithCancel(t.Context())
	end()
	require.EqualError(t, memory.Settle(ended, claim, webhooks.ClaimDone, time.Minute),
		"fleetredis: settling a delivery: context canceled")
	settled := make(chan error)
	go func() { settled <- memory.Settle(t.Context(), claim, webhooks.ClaimDone, time.Minute) }()
	select {
	case err := <-settled:
		t.Errorf("settling ended: %v", err)
	case <-time.After(500 * time.Millisecond): // It goes on trying.
	}
	require.NoError(t, shared.process.Signal(syscall.SIGCONT))
	require.NoError(t, <-settled)
	assert.Equal(t, webhooks.ClaimDone, must(memory.Claim(t.Context(), claim, time.Minute))(t))
}

func TestPacer_unreachableServerUsesFallback(t *testing.T) {
	shared := startRedis(t)
	fallback := &local{}
	options := fleetredis.PacerOptions{PerSecond: fleetredis.Limit{Requests: 10}, Timeout: 100 * time.Millisecond}
	strict := shared.pacer(t, options)
	options.Fallback = fallback
	lenient := shared.pacer(t, options)

	require.NoError(t, shared.process.Signal(syscall.SIGSTOP))
	require.ErrorIs(t, strict.Wait(t.Context()), context.DeadlineExceeded)
	require.Error(t, strict.Wait(t.Context()), "and it is not asked again at once")
	require.NoError(t, lenient.Wait(t.Context()))
	require.NoError(t, lenient.Wait(t.Context()))
	assert.Equal(t, 2, fallback.waits)

	options.Timeout, options.Fallback = time.Hour, fallback
	patient := shared.pacer(t, options)
	stop := errors.New("stopped by the caller")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(stop) })
	require.ErrorIs(t, patient.Wait(ctx), context.Canceled, "the caller is not kept")
	assert.Equal(t, 2, fallback.waits, "the end of a context is no outage")
}

func TestCheckpoints_unreachableServerIsError(t *testing.T) {
	shared := startRedis(t)
	store := must(fleetredis.NewCheckpoints(shared, fleetredis.CheckpointOptions{Timeout: 50 * time.Millisecond}))(t)
	require.NoError(t, shared.process.Signal(syscall.SIGSTOP))
	_, err := store.Load(t.Context(), "calls")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, store.Save(t.Context(), "calls", rpcfleet.Checkpoint{}), context.DeadlineExceeded)
}
