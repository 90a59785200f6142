package emulator_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// receiver responds to deliveries with a status, and counts them.
type receiver struct {
	*httptest.Server
	got atomic.Int64
}

func newReceiver(t *testing.T, status int) *receiver {
	t.Helper()
	made := &receiver{}
	made.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		made.got.Add(1)
		w.Header().Set("Location", made.URL+"/elsewhere")
		w.WriteHeader(status)
	}))
	t.Cleanup(made.Close)
	return made
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
	good, bad, moved, gone := newReceiver(t, 204), newReceiver(t, 503), newReceiver(t, 307), newReceiver(t, 200)
	gone.Close()
	n := s.notify("tx_to =~ '^0x'", good.URL, bad.URL, moved.URL, gone.URL+"/?key=s3cr3t")
	outcomes := must(s.Deliver(t.Context(), n, 7))(t)
	require.Len(t, outcomes, 4)
	require.Len(t, s.events(n), 4)
	for i, want := range []string{"204 <nil>", "503 the receiver responded with 503",
		"307 the receiver responded with 307", "0 the receiver cannot be reached"} {
		event := s.events(n)[3-i] // The newest comes first.
		assert.Equal(t, want, fmt.Sprintf("%d %v", outcomes[i].Status, outcomes[i].Err))
		assert.Equal(t, want, fmt.Sprintf("%d %v", outcomes[i].Status, event["delivered_error"]))
		assert.Equal(t, outcomes[i].EventID, event["id"])
		assert.Equal(t, i == 0, event["delivered"])
		assert.Equal(t, map[bool]any{true: "2026-03-10T09:30:00Z"}[i == 0], event["delivered_at"])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, must(s.Deliver(ctx, n, 7))(t)[0].Err, context.Canceled)
}

func TestDeliver_skipsUnmatchedAndDisabled(t *testing.T) {
	s := startService(t)
	h := newReceiver(t, 200)
	n, off := s.notify("tx_index == '9'", h.URL), s.notify("tx_to =~ '^0x'", h.URL)
	s.post(alertsPath+"/notifications/"+off+"/disable", nil).ok()
	for _, id := range []string{n, off} {
		assert.Empty(t, must(s.Deliver(t.Context(), id, 7))(t))
	}
	assert.Zero(t, h.got.Load())
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

// TestExpressions_matchOrAreRefused: block 7 goes to the addresses 7, 8, 9 and 0. An expression has the number of its
// matches there, or the reason of its refusal.
func TestExpressions_matchOrAreRefused(t *testing.T) {
	s := startService(t)
	const to, form = "tx_to == '0x000000000000000000000000000000000000000", "must be a comparison"
	for expression, want := range map[string]any{
		to + "7'": 1, to + "1'": 0, "tx_to =~ '[78]$'": 2, `tx_to =~ "^0x"`: 4, "\ttx_index=='0' \n": 1,
		"tx_to != '0x0000000000000000000000000000000000000007'": 3, `tx_index == "it's so"`: 0,
		"": form, "tx_to": form, "tx_to 'a'": form, "'a' == tx_to": form, "tx_to == 'a": form, "tx_to = 'a'": form,
		"(tx_to == 'a')": form, "tx_to == 'a' && tx_to == 'b'": form, "tx_color == 'a'": "there is no field tx_color",
		"tx_to =~ '('": "missing closing )",
	} {
		trial := object{"expression": []byte(expression), "network": "ethereum-mainnet", "block_number": 7,
			"backtest_count": 1}
		backtest := s.post(alertsPath+"/notifications/backtest", trial)
		assert.Equal(t, backtest.status, s.post(alertsPath+"/notifications/validate", trial).status, expression)
		if reason, refused := want.(string); refused {
			assert.Equal(t, http.StatusBadRequest, backtest.status, expression)
			assert.Contains(t, bodyOf[map[string]any](backtest)["message"], reason)
			continue
		}
		body := string(backtest.ok().body)
		assert.Equal(t, want, strings.Count(body, `"0x`), expression)
		assert.Contains(t, body, fmt.Sprintf(`"evaluation":%t`, want.(int) > 0), expression)
	}
}
