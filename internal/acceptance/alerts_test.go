package acceptance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
	"github.com/rpcfleet/rpcfleet-go/webhooks"
)

var alertNetworks = alerts.AlertNetwork("").Values()

// everyBlock is an expression that matches every block of the emulator.
const everyBlock = alerts.Expression("tx_to =~ '^0x'")

// destination creates a destination for a webhook.
func (b *fixture) destination(t *testing.T, url string, method alerts.WebhookType) *alerts.Destination {
	t.Helper()
	created := must(b.Destinations.Create(t.Context(), alerts.CreateDestinationRequest{
		Name: "Watch", ToURL: scalar.NewSecretURL(url), WebhookType: method, Service: alerts.DestinationServiceWebhook,
		PayloadType: alerts.PayloadTypeLayout5,
	}))(t)
	return created
}

// notification creates a notification that delivers to destinations.
func (b *fixture) notification(t *testing.T, expression alerts.Expression,
	to ...*alerts.Destination) *alerts.Notification {
	t.Helper()
	ids := []string{}
	for _, d := range to {
		ids = append(ids, d.ID)
	}
	created := must(b.Notifications.Create(t.Context(), alerts.CreateNotificationRequest{
		Name: "Transfers", Expression: expression, Network: alerts.AlertNetworkEthereumMainnet, DestinationIDs: ids,
	}))(t)
	return created
}

func TestDestinations_createReadDelete(t *testing.T) {
	b := start(t)
	var all []alerts.Destination
	for layout := alerts.PayloadTypeLayout1; layout <= alerts.PayloadTypeLayout7; layout++ {
		for _, method := range []alerts.WebhookType{alerts.WebhookTypePOST, alerts.WebhookTypeGET} {
			url := fmt.Sprintf("https://hooks.example/%d", layout)
			created := must(b.Destinations.Create(t.Context(), alerts.CreateDestinationRequest{
				Name: "Layout", ToURL: scalar.NewSecretURL(url), WebhookType: method, Service: alerts.DestinationServiceWebhook,
				PayloadType: layout,
			}))(t)
			assert.Equal(t, url, created.To.Reveal())
			assert.Equal(t, layout, created.PayloadType)
			assert.Equal(t, method, created.WebhookType)
			assert.False(t, created.Token.IsZero())
			assert.NotZero(t, created.CreatedAt)
			assert.Equal(t, created, must(b.Destinations.Get(t.Context(), created.ID))(t))
			all = append(all, *created)
		}
	}
	list := must(b.Destinations.List(t.Context(), alerts.ListDestinationsParams{}))(t)
	assert.Equal(t, all, list.Items)

	require.NoError(t, b.Destinations.Delete(t.Context(), all[0].ID))
	require.ErrorIs(t, b.Destinations.Delete(t.Context(), all[0].ID), rpcfleet.ErrNotFound)
	require.ErrorIs(t, second(b.Destinations.Get(t.Context(), all[0].ID)), rpcfleet.ErrNotFound)
	list = must(b.Destinations.List(t.Context(), alerts.ListDestinationsParams{}))(t)
	assert.Equal(t, all[1:], list.Items)

	_, err := b.Destinations.Create(t.Context(), alerts.CreateDestinationRequest{Name: "Nothing else"},
		rpcfleet.WithoutValidation())
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
}

