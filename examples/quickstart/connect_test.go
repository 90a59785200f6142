package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// TestWithoutAnEnvironment works on an emulator of its own, where writing does no harm.
func TestWithoutAnEnvironment(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	write := false
	client, done, err := connect(&write)
	require.NoError(t, err)
	defer done()
	assert.True(t, write)
	_, err = client.Account.Info(t.Context())
	require.NoError(t, err)
	require.NoError(t, run(t.Context(), false))
}

func TestAnEnvironmentWithoutAKey(t *testing.T) {
	startAccount(t)
	t.Setenv("RPCFLEET_API_KEY", "")
	require.ErrorContains(t, run(t.Context(), true), "RPCFLEET_API_KEY")
}

// TestAnAccountThatCannotBeRead fails at each thing that is looked at, and changes nothing.
func TestAnAccountThatCannotBeRead(t *testing.T) {
	for _, request := range []string{"GET /v0/account/info", "GET /v0/chains", "GET /v0/billing/invoices", "GET /v0/endpoints"} {
		a := startAccount(t)
		a.intercept(func(w http.ResponseWriter, seen string, _ int) bool {
			if seen == request {
				http.Error(w, `{"error":"made-up failure"}`, http.StatusForbidden)
			}
			return seen == request
		})
		require.ErrorIs(t, run(t.Context(), true), rpcfleet.ErrForbidden, request)
		assert.Zero(t, a.count(creates))
	}
}
