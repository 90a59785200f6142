package acceptance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
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
	b, ctx := start(t), t.Context()
	var all []alerts.Destination
	for layout := alerts.PayloadTypeLayout1; layout <= alerts.PayloadTypeLayout7; layout++ {
		for _, method := range []alerts.WebhookType{alerts.WebhookTypePOST, alerts.WebhookTypeGET} {
			url := fmt.Sprintf("https://hooks.example/%d", layout)
			created := must(b.Destinations.Create(ctx, alerts.CreateDestinationRequest{
				Name: "Layout", ToURL: scalar.NewSecretURL(url), WebhookType: method, Service: alerts.DestinationServiceWebhook,
				PayloadType: layout,
			}))(t)
			assert.Equal(t, []any{url, layout, method}, []any{created.To.Reveal(), created.PayloadType, created.WebhookType})
			assert.False(t, created.Token.IsZero())
			assert.NotZero(t, created.CreatedAt)
			assert.Equal(t, created, must(b.Destinations.Get(ctx, created.ID))(t))
			all = append(all, *created)
		}
	}
	assert.Equal(t, all, must(b.Destinations.List(ctx, alerts.ListDestinationsParams{}))(t).Items)
	require.NoError(t, b.Destinations.Delete(ctx, all[0].ID))
	require.ErrorIs(t, b.Destinations.Delete(ctx, all[0].ID), rpcfleet.ErrNotFound)
	require.ErrorIs(t, second(b.Destinations.Get(ctx, all[0].ID)), rpcfleet.ErrNotFound)
	assert.Equal(t, all[1:], must(b.Destinations.List(ctx, alerts.ListDestinationsParams{}))(t).Items)
	require.ErrorIs(t, second(b.Destinations.Create(ctx, alerts.CreateDestinationRequest{Name: "Nothing else"},
		rpcfleet.WithoutValidation())), rpcfleet.ErrInvalidRequest)
}

func TestNotifications_createUpdateDelete(t *testing.T) {
	b, ctx := start(t), t.Context()
	first := b.destination(t, "https://hooks.example/1", alerts.WebhookTypePOST)
	other := b.destination(t, "https://hooks.example/2", alerts.WebhookTypeGET)
	for i, network := range alertNetworks {
		created := must(b.Notifications.Create(ctx, alerts.CreateNotificationRequest{
			Name: string(network), Expression: everyBlock, Network: network, DestinationIDs: []string{first.ID, other.ID},
		}))(t)
		assert.Equal(t, &alerts.Notification{
			ID: created.ID, CreatedAt: created.CreatedAt, UpdatedAt: created.UpdatedAt, Name: string(network),
			Expression: everyBlock, Network: network, DestinationIDs: []string{first.ID, other.ID}, Enabled: new(true),
			Destinations: []alerts.Destination{*first, *other},
		}, created)
		assert.Equal(t, created, must(b.Notifications.Get(ctx, created.ID))(t))
		created.Network = alertNetworks[(i+1)%len(alertNetworks)]
		changed := must(b.Notifications.Update(ctx, created.ID,
			alerts.UpdateNotificationRequest{Network: &created.Network}))(t)
		changed.UpdatedAt = created.UpdatedAt
		assert.Equal(t, created, changed, "what is left out stays")
	}
	list := must(b.Notifications.List(ctx, alerts.ListNotificationsParams{}))(t).Items
	require.Len(t, list, len(alertNetworks))

	id := list[0].ID
	changed := must(b.Notifications.Update(ctx, id, alerts.UpdateNotificationRequest{
		Name: new("Renamed"), Expression: new(alerts.Expression("tx_index == '1'")), DestinationIDs: []string{other.ID},
	}))(t)
	assert.Equal(t, "Renamed", changed.Name)
	assert.Equal(t, alerts.Expression("tx_index == '1'"), changed.Expression)
	assert.Equal(t, []string{other.ID}, changed.DestinationIDs)

	same := must(b.Notifications.Update(ctx, id, alerts.UpdateNotificationRequest{}))(t)
	assert.Equal(t, changed.DestinationIDs, same.DestinationIDs, "a change of nothing")
	bare := must(b.Notifications.Update(ctx, id, alerts.UpdateNotificationRequest{DestinationIDs: []string{}}))(t)
	assert.Empty(t, bare.DestinationIDs)
	assert.Empty(t, b.notification(t, everyBlock).DestinationIDs)

	require.NoError(t, b.Notifications.Disable(ctx, id))
	assert.Equal(t, new(false), must(b.Notifications.Get(ctx, id))(t).Enabled)
	require.NoError(t, b.Notifications.Enable(ctx, id))
	assert.Equal(t, new(true), must(b.Notifications.Get(ctx, id))(t).Enabled)

	unknown := alerts.UpdateNotificationRequest{DestinationIDs: []string{"d-unknown"}}
	require.ErrorIs(t, second(b.Notifications.Update(ctx, id, unknown)), rpcfleet.ErrInvalidRequest)
	require.NoError(t, b.Notifications.Delete(ctx, id))
	for _, err := range []error{
		b.Notifications.Delete(ctx, id), b.Notifications.Enable(ctx, id), second(b.Notifications.Update(ctx, id, unknown)),
		b.Notifications.Disable(ctx, id), second(b.Notifications.Get(ctx, id)),
		second(b.Notifications.Events(ctx, id, alerts.ListNotificationEventsParams{})),
	} {
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
	}
}