func TestNotifications_createUpdateDelete(t *testing.T) {
	b := start(t)
	first := b.destination(t, "https://hooks.example/1", alerts.WebhookTypePOST)
	other := b.destination(t, "https://hooks.example/2", alerts.WebhookTypeGET)
	for i, network := range alertNetworks {
		created := must(b.Notifications.Create(t.Context(), alerts.CreateNotificationRequest{
			Name: string(network), Expression: everyBlock, Network: network, DestinationIDs: []string{first.ID, other.ID},
		}))(t)
		assert.Equal(t, network, created.Network)
		assert.Equal(t, everyBlock, created.Expression)
		assert.Equal(t, []string{first.ID, other.ID}, created.DestinationIDs)
		assert.Equal(t, []alerts.Destination{*first, *other}, created.Destinations)
		assert.Equal(t, new(true), created.Enabled)
		assert.Equal(t, created, must(b.Notifications.Get(t.Context(), created.ID))(t))
		created.Network = alertNetworks[(i+1)%len(alertNetworks)]
		changed := must(b.Notifications.Update(t.Context(), created.ID,
			alerts.UpdateNotificationRequest{Network: &created.Network}))(t)
		changed.UpdatedAt = created.UpdatedAt
		assert.Equal(t, created, changed, "what is left out stays")
	}
	list := must(b.Notifications.List(t.Context(), alerts.ListNotificationsParams{}))(t).Items
	require.Len(t, list, len(alertNetworks))

	id := list[0].ID
	changed := must(b.Notifications.Update(t.Context(), id, alerts.UpdateNotificationRequest{
		Name: new("Renamed"), Expression: new(alerts.Expression("tx_index == '1'")), DestinationIDs: []string{other.ID},
	}))(t)
	assert.Equal(t, "Renamed", changed.Name)
	assert.Equal(t, alerts.Expression("tx_index == '1'"), changed.Expression)
	assert.Equal(t, []string{other.ID}, changed.DestinationIDs)

	same := must(b.Notifications.Update(t.Context(), id, alerts.UpdateNotificationRequest{}))(t)
	assert.Equal(t, changed.DestinationIDs, same.DestinationIDs, "a change of nothing")
	bare, err := b.Notifications.Update(t.Context(), id, alerts.UpdateNotificationRequest{DestinationIDs: []string{}})
	require.NoError(t, err)
	assert.Empty(t, bare.DestinationIDs)
	created := b.notification(t, everyBlock)
	assert.Empty(t, created.DestinationIDs)

	require.NoError(t, b.Notifications.Disable(t.Context(), id))
	assert.Equal(t, new(false), must(b.Notifications.Get(t.Context(), id))(t).Enabled)
	require.NoError(t, b.Notifications.Enable(t.Context(), id))
	assert.Equal(t, new(true), must(b.Notifications.Get(t.Context(), id))(t).Enabled)

	_, err = b.Notifications.Update(t.Context(), id,
		alerts.UpdateNotificationRequest{DestinationIDs: []string{"d-unknown"}})
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
	require.NoError(t, b.Notifications.Delete(t.Context(), id))
	_, err = b.Notifications.Update(t.Context(), id, alerts.UpdateNotificationRequest{Name: new("Gone")})
	require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	for _, err := range []error{
		b.Notifications.Delete(t.Context(), id), b.Notifications.Enable(t.Context(), id),
		b.Notifications.Disable(t.Context(), id), second(b.Notifications.Get(t.Context(), id)),
		second(b.Notifications.Events(t.Context(), id, alerts.ListNotificationEventsParams{})),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
}

func TestExpressions_validateAndBacktest(t *testing.T) {
	b := start(t)
	for _, network := range alertNetworks {
		require.NoError(t,
			b.Expressions.Validate(t.Context(), alerts.ValidateExpressionRequest{Expression: everyBlock, Network: network}))
		blocks := must(b.Expressions.Backtest(t.Context(), alerts.BacktestExpressionRequest{
			Expression: "tx_to == '0x0000000000000000000000000000000000000007'", Network: network, BlockNumber: 14,
			BacktestCount: 5,
		}))(t)
		require.Len(t, blocks, 5)
		assert.Equal(t, "14", blocks[0].BlockNumber)
		assert.True(t, blocks[0].Evaluation)
		assert.Len(t, blocks[0].MatchedHashes, 1)
		assert.Equal(t, string(network), blocks[0].Network)
		assert.False(t, blocks[2].Evaluation, "block 12")
		assert.Empty(t, blocks[2].MatchedHashes)
	}

	doge := alerts.AlertNetworkDogeMainnet
	for _, err := range []error{
		b.Expressions.Validate(t.Context(), alerts.ValidateExpressionRequest{Expression: "tx_to ==", Network: doge}),
		second(b.Expressions.Backtest(t.Context(), alerts.BacktestExpressionRequest{
			Expression: "tx_to ==", Network: doge, BlockNumber: 1, BacktestCount: 1,
		})),
		second(b.Notifications.Create(t.Context(), alerts.CreateNotificationRequest{
			Name: "Broken", Expression: "tx_to ==", Network: doge, DestinationIDs: []string{"d-unknown"},
		})),
	} {
		var refused *rpcfleet.Error
		require.ErrorAs(t, err, &refused)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		assert.Equal(t, "expression: must be a comparison such as tx_to == 'x'", refused.Message)
	}

	// The escape lets a network through that the service has to know by then. The emulator does not.
	err := b.Expressions.Validate(t.Context(),
		alerts.ValidateExpressionRequest{Expression: everyBlock, Network: "newer-mainnet"},
		rpcfleet.WithoutValidation())
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
}

func TestAlerts_withoutAccessIsForbidden(t *testing.T) {
	b := start(t, emulator.WithoutAlerts())
	_, err := b.Notifications.List(t.Context(), alerts.ListNotificationsParams{})
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
	_, err = b.client(t, rpcfleet.WithAPIKey("made-up-wrong-key")).Destinations.List(t.Context(),
		alerts.ListDestinationsParams{})
	require.ErrorIs(t, err, rpcfleet.ErrUnauthorized)
}

// TestAlertsAll_readsEveryList reads the three lists of the area. The tests of the client have services that page in
// other ways.
func TestAlertsAll_readsEveryList(t *testing.T) {
	const count = 45
	for name, options := range map[string][]emulator.Option{
		"by limit and offset": nil, "by a lowered limit": {emulator.WithMaxPageSize(7)},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t, options...)
			var destinations, notifications, events []string
			for range count {
				to := b.destination(t, "http://127.0.0.1:1/", alerts.WebhookTypePOST)
				destinations = append(destinations, to.ID)
				notifications = append(notifications, b.notification(t, everyBlock, to).ID)
			}
			for block := range int64(count) {
				events = append(events, must(b.Deliver(t.Context(), notifications[0], block))(t)[0].EventID)
			}
			slices.Reverse(events) // The newest comes first.

			for _, size := range []int{1, 10, 46, 100} {
				sized := rpcfleet.WithPageSize(size)
				assert.Equal(t, destinations,
					ids(t, b.Destinations.All(t.Context(), alerts.ListDestinationsParams{}, sized),
						func(d alerts.Destination) string { return d.ID }))
				assert.Equal(t, notifications,
					ids(t, b.Notifications.All(t.Context(), alerts.ListNotificationsParams{}, sized),
						func(n alerts.Notification) string { return n.ID }))
				assert.Equal(t, events,
					ids(t, b.Notifications.AllEvents(t.Context(), notifications[0], alerts.ListNotificationEventsParams{}, sized),
						func(e alerts.NotificationEvent) string { return e.ID }))
			}
			assert.Equal(t, events[40:],
				ids(t, b.Notifications.AllEvents(t.Context(), notifications[0],
					alerts.ListNotificationEventsParams{Offset: new(40)}),
					func(e alerts.NotificationEvent) string { return e.ID }))
		})
	}
}

