package acceptance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// noon is when the clocks of emulator and receiver stand, unless a test moves one of them.
var noon = time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)

func at(offset time.Duration) func() time.Time {
	return func() time.Time { return noon.Add(offset) }
}

// hook is a webhook. Its receiver is set once the token of its destination is known.
type hook struct {
	*httptest.Server
	receiver http.Handler

	mu    sync.Mutex
	ran   []*alerts.Delivery
	reply error
}

// receive is the callback.
func (h *hook) receive(_ context.Context, d *alerts.Delivery) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ran = append(h.ran, d)
	return h.reply
}

// responses sets how the callback ends from now on.
func (h *hook) answers(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reply = err
}

// listen starts a webhook, and makes a destination for it and a notification that delivers every block to it.
func listen(t *testing.T, b *fixture, method alerts.WebhookType, tokens func(right scalar.Secret) []scalar.Secret,
	names alerts.HeaderNames, options ...alerts.ReceiverOption,
) (*hook, *alerts.Notification) {
	t.Helper()
	h := &hook{}
	h.Server = httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.receiver.ServeHTTP(w, r) }))
	t.Cleanup(h.Close)
	to := b.destination(t, h.URL+"/alerts", method)
	verifier, err := alerts.NewHMACVerifier(tokens(to.Token), names)
	require.NoError(t, err)
	options = append([]alerts.ReceiverOption{alerts.WithClock(at(0)), alerts.WithPayloadType(to.PayloadType)}, options...)
	h.receiver, err = alerts.NewReceiver(verifier, h.receive, options...)
	require.NoError(t, err)
	return h, b.notification(t, everyBlock, to)
}

func rightToken(right scalar.Secret) []scalar.Secret { return []scalar.Secret{right} }

// deliver delivers one block to the one destination.
func (b *fixture) deliver(t *testing.T, n *alerts.Notification, block int64) emulator.DeliveryOutcome {
	t.Helper()
	outcomes, err := b.Deliver(t.Context(), n.ID, block)
	require.NoError(t, err)
	require.Len(t, outcomes, 1)
	return outcomes[0]
}

// redeliver sends an event once more and returns the status.
func (b *fixture) redeliver(t *testing.T, eventID string) int {
	t.Helper()
	outcome, err := b.Redeliver(t.Context(), eventID)
	require.NoError(t, err)
	return outcome.Status
}

func TestDeliveries(t *testing.T) {
	hash := func(_ *http.Request, body []byte) string {
		sum := sha256.Sum256(body)
		return hex.EncodeToString(sum[:])
	}
	for _, method := range []alerts.WebhookType{alerts.WebhookTypePOST, alerts.WebhookTypeGET} {
		t.Run(string(method), func(t *testing.T) {
			b := start(t, emulator.WithClock(at(0)))
			h, n := listen(t, b, method, rightToken, alerts.HeaderNames{}, alerts.WithContentHash(hash))
			outcome := b.deliver(t, n, 19000001)
			require.NoError(t, outcome.Err)
			assert.Equal(t, http.StatusOK, outcome.Status)

			require.Len(t, h.ran, 1)
			delivery := h.ran[0]
			assert.Equal(t, string(method), delivery.Method)
			assert.Equal(t, alerts.PayloadTypeLayout5, delivery.PayloadType)
			assert.True(t, noon.Equal(delivery.Headers.Timestamp))
			assert.NotEmpty(t, delivery.Headers.Nonce)
			var payload struct {
				BlockNumber int64 `json:"block_number"`
			}
			require.NoError(t, json.Unmarshal(delivery.Payload, &payload))
			assert.Equal(t, int64(19000001), payload.BlockNumber)

			page, err := b.Notifications.Events(t.Context(), n.ID,
				alerts.ListNotificationEventsParams{Limit: new(1), Offset: new(0)})
			require.NoError(t, err)
			require.Len(t, page.Items, 1)
			event := page.Items[0]
			assert.Equal(t, outcome.EventID, event.ID)
			assert.Equal(t, "19000001", event.BlockNumber)
			assert.Equal(t, new("0,1,2,3"), event.TxMatchedIndexes)
			assert.Equal(t, new(true), event.Delivered)
			assert.Nil(t, event.DeliveredError)
			assert.Equal(t, h.URL+"/alerts", event.To.Reveal())
			assert.Equal(t, 1, page.Limit)
		})
	}
}