// TestExpressions_validateAndBacktest on every network. Package emulator tests their meaning.
func TestExpressions_validateAndBacktest(t *testing.T) {
	b, ctx := start(t), t.Context()
	for _, network := range alertNetworks {
		request := alerts.ValidateExpressionRequest{Expression: everyBlock, Network: network}
		require.NoError(t, b.Expressions.Validate(ctx, request))
		blocks := must(b.Expressions.Backtest(ctx, alerts.BacktestExpressionRequest{
			Expression: "tx_to == '0x0000000000000000000000000000000000000007'", Network: network, BlockNumber: 14,
			BacktestCount: 5,
		}))(t)
		require.Len(t, blocks, 5)
		assert.Equal(t, []any{"14", true, string(network)},
			[]any{blocks[0].BlockNumber, blocks[0].Evaluation, blocks[0].Network})
		assert.Len(t, blocks[0].MatchedHashes, 1)
		assert.False(t, blocks[2].Evaluation, "block 12")
	}

	doge := alerts.AlertNetworkDogeMainnet
	for _, err := range []error{
		b.Expressions.Validate(ctx, alerts.ValidateExpressionRequest{Expression: "tx_to ==", Network: doge}),
		second(b.Expressions.Backtest(ctx, alerts.BacktestExpressionRequest{
			Expression: "tx_to ==", Network: doge, BlockNumber: 1, BacktestCount: 1,
		})),
		second(b.Notifications.Create(ctx, alerts.CreateNotificationRequest{
			Name: "Broken", Expression: "tx_to ==", Network: doge, DestinationIDs: []string{"d-unknown"},
		})),
	} {
		var refused *rpcfleet.Error
		require.ErrorAs(t, err, &refused)
		require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
		assert.Equal(t, "expression: must be a comparison such as tx_to == 'x'", refused.Message)
	}
	// The escape lets a network through that the service has to know by then. The emulator does not.
	newer := alerts.ValidateExpressionRequest{Expression: everyBlock, Network: "newer-mainnet"}
	require.ErrorIs(t, b.Expressions.Validate(ctx, newer, rpcfleet.WithoutValidation()), rpcfleet.ErrInvalidRequest)
}

// TestReceiver_acceptsEmulatorDeliveries delivers to an address with a secret, which has to arrive as it is.
func TestReceiver_acceptsEmulatorDeliveries(t *testing.T) {
	hash := func(_ *http.Request, body []byte) string {
		sum := sha256.Sum256(body)
		return hex.EncodeToString(sum[:])
	}
	for _, method := range []alerts.WebhookType{alerts.WebhookTypePOST, alerts.WebhookTypeGET} {
		var receiver http.Handler // Made once the token of its destination is known.
		var addresses []string
		webhook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			addresses = append(addresses, r.URL.String())
			receiver.ServeHTTP(w, r)
		}))
		defer webhook.Close()
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
		assert.Equal(t, []string{"/s3cr3t?key=a%26b&c=<d>"}, addresses)
		assert.NotContains(t, fmt.Sprintf("%+v %+v", to, n), "s3cr3t")
		require.Len(t, ran, 1)
		assert.Equal(t, string(method), ran[0].Method)
		assert.True(t, present.Equal(ran[0].Headers.Timestamp))
		assert.NotEmpty(t, ran[0].Headers.Nonce)
		assert.Contains(t, string(ran[0].Payload), `"block_number":19000001,`)

		page := must(b.Notifications.Events(t.Context(), n.ID,
			alerts.ListNotificationEventsParams{Limit: new(1), Offset: new(0)}))(t)
		require.Len(t, page.Items, 1)
		event := page.Items[0]
		assert.Equal(t, []any{outcomes[0].EventID, "19000001", "0,1,2,3", new(true), "", to.To.Reveal(), 1},
			[]any{event.ID, event.BlockNumber, event.TxMatchedIndexes, event.Delivered, event.DeliveredError,
				event.To.Reveal(), page.Limit})
	}
}
