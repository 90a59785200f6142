package emulator_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// got is a request that a hook received.
type got struct {
	method, body string
	header       http.Header
}

// hook is a webhook that responds with a status and keeps the requests it received.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    []got
}

func newHook(t *testing.T, status int) *hook {
	t.Helper()
	h := &hook{status: status}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.got = append(h.got, got{r.Method, string(body), r.Header.Clone()})
		w.Header().Set("Location", h.URL+"/elsewhere")
		w.WriteHeader(h.status)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) answers(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// eventPage is a page of events as it is on the wire.
type eventPage struct {
	Data []struct {
		ID             string
		DestinationID  string  `json:"destination_id"`
		NotificationID string  `json:"notification_id"`
		BlockNumber    string  `json:"block_number"`
		Matched        string  `json:"tx_matched_indexes"`
		Delivered      *bool   `json:"delivered"`
		DeliveredError *string `json:"delivered_error"`
		DeliveredAt    *string `json:"delivered_at"`
		CreatedAt      string  `json:"created_at"`
		To             string  `json:"to"`
	}
	PageInfo struct{ Limit, Page int }
}

func (s *service) events(n notificationRecord, query string) eventPage {
	s.t.Helper()
	return bodyOf[eventPage](s.get(alertsPath + "/notifications/" + n.ID + "/events" + query).ok())
}

func TestDeliver(t *testing.T) {
	s := startService(t)
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		t.Run(method, func(t *testing.T) {
			h := newHook(t, 200)
			to := s.newDestination(object{"to_url": h.URL + "/hook", "webhook_type": method})
			n := s.newNotification(object{"expression": []byte("tx_to =~ '[79]$'")}, to)
			outcomes, err := s.Deliver(t.Context(), n.ID, 7)
			require.NoError(t, err)
			require.Len(t, outcomes, 1)
			assert.Equal(t, emulator.DeliveryOutcome{EventID: outcomes[0].EventID, DestinationID: to.ID, Status: 200},
				outcomes[0])

			require.Len(t, h.got, 1)
			delivered := h.got[0]
			assert.Equal(t, method, delivered.method)
			assert.Contains(t, delivered.body, `"notification_id":"`+n.ID+
				`","network":"ethereum-mainnet","block_number":7,"matched_hashes":["0x`)
			assert.Equal(t, "1773135000", delivered.header.Get("x-qn-timestamp"))
			mac := hmac.New(sha256.New, []byte(to.Token))
			for _, name := range []string{"x-qn-nonce", "x-qn-content-hash", "x-qn-timestamp"} {
				require.NotEmpty(t, delivered.header.Get(name))
				mac.Write([]byte(delivered.header.Get(name)))
			}
			assert.Equal(t, base64.StdEncoding.EncodeToString(mac.Sum(nil)), delivered.header.Get("x-qn-signature"))

			page := s.events(n, "")
			require.Len(t, page.Data, 1)
			event := page.Data[0]
			assert.Equal(t, outcomes[0].EventID, event.ID)
			assert.Equal(t, to.ID, event.DestinationID)
			assert.Equal(t, n.ID, event.NotificationID)
			assert.Equal(t, "7", event.BlockNumber)
			assert.Equal(t, "0,2", event.Matched)
			assert.Equal(t, h.URL+"/hook", event.To)
			assert.Equal(t, new(true), event.Delivered)
			assert.Equal(t, new("2026-03-10T09:30:00Z"), event.DeliveredAt)
			assert.Nil(t, event.DeliveredError)
		})
	}
}

