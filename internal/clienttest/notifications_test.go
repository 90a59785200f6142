package clienttest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

const notificationRecord = `{"id":"n1","name":"Transfers","expression":"dHhfdG8gPT0gJzB4MSc=","network":"ethereum-mainnet",
	"enabled":true,"destinations":[` + destinationRecord + `],"created_at":"2026-01-15T09:31:00.250Z"}`

// createNotification creates a good notification with a change.
func createNotification(change func(*alerts.CreateNotificationRequest), opts ...rpcfleet.CallOption) use {
	notification := alerts.CreateNotificationRequest{
		Name: "Transfers", Expression: "tx_to == '0x1'", Network: alerts.AlertNetworkEthereumMainnet, DestinationIDs: []string{"d1", "d2"},
	}
	change(&notification)
	return func(ctx context.Context, c *rpcfleet.Client) error {
		_, err := c.Notifications.Create(ctx, notification, opts...)
		return err
	}
}

// updateNotification changes notification n1.
func updateNotification(change alerts.UpdateNotificationRequest, opts ...rpcfleet.CallOption) use {
	return func(ctx context.Context, c *rpcfleet.Client) error {
		_, err := c.Notifications.Update(ctx, "n1", change, opts...)
		return err
	}
}

// notificationEvents asks for events of notification n1.
func notificationEvents(params alerts.ListNotificationEventsParams) use {
	return func(ctx context.Context, c *rpcfleet.Client) error {
		_, err := c.Notifications.Events(ctx, "n1", params)
		return err
	}
}

func TestNotifications(t *testing.T) {
	const base = "/alerts/rest/v1/notifications"
	testSends(t, says(200, notificationRecord), map[string]sent{
		"create": {createNotification(func(*alerts.CreateNotificationRequest) {}), "POST", base, `{"name":"Transfers",
			"expression":"dHhfdG8gPT0gJzB4MSc=","network":"ethereum-mainnet","destinationIds":["d1","d2"]}`},
		"create with text that is base64": {createNotification(func(n *alerts.CreateNotificationRequest) {
			n.Expression = "dHhfdG8gPT0gJzB4MSc="
		}), "POST", base, `{"name":"Transfers",
			"expression":"ZEhoZmRHOGdQVDBnSnpCNE1TYz0=","network":"ethereum-mainnet","destinationIds":["d1","d2"]}`},
		"get": {func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Notifications.Get(ctx, "n1")
			return err
		}, "GET", base + "/n1", ""},
		"update a name": {updateNotification(alerts.UpdateNotificationRequest{Name: new("Other")}), "PATCH", base + "/n1", `{"name":"Other"}`},
		"update all": {updateNotification(alerts.UpdateNotificationRequest{
			Name: new("Other"), Expression: new(alerts.Expression("tx_to == '0x1'")), Network: new(alerts.AlertNetworkDogeMainnet),
			DestinationIDs: []string{"d3"},
		}), "PATCH", base + "/n1",
			`{"name":"Other","expression":"dHhfdG8gPT0gJzB4MSc=","network":"doge-mainnet","destinationIds":["d3"]}`},
		"delete": {func(ctx context.Context, c *rpcfleet.Client) error { return c.Notifications.Delete(ctx, "n1") },
			"DELETE", base + "/n1", ""},
		"enable": {func(ctx context.Context, c *rpcfleet.Client) error { return c.Notifications.Enable(ctx, "n1") },
			"POST", base + "/n1/enable", ""},
		"disable": {func(ctx context.Context, c *rpcfleet.Client) error { return c.Notifications.Disable(ctx, "n1") },
			"POST", base + "/n1/disable", ""},
	})
	testSends(t, says(200, `[]`), map[string]sent{
		"list": {func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Notifications.List(ctx, alerts.ListNotificationsParams{})
			return err
		}, "GET", base, ""},
		"events": {notificationEvents(alerts.ListNotificationEventsParams{}), "GET", base + "/n1/events", ""},
	})
	testSends(t, says(200, ``), map[string]sent{
		"delete, with an empty response": {func(ctx context.Context, c *rpcfleet.Client) error {
			return c.Notifications.Delete(ctx, "n1")
		}, "DELETE", base + "/n1", ""},
	})
}

