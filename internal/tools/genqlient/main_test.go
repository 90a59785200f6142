package main

import (
	"os"
	"path/filepath"
	"strings"
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
	dir := t.TempDir()
	source, err := filepath.Abs("../../../graph")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(source, "genqlient.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	config := strings.NewReplacer("schema: ", "schema: "+source+"/", "operations: ", "operations: "+source+"/").Replace(
		string(text))
	configuration, queries := filepath.Join(dir, "genqlient.yaml"), filepath.Join(dir, "queries.gen.go")
	if err := os.WriteFile(configuration, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(configuration, queries); err != nil {
		t.Fatal(err)
	}
	for made, committed := range map[string]string{
		filepath.Join(dir, "graph.gen.go"): "../../../graph/graph.gen.go",
		queries:                            "../../../internal/graphql/queries.gen.go",
	} {
		if same(t, made) != same(t, committed) {
			t.Errorf("%s is not what the queries make: run go generate ./...", committed)
		}
	}
	if err := run(filepath.Join(dir, "none.yaml"), queries); err == nil {
		t.Error("a configuration that is not there is an error")
	}
}

func same(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
