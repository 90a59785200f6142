package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

var update = flag.Bool("update", false, "write testdata/report.txt anew")

// TestReportOnTheEmulatorsData holds the report on a seed's data against a file that a person has read.
func TestReportOnTheEmulatorsData(t *testing.T) {
	reports, err := emulated(t, 3).read(t.Context(), "", "")
	require.NoError(t, err)
	got := written(t, reports...)
	const file = "testdata/report.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestReportsAreTheOnesAskedFor(t *testing.T) {
	r := emulated(t, 2)
	both, err := r.read(t.Context(), "", "")
	require.NoError(t, err)
	require.Len(t, both, 2)
	collection, wallet := both[0].Facts[1].Value, both[1].Facts[1].Value
	require.Equal(t, "wallet-16.example.eth", both[1].Facts[2].Value)

	for name, test := range map[string]struct {
		collection, wallet string
		want               []*report
	}{
		"a collection":              {collection, "", both[:1]},
		"a wallet by its address":   {"", wallet, both[1:]},
		"a wallet by its ENS name":  {"", "wallet-16.example.eth", both[1:]},
		"both":                      {collection, wallet, both},
		"addresses in capitals too": {strings.ToUpper(collection), strings.ToUpper(wallet), both},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := r.read(t.Context(), test.collection, test.wallet)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestWhatDoesNotExistIsSaid(t *testing.T) {
	r := emulated(t, 2)
	const nobody = "0xabcabcabcabcabcabcabcabcabcabcabcabcabca"
	for _, test := range []struct{ collection, wallet, want string }{ // The service counts requests.
		{"0xabc", "", "collection 0xabc on ethereum: rpcfleet: GetCollection: not found (POST /graphql, request id req-1)"},
		{"", nobody, "wallet " + nobody + " on ethereum: rpcfleet: GetWallet: not found (POST /graphql, request id req-2)"},
		{"", "no.example.eth", "wallet no.example.eth on ethereum: rpcfleet: GetWallet: not found (POST /graphql, request id req-3)"},
	} {
		_, err := r.read(t.Context(), test.collection, test.wallet)
		require.ErrorIs(t, err, rpcfleet.ErrNotFound)
		assert.EqualError(t, err, test.want)
	}
	r.chain = "solana"
	_, err := r.read(t.Context(), "", "")
	assert.ErrorContains(t, err, `rpcfleet: ListTrendingCollections: chain must be one of the documented values (ethereum, ethereumSepolia, polygon), not "solana"`)
}

// TestTablesReachOverPages makes sure that a table is as long as it may be where the service sends shorter pages.
func TestTablesReachOverPages(t *testing.T) {
	got, err := emulated(t, 25, emulator.WithPageCap(10)).read(t.Context(), "", "wallet-16.example.eth")
	require.NoError(t, err)
	tokens := got[0].Tables[1]
	assert.Len(t, tokens.Rows, 25)
	assert.Equal(t, "Tokens (25 of 211)", tokens.heading())
	once := map[string]bool{}
	for _, row := range tokens.Rows {
		once[row[1]+row[2]] = true
	}
	assert.Len(t, once, 25)
}

func TestNothingToChooseFrom(t *testing.T) {
	for name, trending := range map[string]string{
		"nothing":       `{"trendingCollections":{"edges":[],"pageInfo":{"hasNextPage":false}}}`,
		"no collection": `{"trendingCollections":{"edges":[{"cursor":"a","node":{"collection":null}}],"pageInfo":{"hasNextPage":false}}}`,
	} {
		_, err := scripted(t, map[string]string{"ListTrendingCollections": trending}).read(t.Context(), "", "")
		assert.ErrorContains(t, err, "name one with -collection", name)
	}
	lost := `{"trendingCollections":{"edges":[{"cursor":"a","node":null}],"pageInfo":{"hasNextPage":false}}}`
	_, err := scripted(t, map[string]string{"ListTrendingCollections": lost}).read(t.Context(), "", "")
	assert.ErrorContains(t, err, `a null at "/data/chain/trendingCollections/edges/0/node"`, "there was something")
}
