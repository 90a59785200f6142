package cli

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestConnectStartsAnEmulator(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	t.Setenv("RPCFLEET_API_KEY", "")
	var stderr bytes.Buffer
	account, err := Connect(&stderr, func(e *emulator.Emulator) error {
		e.CreateEndpoints(3)
		return nil
	}, rpcfleet.WithoutRetries())
	require.NoError(t, err)
	defer account.Close()
	page, err := account.Client.Endpoints.List(t.Context(), admin.ListEndpointsParams{})
	require.NoError(t, err)
	assert.Len(t, page.Items, 3)
	assert.Equal(t, "No RPCFLEET_BASE_URL: using an emulator at "+account.Emulator.URL+"\n", stderr.String())

	_, err = Connect(&stderr, func(*emulator.Emulator) error { return errBroken })
	assert.ErrorIs(t, err, errBroken)
	_, err = Connect(&stderr, nil, rpcfleet.WithObserver(nil))
	assert.Error(t, err)
}

func TestConnectGoesByTheEnvironment(t *testing.T) {
	server := emulator.Start()
	defer server.Close()
	t.Setenv("RPCFLEET_BASE_URL", server.URL)
	t.Setenv("RPCFLEET_API_KEY", server.APIKey)
	var stderr bytes.Buffer
	account, err := Connect(&stderr, func(*emulator.Emulator) error { return errors.New("a real account is not filled") })
	require.NoError(t, err)
	defer account.Close()
	assert.Nil(t, account.Emulator)
	_, err = account.Client.Account.Info(t.Context())
	require.NoError(t, err)
	assert.Empty(t, stderr.String())

	t.Setenv("RPCFLEET_BASE_URL", "") // A key alone is half an account, and not a wish for an emulator.
	_, err = Connect(&stderr, nil)
	assert.ErrorContains(t, err, "RPCFLEET_BASE_URL")
}
