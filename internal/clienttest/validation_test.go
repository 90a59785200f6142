package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

func TestAnIterationReportsInvalidParametersOnce(t *testing.T) {
	client, server := scripted(t, says(200, `{"data":[]}`))
	ids, err := walk(t, client, admin.ListEndpointsParams{SortBy: new(admin.SortBy("beauty"))})
	var invalid *rpcfleet.ValidationError
	require.ErrorAs(t, err, &invalid)
	assert.Empty(t, ids)
	assert.Empty(t, server.Requests())
}
