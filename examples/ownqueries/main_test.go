package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

func TestRun(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	var out, errs bytes.Buffer
	require.Equal(t, 0, run(t.Context(), nil, nil, &out, &errs), "%s", &errs)
	assert.Empty(t, errs.String())
	assert.Contains(t, out.String(), "Quiet Harbors, supply 5000, 105 traits\n  2025-02-17  2.664\n  2025-02-18  2.040\n")
	assert.Contains(t, out.String(), "Field Notes, supply 225\n", "of a type without traits")
	assert.Contains(t, out.String(), "24 holders\n  wallet-22.example.eth\n  wallet-20.example.eth\n")
	assert.Contains(t, out.String(), "  wallet-2.example.eth\n  wallet-0.example.eth\n", "the first page, which is read last")
}

// TestRunWithAnAccount fails after a part of the output, which is printed.
func TestRunWithAnAccount(t *testing.T) {
	server := emulator.Start()
	t.Cleanup(server.Close)
	_, err := server.Inject(emulator.Fault{Operation: "graph", Params: map[string]string{"operationName": "Holders"}, Status: http.StatusForbidden})
	require.NoError(t, err)
	t.Setenv("RPCFLEET_BASE_URL", server.URL)
	t.Setenv("RPCFLEET_API_KEY", server.APIKey)
	var out, errs bytes.Buffer
	assert.Equal(t, 1, run(t.Context(), nil, nil, &out, &errs))
	assert.Contains(t, out.String(), "Field Notes, supply 225\n")
	assert.NotContains(t, out.String(), "holders")
	assert.Contains(t, errs.String(), "ownqueries: ")
	assert.NotContains(t, errs.String(), server.APIKey)

	t.Setenv("RPCFLEET_API_KEY", "")
	assert.Equal(t, 1, run(t.Context(), nil, nil, &out, &errs), "no key")
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	var errs bytes.Buffer
	assert.Equal(t, 1, run(t.Context(), nil, nil, full{}, &errs))
	assert.Equal(t, "ownqueries: full\n", errs.String())
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
