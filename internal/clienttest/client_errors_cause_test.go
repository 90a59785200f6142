package clienttest

import (
	"errors"
	"io"
	"net"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestACauseIsFoundAndNotShown looks for what is inside a cause, and for what must not come out of it.
func TestACauseIsFoundAndNotShown(t *testing.T) {
	vault := &url.Error{Op: "Get", URL: "https://vault.example.com/" + leakedToken, Err: io.EOF}
	_, server := scripted(t, says(200, record))
	_, err := get(server.client(t, rpcfleet.WithCredentialSource(source(func() (rpcfleet.Credentials, error) {
		return rpcfleet.Credentials{}, vault
	}))))
	require.ErrorIs(t, err, vault)
	require.ErrorIs(t, err, io.EOF)
	var found *url.Error
	require.ErrorAs(t, err, &found)
	assert.Same(t, vault, found)
	hides(t, err, leakedToken)
	hides(t, errors.Unwrap(err), leakedToken)

	server.Close()
	_, err = get(server.client(t, rpcfleet.WithoutRetries()))
	var refused *net.OpError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "dial", refused.Op)
	require.ErrorIs(t, err, rpcfleet.ErrConnection)
	assert.NotErrorIs(t, err, io.EOF)
}