func TestNotificationRecords(t *testing.T) {
	client, server := scripted(t,
		says(200, notificationRecord),
		says(200, `[`+notificationRecord+`,{"id":"n2","destinationIds":["d7"],"destinations":[{"id":"d7"}],"network":"newer-net","enabled":null}]`),
		says(200, `{"data":[{"id":"e1","block_number":19000001,"delivered":null,"delivered_error":"no"}],"pageInfo":{"limit":5,"page":2}}`),
		says(200, `[{"id":"e1","to":"https://hooks.example/a"}]`))
	notification, err := client.Notifications.Get(t.Context(), "n1")
	require.NoError(t, err)
	assert.Equal(t, alerts.Expression("tx_to == '0x1'"), notification.Expression)
	assert.Equal(t, []string{"d1"}, notification.DestinationIDs)
	assert.Equal(t, new(true), notification.Enabled)

	listed, err := client.Notifications.List(t.Context(), alerts.ListNotificationsParams{})
	require.NoError(t, err)
	list := listed.Items
	require.Len(t, list, 2)
	assert.Equal(t, []string{"d1"}, list[0].DestinationIDs)
	assert.Equal(t, []string{"d7"}, list[1].DestinationIDs)
	assert.Equal(t, alerts.AlertNetwork("newer-net"), list[1].Network)

	page, err := client.Notifications.Events(t.Context(), "n1", alerts.ListNotificationEventsParams{Limit: new(7), Offset: new(10)})
	require.NoError(t, err)
	assert.Equal(t, "limit=7&offset=10", server.Requests()[2].Query)
	require.Len(t, page.Items, 1)
	assert.Equal(t, "19000001", page.Items[0].BlockNumber)
	assert.Nil(t, page.Items[0].Delivered)
	assert.Equal(t, 5, page.Limit, "the limit in force")
	assert.Equal(t, []int{-1, 10, 11}, []int{page.Total, page.Offset, page.Next})
	page, err = client.Notifications.Events(t.Context(), "n1", alerts.ListNotificationEventsParams{})
	require.NoError(t, err, "a bare array")
	require.Len(t, page.Items, 1)
	assert.Equal(t, "https://hooks.example/a", page.Items[0].To.Reveal())
	assert.Equal(t, []int{-1, 1, 0, 1}, []int{page.Total, page.Limit, page.Offset, page.Next})
}

// TestWhatNoRuleForbidsIsSent has the arguments that the contract does not rule out.
func TestNotificationsThatNoRuleForbidsAreSent(t *testing.T) {
	const base = "/alerts/rest/v1/notifications"
	created := func(ids string) string {
		return `{"name":"Transfers","expression":"dHhfdG8gPT0gJzB4MSc=","network":"ethereum-mainnet","destinationIds":` + ids + `}`
	}
	testSends(t, says(200, notificationRecord), map[string]sent{
		"a notification without destinations": {createNotification(func(n *alerts.CreateNotificationRequest) {
			n.DestinationIDs = []string{}
		}), "POST", base, created(`[]`)},
		"a destination with an empty id": {createNotification(func(n *alerts.CreateNotificationRequest) {
			n.DestinationIDs = []string{"d1", ""}
		}), "POST", base, created(`["d1",""]`)},
		"an expression that is no text": {createNotification(func(n *alerts.CreateNotificationRequest) {
			n.Expression = "\xff"
		}), "POST", base, strings.Replace(created(`["d1","d2"]`), "dHhfdG8gPT0gJzB4MSc=", "/w==", 1)},
		"an update of nothing": {updateNotification(alerts.UpdateNotificationRequest{}), "PATCH", base + "/n1", `{}`},
		"an update to no destinations": {updateNotification(alerts.UpdateNotificationRequest{DestinationIDs: []string{}}),
			"PATCH", base + "/n1", `{"destinationIds":[]}`},
		"an update to empty texts": {updateNotification(alerts.UpdateNotificationRequest{
			Name: new(""), Expression: new(alerts.Expression("")),
		}), "PATCH", base + "/n1", `{"name":"","expression":""}`},
	})
	client, server := scripted(t, says(200, `[]`))
	limit, offset := new(0), new(-1)
	_, err := client.Destinations.List(t.Context(), alerts.ListDestinationsParams{Limit: limit, Offset: offset})
	require.NoError(t, err)
	_, err = client.Notifications.List(t.Context(), alerts.ListNotificationsParams{Limit: limit, Offset: offset})
	require.NoError(t, err)
	require.NoError(t, notificationEvents(alerts.ListNotificationEventsParams{Limit: limit, Offset: offset})(t.Context(), client))
	for _, r := range server.Requests() {
		assert.Equal(t, "limit=0&offset=-1", r.Query)
	}
}

