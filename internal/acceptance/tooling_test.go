package acceptance

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

const blockNumber = `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`

// callTooling sends a JSON-RPC call, and returns the response.
func callTooling(t *testing.T, client *http.Client, address string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(blockNumber))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

func TestToolingAccess(t *testing.T) {
	b, ctx := start(t), t.Context()
	status, err := b.Tooling.Status(ctx)
	require.NoError(t, err)
	assert.False(t, status.Enabled)
	assert.Nil(t, status.EndpointURL)
	assert.Nil(t, status.EnabledAt)
	_, err = b.Tooling.CreateToken(ctx)
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "while the access is off")

	on, err := b.Tooling.Enable(ctx)
	require.NoError(t, err)
	assert.True(t, on.Enabled)
	require.NotNil(t, on.EndpointURL)
	status, err = b.Tooling.Status(ctx)
	require.NoError(t, err)
	assert.True(t, status.Enabled)
	require.NotNil(t, status.EndpointID)
	assert.NotEmpty(t, *status.EndpointID)
	assert.Equal(t, on.EndpointURL, status.EndpointURL)
	assert.True(t, status.EnabledAt.Valid())

	token, err := b.Tooling.CreateToken(ctx)
	require.NoError(t, err)
	assert.Equal(t, *on.EndpointURL, token.EndpointURL)
	assert.Len(t, strings.Split(token.Token.Reveal(), "."), 3, "a JWT")
	assert.True(t, token.ExpiresAt.After(time.Now()))

	off, err := b.Tooling.Disable(ctx)
	require.NoError(t, err)
	assert.False(t, off.Enabled)
	assert.Nil(t, off.EndpointURL)
	again, err := b.Tooling.Enable(ctx)
	require.NoError(t, err)
	assert.Equal(t, on.EndpointURL, again.EndpointURL, "the endpoint is brought back")
}

func TestToolingCalls(t *testing.T) {
	var ahead atomic.Int64 // How far the service's clock is ahead.
	clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	b, ctx := start(t, emulator.WithClock(clock)), t.Context()
	on, err := b.Tooling.Enable(ctx)
	require.NoError(t, err)
	address := on.EndpointURL.Reveal()
	rpc := b.Tooling.HTTPClient()

	first, err := b.Tooling.TokenSource().Token(ctx)
	require.NoError(t, err)
	status, text := callTooling(t, rpc, address)
	assert.Equal(t, 200, status)
	assert.Regexp(t, `"result":"0x[0-9a-f]+"`, text)
	kept, err := b.Tooling.TokenSource().Token(ctx)
	require.NoError(t, err)
	assert.Equal(t, first.Token, kept.Token)
	status, _ = callTooling(t, http.DefaultClient, address)
	assert.Equal(t, 401, status, "without the token")

	ahead.Store(int64(time.Hour)) // The token is over for the service, and not for this machine.
	status, _ = callTooling(t, rpc, address)
	assert.Equal(t, 200, status)
	renewed, err := b.Tooling.TokenSource().Token(ctx)
	require.NoError(t, err)
	assert.NotEqual(t, first.Token, renewed.Token)

	_, err = b.Tooling.Disable(ctx)
	require.NoError(t, err)
	_, err = b.Tooling.TokenSource().Token(ctx)
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "the token was forgotten, and there is no other")
}