func TestDeliveriesThatAreRefused(t *testing.T) {
	other := func(scalar.Secret) []scalar.Secret { return []scalar.Secret{scalar.NewSecret("made-up-other-token")} }
	for name, test := range map[string]struct {
		status  int
		tokens  func(scalar.Secret) []scalar.Secret
		names   alerts.HeaderNames
		sent    time.Duration
		options []alerts.ReceiverOption
	}{
		"an unknown token":    {status: 401, tokens: other},
		"an old timestamp":    {status: 401, sent: -5*time.Minute - time.Second},
		"a timestamp to come": {status: 401, sent: 5*time.Minute + time.Second},
		"a body over the cap": {status: 413, options: []alerts.ReceiverOption{alerts.WithMaxBody(16)}},
		"a missing header":    {status: 400, names: alerts.HeaderNames{Nonce: "x-other-nonce"}},
		"a content hash that does not fit": {status: 401, options: []alerts.ReceiverOption{
			alerts.WithContentHash(func(*http.Request, []byte) string { return "another" }),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if test.tokens == nil {
				test.tokens = rightToken
			}
			b := start(t, emulator.WithClock(at(test.sent)))
			h, n := listen(t, b, alerts.WebhookTypePOST, test.tokens, test.names, test.options...)
			outcome := b.deliver(t, n, 7)
			require.Error(t, outcome.Err)
			assert.Equal(t, test.status, outcome.Status)
			assert.Empty(t, h.ran, "the callback is not run")
			page, err := b.Notifications.Events(t.Context(), n.ID, alerts.ListNotificationEventsParams{})
			require.NoError(t, err)
			assert.Equal(t, new(false), page.Items[0].Delivered)
			assert.Equal(t, new(fmt.Sprintf("the webhook responded with %d", test.status)), page.Items[0].DeliveredError)
		})
	}
}

func TestDeliveriesDuringRotation(t *testing.T) {
	b := start(t, emulator.WithClock(at(0)))
	h, n := listen(t, b, alerts.WebhookTypePOST, func(right scalar.Secret) []scalar.Secret {
		return []scalar.Secret{scalar.NewSecret("made-up-older-token"), right}
	}, alerts.HeaderNames{})
	require.NoError(t, b.deliver(t, n, 7).Err)
	assert.Len(t, h.ran, 1)
}

func TestDeliveriesThatComeAgain(t *testing.T) {
	b := start(t, emulator.WithClock(at(0)))
	h, n := listen(t, b, alerts.WebhookTypePOST, rightToken, alerts.HeaderNames{})
	h.answers(errors.New("not now"))
	later := b.deliver(t, n, 7)
	assert.Equal(t, http.StatusInternalServerError, later.Status)
	h.answers(alerts.Permanent(errors.New("never")))
	never := b.deliver(t, n, 8)
	assert.Equal(t, http.StatusUnprocessableEntity, never.Status)
	h.answers(nil)
	assert.Equal(t, http.StatusOK, b.redeliver(t, later.EventID), "it may come again")
	assert.Equal(t, http.StatusOK, b.redeliver(t, later.EventID), "a sender that lost the first response")
	assert.Equal(t, http.StatusUnprocessableEntity, b.redeliver(t, never.EventID), "once and for all")
	assert.Len(t, h.ran, 3)
}

// TestADeliveryWhoseResponseGotLost closes the connection in the place of the first response.
func TestADeliveryWhoseResponseGotLost(t *testing.T) {
	b := start(t, emulator.WithClock(at(0)))
	h, n := listen(t, b, alerts.WebhookTypePOST, rightToken, alerts.HeaderNames{})
	receiver := h.receiver
	var requests atomic.Int64
	h.receiver = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			receiver.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		receiver.ServeHTTP(w, r)
	})
	lost := b.deliver(t, n, 7)
	require.Error(t, lost.Err)
	assert.Equal(t, http.StatusOK, b.redeliver(t, lost.EventID))
	assert.Len(t, h.ran, 1)
}

func TestAThousandDeliveriesAtOnceRunOnceEach(t *testing.T) {
	const deliveries = 1000
	b := start(t, emulator.WithClock(at(0)))
	h, n := listen(t, b, alerts.WebhookTypePOST, rightToken, alerts.HeaderNames{})
	var all sync.WaitGroup
	atOnce := make(chan struct{}, 100) // As many connections as a machine with few file descriptors can open.
	// A machine under load refuses connections. An event without a response goes again, whatever became of it.
	arrives := func(outcome emulator.DeliveryOutcome, err error) {
		for attempts := 1; err == nil && outcome.Status == 0 && attempts < 100; attempts++ {
			outcome, err = b.Redeliver(t.Context(), outcome.EventID)
		}
		assert.NoError(t, err)
		assert.NoError(t, outcome.Err)
	}
	for block := range int64(deliveries) {
		all.Go(func() {
			atOnce <- struct{}{}
			defer func() { <-atOnce }()
			outcomes, err := b.Deliver(t.Context(), n.ID, block)
			if assert.NoError(t, err) && assert.Len(t, outcomes, 1) {
				arrives(outcomes[0], nil)
				arrives(b.Redeliver(t.Context(), outcomes[0].EventID))
			}
		})
	}
	all.Wait()
	blocks := make(map[int64]int)
	for _, delivery := range h.ran {
		var payload struct {
			BlockNumber int64 `json:"block_number"`
		}
		require.NoError(t, json.Unmarshal(delivery.Payload, &payload))
		blocks[payload.BlockNumber]++
	}
	assert.Len(t, h.ran, deliveries)
	assert.Len(t, blocks, deliveries)
}
