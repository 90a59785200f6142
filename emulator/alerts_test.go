package emulator_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// alertsPath is the path of the alerts area.
const alertsPath = "/alerts/rest/v1"

// hook is a webhook that responds with a status and keeps the requests it received.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    []string
}

func newHook(t *testing.T, status int) *hook {
	t.Helper()
	h := &hook{status: status}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.got = append(h.got, fmt.Sprintf("%s %s %v", r.Method, body, r.Header))
		w.Header().Set("Location", h.URL+"/elsewhere")
		w.WriteHeader(h.status)
	}))
	t.Cleanup(h.Close)
	return h
}

// notify makes a notification that delivers to these addresses, and returns its id.
func (s *service) notify(expression string, addresses ...string) string {
	s.t.Helper()
	fleet, ids := []emulator.SeedRequest{}, []string{}
	for i, address := range addresses {
		fleet = append(fleet, emulator.SeedRequest{Do: "POST " + alertsPath + "/destinations", As: fmt.Sprint("d", i),
			Body: object{"name": address, "to_url": address, "webhook_type": "POST", "service": "webhook", "payload_type": 1}})
		ids = append(ids, fmt.Sprint("$d", i))
	}
	fleet = append(fleet, emulator.SeedRequest{Do: "POST " + alertsPath + "/notifications", As: "n", Body: object{
		"name": "all", "network": "ethereum-mainnet", "expression": []byte(expression), "destinationIds": ids}})
	return must(s.Populate(fleet...))(s.t)["n"]
}

func (s *service) events(notification string) []map[string]any {
	s.t.Helper()
	path := alertsPath + "/notifications/" + notification + "/events"
	return bodyOf[struct{ Data []map[string]any }](s.get(path).ok()).Data
}

// TestDeliver_sendsToEveryWebhook delivers to several webhooks. The acceptance tests look into a delivery.
func TestDeliver_sendsToEveryWebhook(t *testing.T) {
	s := startService(t)
	good, bad, moved, gone := newHook(t, 204), newHook(t, 503), newHook(t, 307), newHook(t, 200)
	gone.Close()
	n := s.notify("tx_to =~ '^0x'", good.URL, bad.URL, moved.URL, gone.URL+"/?key=s3cr3t")
	outcomes := must(s.Deliver(t.Context(), n, 7))(t)
	require.Len(t, outcomes, 4)
	require.Len(t, s.events(n), 4)
	for i, reason := range []string{
		"", "the receiver responded with 503", "the receiver responded with 307", "the receiver cannot be reached",
	} {
		assert.Equal(t, []int{204, 503, 307, 0}[i], outcomes[i].Status)
		event := s.events(n)[3-i] // The newest comes first.
		assert.Equal(t, outcomes[i].EventID, event["id"])
		assert.Equal(t, reason == "", event["delivered"])
		if reason == "" {
			require.NoError(t, outcomes[i].Err)
			assert.Equal(t, "2026-03-10T09:30:00Z", event["delivered_at"])
			continue
		}
		require.EqualError(t, outcomes[i].Err, reason)
		assert.Equal(t, reason, event["delivered_error"])
		assert.Nil(t, event["delivered_at"])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, must(s.Deliver(ctx, n, 7))(t)[0].Err, context.Canceled)
}

func TestDeliver_skipsUnmatchedAndDisabled(t *testing.T) {
	s := startService(t)
	h := newHook(t, 200)
	n, off := s.notify("tx_index == '9'", h.URL), s.notify("tx_to =~ '^0x'", h.URL)
	s.post(alertsPath+"/notifications/"+off+"/disable", nil).ok()
	for _, id := range []string{n, off} {
		assert.Empty(t, must(s.Deliver(t.Context(), id, 7))(t))
	}
	assert.Empty(t, h.got)
	assert.Empty(t, s.events(n))
	for id, block := range map[string]int64{"unknown": 7, n: -1} {
		require.Error(t, errOf(s.Deliver(t.Context(), id, block)))
	}
}

func TestDeliver_webhookMayCallEmulator(t *testing.T) {
	s := startService(t)
	caller := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(s.get(alertsPath + "/destinations").status)
	}))
	t.Cleanup(caller.Close)
	assert.Equal(t, 200, must(s.Deliver(t.Context(), s.notify("tx_to =~ '^0x'", caller.URL), 7))(t)[0].Status)
}

func trial(expression string, block, count any) object {
	return object{"expression": []byte(expression), "network": "ethereum-mainnet", "block_number": block,
		"backtest_count": count}
}

// TestExpressions_matchTransactions: block 7 goes to the addresses 7, 8, 9 and 0.
func TestExpressions_matchTransactions(t *testing.T) {
	s := startService(t)
	const to = "tx_to == '0x000000000000000000000000000000000000000"
	for expression, matched := range map[string]int{
		to + "7'": 1, to + "1'": 0, "tx_to =~ '[78]$'": 2, `tx_to =~ "^0x"`: 4, "\ttx_index=='0' \n": 1,
		"tx_to != '0x0000000000000000000000000000000000000007'": 3, `tx_index == "it's so"`: 0,
	} {
		s.post(alertsPath+"/notifications/validate", trial(expression, 7, 1)).ok()
		body := string(s.post(alertsPath+"/notifications/backtest", trial(expression, 7, 1)).ok().body)
		assert.Equal(t, matched, strings.Count(body, `"0x`), expression)
		assert.Contains(t, body, fmt.Sprintf(`"evaluation":%t`, matched > 0), expression)
	}
}

func TestExpressions_refuseInvalid(t *testing.T) {
	s := startService(t)
	const form = "must be a comparison"
	for expression, reason := range map[string]string{
		"": form, "tx_to": form, "tx_to 'a'": form, "'a' == tx_to": form, "tx_to == 'a": form, "tx_to = 'a'": form,
		"(tx_to == 'a')": form, "tx_to == 'a' && tx_to == 'b'": form, "tx_color == 'a'": "there is no field tx_color",
		"tx_to =~ '('": "missing closing )",
	} {
		for _, path := range []string{"/notifications/validate", "/notifications/backtest"} {
			refused := s.post(alertsPath+path, trial(expression, 7, 1))
			assert.Equal(t, http.StatusBadRequest, refused.status, expression)
			assert.Contains(t, bodyOf[map[string]any](refused)["message"], reason)
		}
	}
}
