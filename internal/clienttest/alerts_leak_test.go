package clienttest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// TestWebhooksAreNotShown prints everything that holds the address or the token of a webhook. The service gets the
// address, and the caller who asks for it.
func TestWebhooksAreNotShown(t *testing.T) {
	const address, token = "https://hooks.example/services/s3cr3t?key=s3cr3t", "s3cr3t-destination-token"
	destination := `{"id":"d1","to":"` + address + `","token":"` + token + `"}`
	notification := `{"id":"n1","destinations":[` + destination + `]}`
	event := `{"id":"e1","to":"` + address + `"}`
	client, server := scripted(t, says(200, destination), says(200, "["+destination+"]"), says(200, notification),
		says(200, "["+notification+"]"), says(200, `{"data":[`+event+`]}`))

	request := destinationWith(func(d *alerts.CreateDestinationRequest) { d.ToURL = scalar.NewSecretURL(address) })
	created, err := client.Destinations.Create(t.Context(), request)
	require.NoError(t, err)
	destinations, err := client.Destinations.List(t.Context(), alerts.ListDestinationsParams{})
	require.NoError(t, err)
	single, err := client.Notifications.Get(t.Context(), "n1")
	require.NoError(t, err)
	notifications, err := client.Notifications.List(t.Context(), alerts.ListNotificationsParams{})
	require.NoError(t, err)
	events, err := client.Notifications.Events(t.Context(), "n1", alerts.ListNotificationEventsParams{})
	require.NoError(t, err)

	for _, value := range []any{
		request, &request, created, *created, destinations, *destinations, destinations.Items, single, *single, notifications,
		notifications.Items[0].Destinations, events, events.Items, *events.Items[0].To,
		struct{ hidden alerts.Destination }{*created},
		map[string]any{"event": &events.Items[0]},
	} {
		assert.NotContains(t, prints(t, value), "s3cr3t", "%T", value)
	}
	assert.Contains(t, prints(t, created), "https://hooks.example/[redacted]", "the host says which one it is")

	var body struct {
		ToURL string `json:"to_url"`
	}
	require.NoError(t, json.Unmarshal([]byte(server.Requests()[0].Body), &body))
	assert.Equal(t, address, body.ToURL)
	for _, to := range []scalar.SecretURL{
		created.To, destinations.Items[0].To, single.Destinations[0].To, notifications.Items[0].Destinations[0].To, *events.Items[0].To,
	} {
		assert.Equal(t, address, to.Reveal())
	}
	assert.Equal(t, token, created.Token.Reveal())
}
