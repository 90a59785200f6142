package rpcfleet_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestValidationCanBeTurnedOff(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":[]}`))
	_, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{SortBy: new(admin.SortBy("beauty"))}, rpcfleet.WithoutValidation())
	require.NoError(t, err)
	assert.Equal(t, "sort_by=beauty", server.Requests()[0].Query)
}

func TestAnIterationReportsInvalidParametersOnce(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":[]}`))
	ids, err := walk(t, client, admin.ListEndpointsParams{SortBy: new(admin.SortBy("beauty"))})
	var invalid *rpcfleet.ValidationError
	require.ErrorAs(t, err, &invalid)
	assert.Empty(t, ids)
	assert.Empty(t, server.Requests())
}
