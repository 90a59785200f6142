package acceptance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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
func listen(t *testing.T, b *fixture, method alerts.WebhookType, options ...alerts.ReceiverOption) (
	*hook, *alerts.Notification,
) {
	t.Helper()
	h := &hook{}
	h.Server = httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.receiver.ServeHTTP(w, r) }))
	t.Cleanup(h.Close)
	to := b.destination(t, h.URL+"/alerts", method)
	verifier := must(alerts.NewHMACVerifier([]scalar.Secret{to.Token}, alerts.HeaderNames{}))(t)
	options = append([]alerts.ReceiverOption{alerts.WithClock(at(0)), alerts.WithPayloadType(to.PayloadType)}, options...)
	h.receiver = must(alerts.NewReceiver(verifier, h.receive, options...))(t)
	return h, b.notification(t, everyBlock, to)
}

// deliver delivers one block to the one destination.
func (b *fixture) deliver(t *testing.T, n *alerts.Notification, block int64) emulator.DeliveryOutcome {
	t.Helper()
	outcomes := must(b.Deliver(t.Context(), n.ID, block))(t)
	require.Len(t, outcomes, 1)
	return outcomes[0]
}

// redeliver sends an event once more and returns the status.
func (b *fixture) redeliver(t *testing.T, eventID string) int {
	t.Helper()
	return must(b.Redeliver(t.Context(), eventID))(t).Status
}

func TestReceiver_acceptsEmulatorDeliveries(t *testing.T) {
	hash := func(_ *http.Request, body []byte) string {
		sum := sha256.Sum256(body)
		return hex.EncodeToString(sum[:])
	}
	for _, method := range []alerts.WebhookType{alerts.WebhookTypePOST, alerts.WebhookTypeGET} {
		t.Run(string(method), func(t *testing.T) {
			b := start(t, emulator.WithClock(at(0)))
			h, n := listen(t, b, method, alerts.WithContentHash(hash))
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

			page := must(b.Notifications.Events(t.Context(), n.ID,
				alerts.ListNotificationEventsParams{Limit: new(1), Offset: new(0)}))(t)
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

func TestReceiver_runsFailedDeliveryAgain(t *testing.T) {
	b := start(t, emulator.WithClock(at(0)))
	h, n := listen(t, b, alerts.WebhookTypePOST)
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

// TestReceiver_lostResponseRunsDeliveryOnce closes the connection in the place of the first response.
func TestReceiver_lostResponseRunsDeliveryOnce(t *testing.T) {
	b := start(t, emulator.WithClock(at(0)))
	h, n := listen(t, b, alerts.WebhookTypePOST)
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
