package main

import (
	"os"
	"testing"
)

func TestGoName_spellsInitialisms(t *testing.T) {
	for name, want := range map[string]string{
		"ExternalUrl": "ExternalURL", "TokenId": "TokenID", "SupportedErcInterfaces": "SupportedERCInterfaces",
		"NftsCount":                 "NFTsCount",
		"CollectionOhlcvChartInput": "CollectionOHLCVChartInput", "MarketplaceX2y2": "MarketplaceX2Y2",
		"ERCStandardErc721": "ERCStandardERC721",
		"WalletNftIds":      "WalletNFTIds", "Identity": "Identity", "TokenIdUrl": "TokenIDURL",
	} {
		if got := goName(name); got != want {
			t.Errorf("goName(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestRun_matchesCommittedCode generates the library's code anew.
func TestRun_matchesCommittedCode(t *testing.T) {
	made, err := run("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(made) != len(outputs) {
		t.Errorf("%d files, want %d", len(made), len(outputs))
	}
	for name, text := range made {
		if committed, err := os.ReadFile(name); err != nil || string(committed) != string(text) {
			t.Errorf("%s is not what the queries make: run go generate ./... (%v)", name, err)
		}
	}
	if _, err := run("none"); err == nil {
		t.Error("a folder that is not there is an error")
	}
}
