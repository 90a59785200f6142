package clienttest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

const destinationRecord = `{"id":"d1","name":"Watch","to":"https://hooks.example/a","webhook_type":"POST","service":"webhook",
	"token":"made-up-destination-token","payload_type":5,"created_at":"2026-01-15T09:30:00.125Z","updated_at":null,"new":1}`

// destinationWith is a good destination with a change.
func destinationWith(change func(*alerts.CreateDestinationRequest)) alerts.CreateDestinationRequest {
	destination := alerts.CreateDestinationRequest{
		Name: "Watch", ToURL: scalar.NewSecretURL("https://hooks.example/a"), WebhookType: alerts.WebhookTypePOST,
		Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout5,
	}
	change(&destination)
	return destination
}

// createDestination creates a good destination with a change.
func createDestination(change func(*alerts.CreateDestinationRequest)) use {
	return func(ctx context.Context, c *rpcfleet.Client) error {
		_, err := c.Destinations.Create(ctx, destinationWith(change))
		return err
	}
}

func TestDestinations(t *testing.T) {
	asIs := func(*alerts.CreateDestinationRequest) {}
	testSends(t, says(200, destinationRecord), map[string]sent{
		"create": {
			createDestination(asIs), "POST", "/alerts/rest/v1/destinations",
			`{"name":"Watch","to_url":"https://hooks.example/a","webhook_type":"POST","service":"webhook","payload_type":5}`,
		},
		"create with GET, plain http and a port": {
			createDestination(func(d *alerts.CreateDestinationRequest) {
				d.ToURL, d.WebhookType, d.PayloadType = scalar.NewSecretURL("http://127.0.0.1:8080/?key=1&a=<b>"), alerts.WebhookTypeGET, 1
			}), "POST", "/alerts/rest/v1/destinations",
			`{"name":"Watch","to_url":"http://127.0.0.1:8080/?key=1&a=<b>","webhook_type":"GET","service":"webhook","payload_type":1}`,
		},
		"get": {func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Destinations.Get(ctx, "d/1")
			return err
		}, "GET", "/alerts/rest/v1/destinations/d%2F1", ""},
		"delete": {func(ctx context.Context, c *rpcfleet.Client) error { return c.Destinations.Delete(ctx, "d1") },
			"DELETE", "/alerts/rest/v1/destinations/d1", ""},
	})
	testSends(t, says(200, `[]`), map[string]sent{
		"list": {func(ctx context.Context, c *rpcfleet.Client) error {
			_, err := c.Destinations.List(ctx, alerts.ListDestinationsParams{})
			return err
		}, "GET", "/alerts/rest/v1/destinations", ""},
	})
}

func TestDestinationRecord(t *testing.T) {
	client, _ := scripted(t, says(200, destinationRecord), says(200, "["+destinationRecord+"]"), says(200, "null"))
	destination, err := client.Destinations.Create(t.Context(), destinationWith(func(*alerts.CreateDestinationRequest) {}))
	require.NoError(t, err)
	assert.Equal(t, "d1", destination.ID)
	assert.Equal(t, "https://hooks.example/a", destination.To.Reveal())
	assert.Equal(t, "made-up-destination-token", destination.Token.Reveal())
	assert.False(t, destination.UpdatedAt.Valid())

	page, err := client.Destinations.List(t.Context(), alerts.ListDestinationsParams{})
	require.NoError(t, err)
	assert.Equal(t, &rpcfleet.Page[alerts.Destination]{Items: []alerts.Destination{*destination}, Total: -1, Limit: 1, Next: 1}, page)
	page, err = client.Destinations.List(t.Context(), alerts.ListDestinationsParams{})
	require.NoError(t, err)
	assert.Empty(t, page.Items)
	assert.True(t, page.Last())
}

func TestARefusedWebhookIsNotShown(t *testing.T) {
	client, _ := scripted(t, says(200, destinationRecord))
	for _, address := range []string{"hooks.example/s3cr3t", "ftp://hooks.example/s3cr3t", "https://s3cr3t:s3cr3t@/", "https://a b/s3cr3t"} {
		err := createDestination(func(d *alerts.CreateDestinationRequest) { d.ToURL = scalar.NewSecretURL(address) })(t.Context(), client)
		require.Error(t, err)
		assert.NotContains(t, prints(t, err), "s3cr3t")
	}
}

func TestTheAlertsPathIsAnOption(t *testing.T) {
	_, server := scripted(t, says(200, `[]`))
	client := server.client(t, rpcfleet.WithAlertsPath("/quickalerts/rest/v1"))
	_, err := client.Destinations.List(t.Context(), alerts.ListDestinationsParams{})
	require.NoError(t, err)
	assert.Equal(t, "/quickalerts/rest/v1/destinations", server.Requests()[0].Path)
	assert.Equal(t, testKey, server.Requests()[0].Header.Get("x-api-key"))
}

func TestAlertsFailures(t *testing.T) {
	list := func(ctx context.Context, c *rpcfleet.Client) error {
		_, err := c.Destinations.List(ctx, alerts.ListDestinationsParams{})
		return err
	}
	remove := func(ctx context.Context, c *rpcfleet.Client) error { return c.Destinations.Delete(ctx, "d1") }
	for name, test := range map[string]struct {
		line responder
		want error
		text string
	}{
		"a message":           {says(400, `{"message":"no such thing","error":"Bad Request"}`), rpcfleet.ErrInvalidRequest, "no such thing"},
		"several messages":    {says(400, `{"message":["one","two"],"error":"Bad Request"}`), rpcfleet.ErrInvalidRequest, "one; two"},
		"plain text":          {saysAs("text/plain", 401, "Unauthorized"), rpcfleet.ErrUnauthorized, "Unauthorized"},
		"a plan without":      {says(403, `{"error":"upgrade"}`), rpcfleet.ErrForbidden, "upgrade"},
		"nothing":             {says(404, ``), rpcfleet.ErrNotFound, ""},
		"with a good status":  {says(200, `{"error":"nope"}`), rpcfleet.ErrRefused, "nope"},
		"HTML with a failure": {saysAs("text/html", 403, "<p>no"), rpcfleet.ErrForbidden, "an HTML page instead of JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, call := range []use{list, remove} {
				client, _ := scripted(t, test.line)
				err := call(t.Context(), client)
				var fault *rpcfleet.Error
				require.ErrorAs(t, err, &fault)
				require.ErrorIs(t, err, test.want)
				assert.Equal(t, test.text, fault.Message)
			}
		})
	}
	for _, call := range []use{list, remove} {
		client, _ := scripted(t, saysAs("text/html", 200, "<p>hello"))
		var unreadable *rpcfleet.DecodeError
		require.ErrorAs(t, call(t.Context(), client), &unreadable, "a gateway's page is no success")
		assert.Equal(t, rpcfleet.ReasonHTML, unreadable.Reason)
	}
}