func TestDeliverToSeveral(t *testing.T) {
	s := startService(t)
	good, bad, moved, gone := newHook(t, 204), newHook(t, 503), newHook(t, 307), newHook(t, 200)
	gone.Close()
	var destinations []destinationRecord
	for _, h := range []*hook{good, bad, moved, gone} {
		destinations = append(destinations, s.newDestination(object{"to_url": h.URL + "/?key=s3cr3t"}))
	}
	n := s.newNotification(nil, destinations...)
	outcomes, err := s.Deliver(t.Context(), n.ID, 7)
	require.NoError(t, err)
	require.Len(t, outcomes, 4)
	for i, want := range []struct {
		status int
		reason string
	}{{204, ""}, {503, "the webhook responded with 503"}, {307, "the webhook responded with 307"},
		{0, "the webhook cannot be reached"}} {
		assert.Equal(t, want.status, outcomes[i].Status)
		event := s.events(n, "").Data[3-i] // The newest comes first.
		assert.Equal(t, outcomes[i].EventID, event.ID)
		assert.Equal(t, new(want.reason == ""), event.Delivered)
		if want.reason == "" {
			require.NoError(t, outcomes[i].Err)
			assert.Nil(t, event.DeliveredError)
			continue
		}
		require.EqualError(t, outcomes[i].Err, want.reason)
		assert.Equal(t, &want.reason, event.DeliveredError)
		assert.Nil(t, event.DeliveredAt)
	}
	assert.NotEqual(t, good.got[0].header.Get("x-qn-nonce"), bad.got[0].header.Get("x-qn-nonce"))
}

func TestDeliverNothing(t *testing.T) {
	s := startService(t)
	h := newHook(t, 200)
	n := s.newNotification(object{"expression": []byte("tx_index == '9'")}, s.newDestination(object{"to_url": h.URL}))
	off := s.newNotification(nil, s.newDestination(object{"to_url": h.URL}))
	s.post(alertsPath+"/notifications/"+off.ID+"/disable", nil).ok()
	for name, id := range map[string]string{"no match": n.ID, "off": off.ID} {
		outcomes, err := s.Deliver(t.Context(), id, 7)
		require.NoError(t, err, name)
		assert.Empty(t, outcomes, name)
	}
	assert.Empty(t, h.got)
	assert.Empty(t, s.events(n, "").Data)
	_, err := s.Deliver(t.Context(), "n-unknown", 7)
	require.Error(t, err)
	_, err = s.Deliver(t.Context(), n.ID, -1)
	require.Error(t, err)
	_, err = s.Redeliver(t.Context(), "e-unknown")
	require.Error(t, err)
}

func TestRedeliver(t *testing.T) {
	s := startService(t)
	h := newHook(t, 500)
	n := s.newNotification(nil, s.newDestination(object{"to_url": h.URL}))
	outcomes, err := s.Deliver(t.Context(), n.ID, 7)
	require.NoError(t, err)
	require.Error(t, outcomes[0].Err)
	h.answers(200)
	again, err := s.Redeliver(t.Context(), outcomes[0].EventID)
	require.NoError(t, err)
	require.NoError(t, again.Err)
	require.Len(t, h.got, 2)
	assert.Equal(t, h.got[0], h.got[1], "the same bytes")
	page := s.events(n, "")
	require.Len(t, page.Data, 1)
	assert.Equal(t, new(true), page.Data[0].Delivered)
	assert.Nil(t, page.Data[0].DeliveredError)

	h.answers(409)
	_, err = s.Redeliver(t.Context(), outcomes[0].EventID)
	require.NoError(t, err)
	assert.Equal(t, page, s.events(n, ""), "what was delivered once stays delivered")
}

func TestAWebhookMayCallTheEmulator(t *testing.T) {
	s := startService(t)
	caller := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(s.get(alertsPath + "/destinations").status)
	}))
	t.Cleanup(caller.Close)
	n := s.newNotification(nil, s.newDestination(object{"to_url": caller.URL}))
	outcomes, err := s.Deliver(t.Context(), n.ID, 7)
	require.NoError(t, err)
	assert.Equal(t, 200, outcomes[0].Status)
}

func TestDeliverEndsWithItsContext(t *testing.T) {
	s := startService(t)
	h := newHook(t, 200)
	n := s.newNotification(nil, s.newDestination(object{"to_url": h.URL}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	outcomes, err := s.Deliver(ctx, n.ID, 7)
	require.NoError(t, err)
	require.ErrorIs(t, outcomes[0].Err, context.Canceled)
}
