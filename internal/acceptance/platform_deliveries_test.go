package acceptance

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/streams"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

// receiver is a server that checks and keeps deliveries. It responds with its statuses in turn, and then with 200.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	payloads []string
	batches  []*webhooks.Batch
	headers  []http.Header
}

func receive(t *testing.T, token string, statuses ...int) *receiver {
	t.Helper()
	r := &receiver{statuses: statuses}
	verifier := must(webhooks.NewVerifier([]scalar.Secret{scalar.NewSecret(token)}))(t)
	verified := must(webhooks.NewReceiver(verifier, func(_ context.Context, delivery *webhooks.Delivery) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.payloads, r.batches = append(r.payloads, string(delivery.Payload)), append(r.batches, delivery.Batch)
		return nil
	}))(t)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		r.headers = append(r.headers, req.Header)
		status := http.StatusOK
		if len(r.statuses) > 0 {
			status, r.statuses = r.statuses[0], r.statuses[1:]
		}
		r.mu.Unlock()
		if status != http.StatusOK {
			w.WriteHeader(status)
			return
		}
		verified.ServeHTTP(w, req)
	}))
	t.Cleanup(r.Close)
	return r
}

// TestWebhooks_deliverSignedBlocks delivers to a receiver of this library, plain and compressed, with pauses and
// failures in between.
func TestWebhooks_deliverSignedBlocks(t *testing.T) {
	for _, compression := range webhooks.Compression("").Values() {
		b, ctx := start(t), t.Context()
		r := receive(t, "qnsec_made-up-webhook-token", 503, 503)
		request := aWebhook(r.URL)
		request.Destination.Compression = compression
		hook := must(b.Webhooks.Create(ctx, request))(t)
		deliver := func(head int64) []emulator.BlockDelivery {
			return must(b.DeliverBlocks(ctx, "ethereum-mainnet", head))(t)
		}
		assert.Len(t, deliver(2), 4, "two attempts more")
		require.NoError(t, b.Webhooks.Pause(ctx, hook.ID))
		assert.Empty(t, deliver(4))
		require.NoError(t, b.Webhooks.Activate(ctx, hook.ID, webhooks.StartFromLast))
		assert.Len(t, deliver(5), 3, "with those that were missed")
		require.NoError(t, b.Webhooks.Pause(ctx, hook.ID))
		assert.Empty(t, deliver(7))
		require.NoError(t, b.Webhooks.Activate(ctx, hook.ID, webhooks.StartFromLatest))
		assert.Len(t, deliver(8), 1, "without those that were missed")
		assert.Equal(t, new(int64(8)), must(b.Webhooks.Get(ctx, hook.ID))(t).Sequence)
		require.Len(t, r.payloads, 6)
		for i, number := range []int{1, 2, 3, 4, 5, 8} {
			assert.Contains(t, r.payloads[i], fmt.Sprintf(`"number":%d,`, number))
		}
		r.statuses = []int{500, 500, 500, 500, 500}
		assert.Len(t, deliver(9), 5)
		assert.Equal(t, webhooks.StatusTerminated, must(b.Webhooks.Get(ctx, hook.ID))(t).Status)
	}
}

// TestWebhooks_addressesChangeWithList delivers the transactions of the wallets of a list, which changes meanwhile.
func TestWebhooks_addressesChangeWithList(t *testing.T) {
	b, ctx := start(t), t.Context()
	r := receive(t, "qnsec_made-up-webhook-token")
	require.NoError(t, b.KeyValue.CreateList(ctx, "treasury", []string{aTreasury}))
	request := webhooks.CreateFromTemplateRequest{Name: "Wallets", Network: "ethereum-mainnet",
		Destination: aWebhook(r.URL).Destination}
	require.NoError(t, second(b.Webhooks.CreateFromTemplate(ctx, webhooks.EVMWalletFilter{WalletsListName: "treasury"},
		request)))
	must(b.DeliverBlocks(ctx, "ethereum-mainnet", 8))(t)
	assert.Len(t, r.payloads, 4, "of the blocks 4 to 7")
	require.NoError(t, second(b.KeyValue.SetList(ctx, "treasury", maps.Keys(map[string]int{anOther: 1}))))
	must(b.DeliverBlocks(ctx, "ethereum-mainnet", 17))(t)
	require.Len(t, r.payloads, 7)
	assert.Contains(t, r.payloads[4], `"number":9`)
}

// TestStreams_deliverRangeInBatches delivers a range to its end, over a failure and a pause.
func TestStreams_deliverRangeInBatches(t *testing.T) {
	b, ctx := start(t), t.Context()
	r := receive(t, "qnsec_made-up-stream-token", 503)
	request := aStream(r.URL)
	request.Status, request.EndRange = streams.StatusActive, new(int64(21))
	stream := must(b.Streams.Create(ctx, request))(t)
	deliver := func(head int64) []emulator.BlockDelivery {
		return must(b.DeliverBlocks(ctx, "ethereum-mainnet", head))(t)
	}
	assert.Len(t, deliver(16), 2, "a whole batch only, and the newest block is kept back")
	r.statuses = []int{500, 500, 500}
	assert.Len(t, deliver(30), 3, "the first attempt and two retries")
	now := must(b.Streams.Get(ctx, stream.ID))(t)
	assert.Equal(t, streams.StatusTerminated, now.Status)
	done, total, ok := now.Progress()
	assert.Equal(t, []any{int64(5), int64(12), true}, []any{done, total, ok})
	require.ErrorIs(t, second(b.Streams.WaitFor(ctx, stream.ID, streams.StatusActive, nil)), rpcfleet.ErrStreamStopped)
	require.NoError(t, b.Streams.Activate(ctx, stream.ID))
	assert.Len(t, deliver(30), 2)
	now = must(b.Streams.WaitFor(ctx, stream.ID, streams.StatusCompleted, nil))(t)
	done, total, _ = now.Progress()
	assert.Equal(t, total, done)
	require.Len(t, r.batches, 3)
	for i, span := range [][2]int64{{10, 14}, {15, 19}, {20, 21}} {
		batch := r.batches[i]
		require.NotNil(t, batch)
		assert.Equal(t, [2]int64{*batch.Start, *batch.End}, span)
		assert.Equal(t, stream.ID, batch.StreamID)
	}
	assert.Equal(t, "made-up-header-secret", r.headers[0].Get("X-Receiver-Token"))
	for _, err := range []error{b.Streams.Activate(ctx, stream.ID), b.Streams.Pause(ctx, stream.ID)} {
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "a completed one stays so")
	}
}
