package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/scriptnet"
)

// emulated makes a reader of an emulator's Ethereum.
func emulated(t *testing.T, rows int, options ...emulator.Option) *reader {
	t.Helper()
	server := emulator.Start(append([]emulator.Option{emulator.WithSeed(1)}, options...)...)
	t.Cleanup(server.Close)
	return readerOf(t, server.URL, server.APIKey, rows)
}

// scripted makes a reader of a service that responds to each query, known by the name of its operation, with the fields of
// its chain.
func scripted(t *testing.T, answers map[string]string) *reader {
	t.Helper()
	server := scriptnet.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		for name, fields := range answers {
			if strings.Contains(strings.ReplaceAll(string(asked), " (", "("), "query "+name+"(") {
				scriptnet.JSON(200, `{"data":{"chain":`+fields+`}}`)(w, r)
				return
			}
		}
		scriptnet.JSON(400, `{"errors":[{"message":"no such query in this test"}]}`)(w, r)
	})
	return readerOf(t, server.URL, "made-up-key-0001", 10)
}

func readerOf(t *testing.T, url, key string, rows int) *reader {
	t.Helper()
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(url), rpcfleet.WithAPIKey(key))
	require.NoError(t, err)
	return &reader{client.Graph, graph.Ethereum, rows}
}

// written writes reports as text.
func written(t *testing.T, reports ...*report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, writeText(&b, reports))
	return b.String()
}
