package clienttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

func TestToolingAccess(t *testing.T) {
	client, server := scripted(t,
		says(200, `{"data":{"enabled":true,"endpoint_id":42,"endpoint_url":"https://t.example.com/t0k3n","enabled_at":"2026-03-01T10:00:00Z"}}`),
		says(200, `{"data":{"enabled":false,"endpoint_id":null,"endpoint_url":null,"enabled_at":null}}`),
		says(200, `{"data":{"enabled":true,"endpoint_id":"42","endpoint_url":null,"enabled_at":null}}`),
		says(200, `{"data":{"enabled":true,"endpoint_url":"https://t.example.com/t0k3n"}}`),
		says(200, `{"data":{"enabled":false,"endpoint_url":null}}`),
		says(200, `{"data":{"endpoint_url":"https://t.example.com/t0k3n","token":"eyJ.a.b","expires_at":"2026-03-01T10:15:00Z"}}`))
	status, err := client.Tooling.Status(t.Context())
	require.NoError(t, err)
	assert.True(t, status.Enabled)
	assert.Equal(t, new("42"), status.EndpointID)
	assert.Equal(t, "https://t.example.com/t0k3n", status.EndpointURL.Reveal())
	assert.NotContains(t, prints(t, status), "t0k3n")
	status, err = client.Tooling.Status(t.Context())
	require.NoError(t, err)
	assert.False(t, status.Enabled)
	assert.Nil(t, status.EndpointID)
	assert.Nil(t, status.EndpointURL)
	assert.Nil(t, status.EnabledAt)
	status, err = client.Tooling.Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, new("42"), status.EndpointID, "seen as a text, too")

	on, err := client.Tooling.Enable(t.Context())
	require.NoError(t, err)
	assert.True(t, on.Enabled)
	off, err := client.Tooling.Disable(t.Context())
	require.NoError(t, err)
	assert.False(t, off.Enabled)
	assert.Nil(t, off.EndpointURL)

	token, err := client.Tooling.CreateToken(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "eyJ.a.b", token.Token.Reveal())
	assert.Equal(t, time.Date(2026, time.March, 1, 10, 15, 0, 0, time.UTC), token.ExpiresAt.Time)
	assert.NotContains(t, prints(t, token), "eyJ")

	var lines []string
	for _, r := range server.Requests()[2:] {
		lines = append(lines, r.Method+" "+r.Path+" "+r.Body)
	}
	assert.Equal(t, []string{
		"GET /v0/tooling-access ",
		`PATCH /v0/tooling-access {"enabled":true}`, `PATCH /v0/tooling-access {"enabled":false}`,
		"POST /v0/tooling-access/token ",
	}, lines)
}

func TestATokenIsNotMadeTwice(t *testing.T) {
	client, server := scripted(t, says(503, "x"))
	_, err := client.Tooling.CreateToken(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrServer)
	assert.Len(t, server.Requests(), 1, "the service may have made one")
}

func TestAnUnknownToolingAccess(t *testing.T) {
	client, _ := scripted(t, says(403, "x"))
	_, err := client.Tooling.Status(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrForbidden)
}
