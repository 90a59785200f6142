package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// loseResponse carries out the fifth create, others of the same kind with it, and loses the response.
func (a *account) loseResponse(t *testing.T, others int) {
	t.Helper()
	kind := mustChoose(t, a)
	a.intercept(func(_ http.ResponseWriter, request string, n int) bool {
		if request != creates || n != 5 {
			return false
		}
		for range 1 + others {
			body := `{"chain":"` + kind.Chain + `","network":"` + kind.Network + `"}`
			r := httptest.NewRequest(http.MethodPost, "/v0/endpoints", strings.NewReader(body))
			r.Header.Set("X-Api-Key", a.emulator.APIKey)
			a.emulator.ServeHTTP(httptest.NewRecorder(), r)
		}
		panic(http.ErrAbortHandler)
	})
}

func TestAnEndpointWhoseIDGotLostIsFound(t *testing.T) {
	a := startAccount(t)
	a.loseResponse(t, 0)
	require.NoError(t, run(t.Context(), true))
	assert.Empty(t, a.left(t))
	assert.Equal(t, 3*each, a.count(creates), "none was created twice")
	assert.Equal(t, 3*each, a.count(archives))
}

func TestAnEndpointThatCannotBeToldFromAnotherIsLeftAndNamed(t *testing.T) {
	a := startAccount(t)
	a.loseResponse(t, 1)
	err := run(t.Context(), true)
	require.ErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut)
	left := a.left(t)
	require.Len(t, left, 2)
	for _, id := range left {
		assert.ErrorContains(t, err, id)
	}
}

func TestACreateThatDidNotHappen(t *testing.T) {
	a := startAccount(t)
	a.intercept(func(w http.ResponseWriter, request string, n int) bool {
		if request == creates && n == 5 {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	require.ErrorContains(t, run(t.Context(), true), "was not created, or is not listed yet")
	assert.Empty(t, a.left(t))
}

func TestALookupThatFailsIsToldOf(t *testing.T) {
	a := startAccount(t)
	a.intercept(func(http.ResponseWriter, string, int) bool { panic(http.ErrAbortHandler) })
	_, err := create(t.Context(), a.client(t), admin.CreateEndpointRequest{Chain: "ethereum", Network: "x"}, rpcfleet.Lookup[admin.Endpoint]{}, nil)
	require.ErrorContains(t, err, "may have been created")
	require.ErrorIs(t, err, rpcfleet.ErrMaybeCarriedOut)
}
