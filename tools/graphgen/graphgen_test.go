package main

import (
	"bytes"
	"os"
	"testing"
)

func TestCapitalized(t *testing.T) {
	for name, want := range map[string]string{
		"Id": "ID", "TokenId": "TokenID", "NftIdUrl": "NFTIDURL", "GetNftsCount": "GetNFTsCount", "EnsName": "ENSName",
		"MarketplaceErc721": "MarketplaceERC721", "Identity": "Identity", "Ensemble": "Ensemble", "tokenId": "tokenID",
		"Uris": "Uris", "": "",
	} {
		if got := capitalized(name); got != want {
			t.Errorf("capitalized(%q) = %q, not %q", name, got, want)
		}
	}
}

// TestGeneratedCodeIsUpToDate runs the generator on the project's own queries, twice.
func TestGeneratedCodeIsUpToDate(t *testing.T) {
	for range 2 {
		files, err := generated("../../graph/genqlient.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if len(files) != 1 {
			t.Fatalf("%d files", len(files))
		}
		for name, source := range files {
			committed, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(committed, source) {
				t.Errorf("%s is not what the generator makes of the queries", name)
			}
		}
	}
}
