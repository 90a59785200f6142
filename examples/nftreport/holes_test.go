package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// last is a page that is the last of its listing, and says no total.
func last(edges string) string { return `{"edges":[` + edges + `],"pageInfo":{"hasNextPage":false}}` }

// TestResponsesFullOfHoles reports on a collection of a type that is newer than the library, of which the service tells
// next to nothing.
func TestResponsesFullOfHoles(t *testing.T) {
	r := scripted(t, map[string]string{
		"GetCollection": `{"collection":{"__typename":"ERC9999Collection","address":"0xa1","name":null,"totalSupply":"9007199254740993"}}`,
		"GetOHLCVChart": `{"collection":{"ohlcvChart":[
			{"timestamp":"2025-01-02T00:00:00Z","open":1,"high":null,"low":null,"close":null,"volume":null,"count":0},
			{"timestamp":"some day","open":7,"high":7,"low":7,"close":7,"volume":7,"count":7},
			{"timestamp":"2025-01-01T00:00:00Z","open":0.5,"high":0.5,"low":0.5,"close":0.5,"volume":1234.56,"count":2}]}}`,
		"ListCollectionNFTs": `{"collection":{"__typename":"ERC721Collection","nfts":` + last(
			`{"cursor":"a","node":{"__typename":"ERC721NFT","contractAddress":"0xa1","tokenId":"1606938044258990275541962092341162602522202993782792835301376","name":""}}`) + `}}`,
		"ListContractEvents": `{"contract":{"__typename":"NFTContract","tokenEvents":` + last(
			`{"cursor":"a","node":{"__typename":"TokenStakeEvent","type":"STAKE","timestamp":null,"fromAddress":"0xb2","toAddress":""}},
			{"cursor":"b","node":{"__typename":"TokenMintEvent","type":"MINT","timestamp":"2025-01-01T10:30:00Z","tokenId":null,"fromAddress":"","toAddress":""}}`) + `}}`,
	})
	got, err := r.read(t.Context(), "0xa1", "")
	require.NoError(t, err)
	assert.Equal(t, `Collection 0xa1
===============
Chain           ethereum
Contract        0xa1
Standard        ERC9999Collection
Symbol          -
Description     -
Website         -
Supply          9007199254740993
In circulation  -

Prices by day, in ETH
DAY         OPEN    HIGH    LOW     CLOSE   VOLUME  SALES
2025-01-02  1       -       -       -       -       0
2025-01-01  0.5000  0.5000  0.5000  0.5000  1235    2

Tokens
NAME  TOKEN
-     160693804425…35301376

Events
WHEN              WHAT   TOKEN  FROM  TO
-                 STAKE  -      0xb2  
2025-01-01 10:30  MINT   -            
`, written(t, got...))
}

// TestWalletsOfHoles reports on a wallet whose collections and tokens the service does not know.
func TestWalletsOfHoles(t *testing.T) {
	r := scripted(t, map[string]string{
		"GetWallet": `{"wallet":{"address":"0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2","ensName":null}}`,
		"ListWalletCollections": `{"wallet":{"walletCollections":` + last(
			`{"cursor":"a","node":{"collectionAddress":"0xa1","nftsCount":"123456789012345678901","collection":null}},
			{"cursor":"b","node":{"collectionAddress":"0xa2","nftsCount":2,"collection":{"__typename":"ERC721Collection","address":"0xa2","name":"Gone"}}}`) + `}}`,
		"GetCollection":  `{"collection":null}`,
		"GetOHLCVChart":  `{"collection":null}`,
		"ListWalletNFTs": `{"wallet":{"walletNFTs":` + last(`{"cursor":"a","node":{"nft":null,"nftsCount":null}}`) + `}}`,
		"ListTokenBalances": `{"wallet":{"tokenBalances":` + last(
			`{"cursor":"a","node":{"contractAddress":"0xc3","totalBalance":5,"contract":null}},
			{"cursor":"b","node":{"contractAddress":"0xc4","totalBalance":"1000000000000000001","contract":{"decimals":18,"name":"Coin","symbol":"CN"}}}`) + `}}`,
	})
	got, err := r.read(t.Context(), "", "0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2")
	require.NoError(t, err)
	assert.Equal(t, `Wallet 0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2
=================================================
Chain     ethereum
Address   0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2
ENS name  -

Collections
NAME  STANDARD  HELD                   LOWEST PRICE  HELD AT LOWEST PRICE
0xa1  -         123456789012345678901  -             -
Gone  ERC-721   2                      -             -

Tokens
NAME  COLLECTION  TOKEN  HELD
-     -           -      -

ERC-20 tokens
NAME  BALANCE               SYMBOL  CONTRACT
-     5 units               -       0xc3
Coin  1.000000000000000001  CN      0xc4
`, written(t, got...))
	assert.Nil(t, draw(got[0].Prices, "chart"))
}

func TestNothingHeld(t *testing.T) {
	r := scripted(t, map[string]string{
		"GetWallet":             `{"wallet":{"address":"0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2","ensName":"empty.example.eth"}}`,
		"ListWalletCollections": `{"wallet":{"walletCollections":` + last(``) + `}}`,
		"ListWalletNFTs":        `{"wallet":{"walletNFTs":` + last(``) + `}}`,
		"ListTokenBalances":     `{"wallet":{"tokenBalances":` + last(``) + `}}`,
	})
	got, err := r.read(t.Context(), "", "empty.example.eth")
	require.NoError(t, err)
	assert.Equal(t, `Wallet empty.example.eth
========================
Chain     ethereum
Address   0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2
ENS name  empty.example.eth

Collections
none

Tokens
none

ERC-20 tokens
none
`, written(t, got...))
	assert.Nil(t, got[0].Prices)
}

func TestFailuresEndTheReport(t *testing.T) {
	r := scripted(t, map[string]string{"GetWallet": `{"wallet":{"address":"0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2"}}`})
	_, err := r.read(t.Context(), "", "0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2")
	require.ErrorContains(t, err, "wallet 0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2 on ethereum: ")
	assert.ErrorContains(t, err, "ListWalletCollections")
	assert.ErrorContains(t, err, "no such query in this test")
}
