package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

func TestRun(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out))
	assert.Contains(t, out.String(), "Quiet Harbors, supply 5000, 105 traits\n  2025-02-17  2.664\n  2025-02-18  2.040\n")
	assert.Contains(t, out.String(), "Field Notes, supply 225\n", "of a type without traits")
	assert.Contains(t, out.String(), "24 holders\n  wallet-22.example.eth\n  wallet-20.example.eth\n")
	assert.Contains(t, out.String(), "  wallet-2.example.eth\n  wallet-0.example.eth\n", "the first page, which is read last")
}

// says makes a client of a service that always says the same.
func says(t *testing.T, body string) *rpcfleet.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey("made-up"))
	require.NoError(t, err)
	return client
}

const sold = `"name":"Lanterns","totalSupply":"36893488147419103233","sales":{"edges":[]}`

// TestATypeThatTheSchemaDoesNotHave meets what the code that genqlient generates refuses. The error has the query's name.
func TestATypeThatTheSchemaDoesNotHave(t *testing.T) {
	client := says(t, `{"data":{"ethereum":{"collections":{"edges":[{"node":{"__typename":"ERC9999Collection",`+sold+`}}]}}}}`)
	_, err := LatestSales(t.Context(), client.Graph, 1, 1)
	var unreadable *rpcfleet.DecodeError
	require.ErrorAs(t, err, &unreadable)
	assert.Equal(t, rpcfleet.ReasonShape, unreadable.Reason)
	assert.Equal(t, "LatestSales", unreadable.Operation)
}

func TestDataBesideAnError(t *testing.T) {
	client := says(t, `{"data":{"ethereum":{"collections":{"edges":[{"node":{"__typename":"ERC721Collection",`+sold+`}}]}}},
		"errors":[{"message":"no attributes","path":["ethereum","collections","edges",0,"node","attributes"]}]}`)
	found, err := LatestSales(t.Context(), client.Graph, 1, 1)
	require.ErrorIs(t, err, rpcfleet.ErrRefused)
	var failure *rpcfleet.Error
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, "ethereum.collections.edges.0.node.attributes", failure.GraphQL[0].Path)
	require.Len(t, found.Ethereum.Collections.Edges, 1)
	collection, ok := found.Ethereum.Collections.Edges[0].Node.(*SoldCollectionERC721Collection)
	require.True(t, ok)
	assert.Equal(t, "36893488147419103233", collection.TotalSupply.String())
}

func TestACollectionThatDoesNotExist(t *testing.T) {
	client := says(t, `{"data":{"ethereum":{"collection":null}}}`)
	require.ErrorIs(t, writeHolders(t.Context(), &bytes.Buffer{}, client.Graph, "0xa1"), rpcfleet.ErrNotFound)
}