func TestUnlistedNetworks(t *testing.T) {
	newer := func(n *alerts.CreateNotificationRequest) { n.Network = "newer-mainnet" }
	allowed := rpcfleet.WithUnlistedNetworks("youngest-mainnet", "newer-mainnet")
	client, server := scripted(t, says(200, notificationRecord))
	require.NoError(t, createNotification(newer, allowed)(t.Context(), client))
	require.NoError(t, updateNotification(alerts.UpdateNotificationRequest{Network: new(alerts.AlertNetwork("youngest-mainnet"))}, allowed)(t.Context(), client))
	require.NoError(t, createNotification(newer)(t.Context(), server.client(t, allowed)), "an option of the client too")
	require.NoError(t, createNotification(func(*alerts.CreateNotificationRequest) {}, allowed)(t.Context(), client), "a documented one still")
	assert.Contains(t, server.Requests()[0].Body, `"network":"newer-mainnet"`)
	seen := len(server.Requests())

	var invalid *rpcfleet.ValidationError
	require.ErrorAs(t, createNotification(newer)(t.Context(), client), &invalid, "only where it is allowed")
	require.ErrorAs(t, createNotification(func(n *alerts.CreateNotificationRequest) { n.Network = "yuonger-mainnet" }, allowed)(t.Context(), client), &invalid)
	require.ErrorAs(t, createNotification(newer, rpcfleet.WithUnlistedNetworks())(t.Context(), client), &invalid)
	names := []alerts.AlertNetwork{"other-mainnet"}
	option := rpcfleet.WithUnlistedNetworks(names...)
	names[0] = "newer-mainnet" // What the caller does with its own list afterwards changes no option.
	require.ErrorAs(t, createNotification(newer, option)(t.Context(), client), &invalid)
	require.ErrorAs(t, createNotification(newer, rpcfleet.WithUnlistedNetworks(""))(t.Context(), client), &invalid)
	assert.Len(t, server.Requests(), seen)
}

func TestARepeatedDeleteOfANotificationHasSucceeded(t *testing.T) {
	client, server := scripted(t, hangsUp, says(404, `{"message":"not found"}`))
	require.NoError(t, client.Notifications.Delete(t.Context(), "n1"))
	assert.Len(t, server.Requests(), 2)
}

func TestACreateInTheAlertsAreaIsNotRepeated(t *testing.T) {
	for name, create := range map[string]use{
		"destination":  createDestination(func(*alerts.CreateDestinationRequest) {}),
		"notification": createNotification(func(*alerts.CreateNotificationRequest) {}),
	} {
		t.Run(name, func(t *testing.T) {
			client, server := scripted(t, says(503, ``), says(200, notificationRecord))
			require.ErrorIs(t, create(t.Context(), client), rpcfleet.ErrServer)
			assert.Len(t, server.Requests(), 1)
		})
	}
}
