package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGoNames(t *testing.T) {
	for name, want := range map[string]string{
		"id": "ID", "tokenId": "TokenID", "NftIdUrl": "NFTIDURL", "nftsCount": "NFTsCount", "NftSummary": "NFTSummary",
		"NFTSummary": "NFTSummary", "ensName": "ENSName", "ohlcvChart": "OHLCVChart", "CollectionOhlcvChartInput": "CollectionOHLCVChartInput",
		"supportedErcInterfaces": "SupportedERCInterfaces", "MarketplaceErc721": "MarketplaceERC721", "abi": "ABI",
		"Identity": "Identity", "Ensemble": "Ensemble", "uris": "Uris", "__typename": "Typename", "_": "", "": "",
	} {
		if got := goName(name); got != want {
			t.Errorf("goName(%q) = %q, not %q", name, got, want)
		}
	}
	for value, want := range map[string]string{
		"NIFTY_GATEWAY": "SaleNiftyGateway", "ERC721": "SaleERC721", "X2Y2": "SaleX2Y2", "A__B": "SaleAB", "_": "Sale",
	} {
		if got := valueName("Sale", value); got != want {
			t.Errorf("valueName(%q) = %q, not %q", value, got, want)
		}
	}
}

// TestGeneratedCodeIsUpToDate runs the generator on the project's own queries, twice.
func TestGeneratedCodeIsUpToDate(t *testing.T) {
	for range 2 {
		files, err := generate("../../graph/graphgen.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if len(files) != 2 {
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

const (
	goodConfig = `schema: schema.graphql
queries: "*.query"
records: records.gen.go
wire: wire.gen.go
scalars:
  BigInt: example.com/scalar.BigInt
`
	goodSchema = `scalar BigInt
scalar Odd
type Query { here(id: Int): Chain! }
type Chain { ship(name: String!): Ship, ships(first: Int, by: [[Kind]], at: Odd): [Ship!], mixed: Mixed, harbor: Harbor }
enum Kind { SAIL STEAM }
interface Ship { name: String!, kind: Kind, tons: BigInt, home: Harbor, length: Odd }
interface Fast { name: String! }
type Clipper implements Ship & Fast { name: String!, kind: Kind, tons: BigInt, home: Harbor, length: Odd, sails: Int! }
type Tug implements Ship { name: String!, kind: Kind, tons: BigInt, home: Harbor, length: Odd, pulls: [Ship] }
type Harbor { id: ID! }
union Mixed = Clipper | Harbor
type Mutation { sink(name: String!): Boolean }
`
	goodQuery = `# Vessel is a ship.
fragment Vessel on Ship { __typename name tons home { ...Home } ... on Clipper { sails } ... on Tug { pulls { ...Short } } }
# Short is a ship in short.
fragment Short on Ship { __typename kind }
# Home is a harbor.
fragment Home on Harbor { id }
# GetShip asks for a ship. Source: contract.
query GetShip($name: String!) { chain: here { ship(name: $name) { ...Vessel } } }
`
)

// inputs writes the generator's inputs and returns the name of the configuration.
func inputs(t testing.TB, config, schema, query string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"config.yaml": config, "schema.graphql": schema, "a.query": query} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "config.yaml")
}

func TestWhatIsGenerated(t *testing.T) {
	config := inputs(t, goodConfig, goodSchema, goodQuery)
	files, err := generate(config)
	if err != nil {
		t.Fatal(err)
	}
	for name, pieces := range map[string][]string{
		"records.gen.go": {
			"\"encoding/json\"\n\t\"slices\"\n\n\t\"example.com/scalar\"", "// Vessel is a ship. It is one of\n// *[VesselClipper],\n// *[VesselTug],\n// or *[VesselUnknown].\n",
			"Sails    int            `json:\"sails\"`", "Pulls    []Short        `json:\"pulls\"`", "Tons     *scalar.BigInt `json:\"tons\"`",
			"func (r *VesselClipper) GetHome() *Home { return r.Home }", "func (*VesselUnknown) isVessel() {}", "Raw json.RawMessage `json:\"-\"`",
			"KindSail  Kind = \"SAIL\"",
		},
		"wire.gen.go": {
			"func GetShip(chain graph.Chain, name string) Request {", "Ship graph.Vessel `json:\"ship\"`",
			"graphQuery{row(\"GetShip\", \"contract\", \"none\"), `query GetShip ($name: String!) {\n\tchain: `, ` {\n\t\tship(name: $name) {", "` + fragmentVessel + fragmentHome + fragmentShort}",
			"case \"Tug\":\n\t\t\treturn new(graph.VesselTug)", "return &graph.ShortUnknown{Raw: bytes.Clone(raw())}",
		},
	} {
		source := string(files[filepath.Join(filepath.Dir(config), name)])
		for _, piece := range pieces {
			if !strings.Contains(source, piece) {
				t.Errorf("%s has no %q:\n%s", name, piece, source)
			}
		}
	}
}

// TestRefusals gives the generator what it has no code for. It says where that is.
func TestRefusals(t *testing.T) {
	query := func(add string) [3]string { return [3]string{goodConfig, goodSchema, goodQuery + add} }
	for name, test := range map[string]struct {
		inputs [3]string
		want   string
	}{
		"a field of the configuration that means nothing": {
			[3]string{goodConfig + "bindings:\n  BigInt:\n    marshaler: example.com/scalar.Marshal\n", goodSchema, goodQuery},
			"config.yaml: yaml: unmarshal errors:\n  line 7: field bindings not found",
		},
		"a marshaler": {
			[3]string{goodConfig + "  Odd:\n    type: string\n    marshaler: example.com/scalar.Marshal\n", goodSchema, goodQuery},
			"config.yaml: yaml: unmarshal errors:\n  line 8: cannot unmarshal !!map into string",
		},
		"no configuration":    {[3]string{"", goodSchema, goodQuery}, "config.yaml: EOF"},
		"a broken schema":     {[3]string{goodConfig, "type {", goodQuery}, "schema.graphql:1: Expected Name"},
		"a broken query":      {query("query ("), "a.query:9: Expected $, found"},
		"an unknown field":    {query("# A asks.\nquery A { chain: here { nope } }"), "a.query:10: Cannot query field \"nope\""},
		"a mutation":          {query("# A sinks.\nmutation A { chain: sink(name: \"a\") }"), "a.query:10: mutation A must be a query of one chain"},
		"no alias":            {query("# A asks.\nquery A { here { harbor { ...Home } } }"), "a.query:10: query A must be a query of one chain"},
		"two root fields":     {query("# A asks.\nquery A { chain: here { harbor { ...Home } } b: here { harbor { ...Home } } }"), "a.query:10: query A must be"},
		"an argument":         {query("# A asks.\nquery A { chain: here(id: 1) { harbor { ...Home } } }"), "a.query:10: query A must be"},
		"a spread at the top": {query("fragment Q on Query { here { harbor { ...Home } } }\n# A asks.\nquery A { ...Q }"), "a.query:11: query A must be"},
		"no comment":          {query("query A { chain: here { harbor { ...Home } } }"), `a.query:9: "A" needs a comment`},
		"no exported name":    {query("# a asks.\nquery a { chain: here { harbor { ...Home } } }"), `a.query:10: "a" needs a comment`},
		"no name":             {[3]string{goodConfig, goodSchema, "# It asks.\nquery { chain: here { harbor { id } } }"}, `a.query:2: "" needs a comment`},
		"no __typename":       {query("# A is.\nfragment A on Ship { name }\n# B asks.\nquery B { chain: here { ships { ...A } } }"), "a.query:10: fragment A must be of an object, or of an interface and begin with __typename"},
		"a union":             {query("# A is.\nfragment A on Mixed { __typename }\n# B asks.\nquery B { chain: here { mixed { ...A } } }"), "a.query:10: fragment A must be of an object"},
		"a fragment inside":   {query("# A is.\nfragment A on Harbor { ...Home }\n# B asks.\nquery B { chain: here { harbor { ...A } } }"), "a.query:10: a fragment must be all that is selected"},
		"a fragment beside":   {query("# A asks.\nquery A { chain: here { harbor { id ...Home } } }"), "a.query:10: a fragment must be all that is selected"},
		"`on` an interface":   {query("# A is.\nfragment A on Ship { __typename ... on Fast { name } }\n# B asks.\nquery B { chain: here { ships { ...A } } }"), "a.query:10: `... on` must name an object"},
		"`on` nothing":        {query("# A is.\nfragment A on Harbor { ... { id } }\n# B asks.\nquery B { chain: here { harbor { ...A } } }"), "a.query:10: `... on` must name an object"},
		"a part of the types": {query("# A is.\nfragment A on Clipper { name }\n# B asks.\nquery B { chain: here { ships { ...A } } }"), "a.query:12: fragment A is not for every Ship"},
		"a scalar":            {query("# A is.\nfragment A on Ship { __typename length }\n# B asks.\nquery B { chain: here { ships { ...A } } }"), "a.query:10: the configuration has no Go type for the scalar Odd"},
		"a scalar to send":    {query("# A asks.\nquery A($at: Odd) { chain: here { ships(at: $at) { ...Vessel } } }"), "a.query:10: the configuration has no Go type for the scalar Odd"},
		"a list of lists":     {query("# A asks.\nquery A($by: [[Kind]]) { chain: here { ships(by: $by) { ...Vessel } } }"), "a.query:10: by is a list of lists"},
		"one name twice":      {query("# A asks.\nquery A { chain: here { harbor { id ID: id } } }"), "a.query:10: ID has no name of its own in Go"},
		"a name of nothing":   {query("# A asks.\nquery A { chain: here { harbor { _: id } } }"), "a.query:10: _ has no name of its own in Go"},
	} {
		t.Run(name, func(t *testing.T) {
			files, err := generate(inputs(t, test.inputs[0], test.inputs[1], test.inputs[2]))
			if err == nil || files != nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, not %q", err, test.want)
			}
		})
	}
	if _, err := generate(filepath.Join(t.TempDir(), "none.yaml")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// FuzzQueries makes sure that no query makes the generator panic.
func FuzzQueries(f *testing.F) {
	f.Add(goodQuery)
	files, err := filepath.Glob("../../graph/queries/*.graphql")
	if err != nil || files == nil {
		f.Fatal("no queries to begin with", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("query { chain: here { ships { __typename } } }")
	f.Fuzz(func(t *testing.T, query string) {
		files, err := generate(inputs(t, goodConfig, goodSchema, query))
		if (err == nil) != (len(files) == 2) {
			t.Errorf("%d files and %v", len(files), err)
		}
	})
}