// ids are the ids of all items of an iteration.
func ids[T any](t *testing.T, all iter.Seq2[T, error], id func(T) string) []string {
	t.Helper()
	var list []string
	for item, err := range all {
		require.NoError(t, err)
		list = append(list, id(item))
	}
	return list
}

// TestReceiver_acceptsEmulatorDeliveries delivers to an address with a secret, which has to arrive as it is.
func TestReceiver_acceptsEmulatorDeliveries(t *testing.T) {
	hash := func(_ *http.Request, body []byte) string {
		sum := sha256.Sum256(body)
		return hex.EncodeToString(sum[:])
	}
	for _, method := range []alerts.WebhookType{alerts.WebhookTypePOST, alerts.WebhookTypeGET} {
		t.Run(string(method), func(t *testing.T) {
			var receiver http.Handler // Made once the token of its destination is known.
			var addresses []string
			webhook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				addresses = append(addresses, r.URL.String())
				receiver.ServeHTTP(w, r)
			}))
			t.Cleanup(webhook.Close)
			b := start(t, emulator.WithClock(still))
			to := b.destination(t, webhook.URL+"/s3cr3t?key=a%26b&c=<d>", method)
			n := b.notification(t, everyBlock, to)
			var ran []*webhooks.Delivery
			callback := func(_ context.Context, d *webhooks.Delivery) error { ran = append(ran, d); return nil }
			receiver = must(webhooks.NewReceiver(must(alerts.NewHMACVerifier([]scalar.Secret{to.Token}, hash))(t), callback,
				webhooks.WithClock(still)))(t)
			outcomes := must(b.Deliver(t.Context(), n.ID, 19000001))(t)
			require.Len(t, outcomes, 1)
			require.NoError(t, outcomes[0].Err)
			assert.Equal(t, http.StatusOK, outcomes[0].Status)

			assert.Equal(t, []string{"/s3cr3t?key=a%26b&c=<d>"}, addresses)
			assert.NotContains(t, fmt.Sprintf("%+v %+v", to, n), "s3cr3t")
			require.Len(t, ran, 1)
			delivery := ran[0]
			assert.Equal(t, string(method), delivery.Method)
			assert.True(t, present.Equal(delivery.Headers.Timestamp))
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
			assert.Equal(t, outcomes[0].EventID, event.ID)
			assert.Equal(t, "19000001", event.BlockNumber)
			assert.Equal(t, "0,1,2,3", event.TxMatchedIndexes)
			assert.Equal(t, new(true), event.Delivered)
			assert.Empty(t, event.DeliveredError)
			assert.Equal(t, to.To.Reveal(), event.To.Reveal())
			assert.Equal(t, 1, page.Limit)
		})
	}
}
