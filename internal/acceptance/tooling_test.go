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
	req := must(http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(blockNumber)))(t)
	req.Header.Set("Content-Type", "application/json")
	resp := must(client.Do(req))(t)
	defer resp.Body.Close()
	text := must(io.ReadAll(resp.Body))(t)
	return resp.StatusCode, string(text)
}

func TestToolingAccess(t *testing.T) {
	b, ctx := start(t), t.Context()
	status := must(b.Tooling.Status(ctx))(t)
	assert.False(t, status.Enabled)
	assert.Nil(t, status.EndpointURL)
	assert.Nil(t, status.EnabledAt)
	require.ErrorIs(t, second(b.Tooling.CreateToken(ctx)), rpcfleet.ErrInvalidRequest, "while the access is off")

	on := must(b.Tooling.Enable(ctx))(t)
	assert.True(t, on.Enabled)
	require.NotNil(t, on.EndpointURL)
	status = must(b.Tooling.Status(ctx))(t)
	assert.True(t, status.Enabled)
	require.NotNil(t, status.EndpointID)
	assert.NotEmpty(t, *status.EndpointID)
	assert.Equal(t, on.EndpointURL, status.EndpointURL)
	assert.True(t, status.EnabledAt.Valid())

	token := must(b.Tooling.CreateToken(ctx))(t)
	assert.Equal(t, *on.EndpointURL, token.EndpointURL)
	assert.Len(t, strings.Split(token.Token.Reveal(), "."), 3, "a JWT")
	assert.True(t, token.ExpiresAt.After(time.Now()))

	off := must(b.Tooling.Disable(ctx))(t)
	assert.False(t, off.Enabled)
	assert.Nil(t, off.EndpointURL)
	again := must(b.Tooling.Enable(ctx))(t)
	assert.Equal(t, on.EndpointURL, again.EndpointURL, "the endpoint is brought back")
}

func TestToolingCalls(t *testing.T) {
	var ahead atomic.Int64 // How far the service's clock is ahead.
	clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	b, ctx := start(t, emulator.WithClock(clock)), t.Context()
	on := must(b.Tooling.Enable(ctx))(t)
	address := on.EndpointURL.Reveal()
	rpc := b.Tooling.HTTPClient()

	first := must(b.Tooling.TokenSource().Token(ctx))(t)
	status, text := callTooling(t, rpc, address)
	assert.Equal(t, 200, status)
	assert.Regexp(t, `"result":"0x[0-9a-f]+"`, text)
	kept := must(b.Tooling.TokenSource().Token(ctx))(t)
	assert.Equal(t, first.Token, kept.Token)
	status, _ = callTooling(t, http.DefaultClient, address)
	assert.Equal(t, 401, status, "without the token")

	ahead.Store(int64(time.Hour)) // The token is over for the service, and not for this machine.
	status, _ = callTooling(t, rpc, address)
	assert.Equal(t, 200, status)
	renewed := must(b.Tooling.TokenSource().Token(ctx))(t)
	assert.NotEqual(t, first.Token, renewed.Token)

	require.NoError(t, second(b.Tooling.Disable(ctx)))
	_, err := b.Tooling.TokenSource().Token(ctx)
	require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest, "the token was forgotten, and there is no other")
}
