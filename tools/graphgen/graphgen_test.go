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
		if len(files) != 3 {
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
contract: contract.gen.go
identities: [id, name]
kinds: {BigInt: integer or string}
scalars:
  BigInt: example.com/scalar.BigInt
`
	goodSchema = `scalar BigInt
scalar Odd
type Query { here(id: Int): Chain! }
type Chain { ship(name: String!): Ship, ships(first: Int, after: String, last: Int, before: String, by: [[Kind]], at: Odd): [Ship!], walletByAddress(address: String!): Harbor, all: [Ship], mixed: Mixed, harbor: Harbor }
enum Kind { SAIL STEAM }
interface Ship { name: String!, kind: Kind, tons: BigInt, home: Harbor, length: Odd }
interface Fast { name: String! }
type Clipper implements Ship & Fast { name: String!, kind: Kind, tons: BigInt, home: Harbor, length: Odd, sails: Int! }
type Tug implements Ship { name: String!, kind: Kind, tons: BigInt, home: Harbor, length: Odd, pulls: [Ship!], names: [String], codes: [String!], berths: [Harbor] }
type Harbor { id: ID! }
union Mixed = Clipper | Harbor
type Mutation { sink(name: String!): Boolean }
`
	goodQuery = `# Vessel is a ship.
fragment Vessel on Ship { __typename name tons home { ...Home } ... on Clipper { sails } ... on Tug { pulls { ...Short } names codes berths { ...Home } } }
# Short is a ship in short.
fragment Short on Ship { __typename kind }
# Home is a harbor.
fragment Home on Harbor { id }
# GetShip asks for a ship. Source: contract.
query GetShip($name: String!) { chain: here { ship(name: $name) { ...Vessel } } }
# ListShips lists ships, and a harbor.
query ListShips($wallet: String!, $first: Int, $after: String, $last: Int, $before: String) {
  chain: here { wallet: walletByAddress(address: $wallet) { ...Home } ships(first: $first, after: $after, last: $last, before: $before) { ...Short } }
}
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
			"\"encoding/json\"\n\t\"fmt\"\n\t\"slices\"\n\n\t\"example.com/scalar\"", "// Vessel is a ship. It is one of\n// *[VesselClipper],\n// *[VesselTug],\n// or *[VesselUnknown].\n",
			"Sails    int            `json:\"sails\"`", "Pulls    []Short        `json:\"pulls\"`",
			"Names    []*string      `json:\"names\"`", "Codes    []string       `json:\"codes\"`", "Berths   []*Home        `json:\"berths\"`",
			"func (r VesselTug) MarshalJSON() ([]byte, error) {\n\ttype plain VesselTug\n\tr.Typename = \"Tug\"\n",
			"func (r *VesselTug) UnmarshalJSON(text []byte) error { return Unmarshal(text, r) }", "r.Raw = bytes.Clone(text)", "Tons     *scalar.BigInt `json:\"tons\"`",
			"func (r *VesselClipper) GetHome() *Home { return r.Home }", "func (*VesselUnknown) isVessel() {}", "Raw json.RawMessage `json:\"-\"`",
			"KindSail  Kind = \"SAIL\"",
		},
		"wire.gen.go": {
			"func GetShip(chain graph.Chain, name string) Request {", "Ship graph.Vessel `json:\"ship\"`",
			"graphQuery{row(\"GetShip\", \"contract\", \"none\"), `query GetShip ($name: String!) {\n\tchain: `, ``, ` {\n\t\tship(name: $name) {", "` + fragmentVessel + fragmentHome + fragmentShort}",
			"func ListShips(chain graph.Chain, wallet string, window Window) Request {\n\treturn queryListShips.on(chain, wallet, struct {\n\t\tWallet string `json:\"wallet\"`\n\t\tWindow\n\t}{wallet, window})",
			"chain: `, ` {\n\t\twallet: `, ` {\n\t\t\t... Home",
			"case \"Tug\":\n\t\t\treturn new(graph.VesselTug)", "return &graph.ShortUnknown{Raw: bytes.Clone(raw())}",
		},
		"contract.gen.go": {
			"var graphHome = []Member{\n\t{\"id\", true, &Shape{Kinds: `\"`, Identity: true, Reads: reads[string]}},\n}",
			"{\"sails\", false, &Shape{Kinds: `0`, Integer: true, Reads: reads[int]}}", "{\"sails\", true, &Shape",
			"{\"Tug\", []Member{", "{\"pulls\", true, &Shape{Kinds: `[`, Nullable: true, Items: &Shape{Kinds: `{`, Members: graphShort, Variants: graphShortVariants}}}",
			"{\"names\", true, &Shape{Kinds: `[`, Nullable: true, Items: &Shape{Kinds: `\"`, Nullable: true, Reads: reads[string]}}}",
			"{\"tons\", true, &Shape{Kinds: `0\"`, Nullable: true, Format: \"BigInt\", Integer: true, Reads: reads[scalar.BigInt]}}",
			"{\"kind\", true, &Shape{Kinds: `\"`, Nullable: true, Enum: graphKindValues, Reads: reads[graph.Kind]}}",
			"{\"GetShip\", 200, &Shape{Kinds: \"{\", Envelope: true, Members: []Member{\n\t\t{\"chain\", true, &Shape{Kinds: \"{\", Envelope: true",
			"Enum: []string{\"Clipper\", \"Tug\"}, Reads: reads[string]}}",
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
			"config.yaml: yaml: unmarshal errors:\n  line 10: field bindings not found",
		},
		"a marshaler": {
			[3]string{goodConfig + "  Odd:\n    type: string\n    marshaler: example.com/scalar.Marshal\n", goodSchema, goodQuery},
			"config.yaml: yaml: unmarshal errors:\n  line 11: cannot unmarshal !!map into string",
		},
		"no configuration":    {[3]string{"", goodSchema, goodQuery}, "config.yaml: EOF"},
		"a broken schema":     {[3]string{goodConfig, "type {", goodQuery}, "schema.graphql:1: Expected Name"},
		"a broken query":      {query("query ("), "a.query:13: Expected $, found"},
		"an unknown field":    {query("# A asks.\nquery A { chain: here { nope } }"), "a.query:14: Cannot query field \"nope\""},
		"a mutation":          {query("# A sinks.\nmutation A { chain: sink(name: \"a\") }"), "a.query:14: mutation A must be a query of one chain"},
		"no alias":            {query("# A asks.\nquery A { here { harbor { ...Home } } }"), "a.query:14: query A must be a query of one chain"},
		"two root fields":     {query("# A asks.\nquery A { chain: here { harbor { ...Home } } b: here { harbor { ...Home } } }"), "a.query:14: query A must be"},
		"an argument":         {query("# A asks.\nquery A { chain: here(id: 1) { harbor { ...Home } } }"), "a.query:14: query A must be"},
		"a spread at the top": {query("fragment Q on Query { here { harbor { ...Home } } }\n# A asks.\nquery A { ...Q }"), "a.query:15: query A must be"},
		"no comment":          {query("query A { chain: here { harbor { ...Home } } }"), `a.query:13: "A" needs a comment`},
		"no exported name":    {query("# a asks.\nquery a { chain: here { harbor { ...Home } } }"), `a.query:14: "a" needs a comment`},
		"no name":             {[3]string{goodConfig, goodSchema, "# It asks.\nquery { chain: here { harbor { id } } }"}, `a.query:2: "" needs a comment`},
		"no __typename":       {query("# A is.\nfragment A on Ship { name }\n# B asks.\nquery B { chain: here { ships { ...A } } }"), "a.query:14: fragment A must be of an object, or of an interface and begin with __typename"},
		"a union":             {query("# A is.\nfragment A on Mixed { __typename }\n# B asks.\nquery B { chain: here { mixed { ...A } } }"), "a.query:14: fragment A must be of an object"},
		"a fragment inside":   {query("# A is.\nfragment A on Harbor { ...Home }\n# B asks.\nquery B { chain: here { harbor { ...A } } }"), "a.query:14: a fragment must be all that is selected"},
		"a fragment beside":   {query("# A asks.\nquery A { chain: here { harbor { id ...Home } } }"), "a.query:14: a fragment must be all that is selected"},
		"`on` an interface":   {query("# A is.\nfragment A on Ship { __typename ... on Fast { name } }\n# B asks.\nquery B { chain: here { ships { ...A } } }"), "a.query:14: `... on` must name an object"},
		"`on` nothing":        {query("# A is.\nfragment A on Harbor { ... { id } }\n# B asks.\nquery B { chain: here { harbor { ...A } } }"), "a.query:14: `... on` must name an object"},
		"a part of the types": {query("# A is.\nfragment A on Clipper { name }\n# B asks.\nquery B { chain: here { ships { ...A } } }"), "a.query:16: fragment A is not for every Ship"},
		"a scalar":            {query("# A is.\nfragment A on Ship { __typename length }\n# B asks.\nquery B { chain: here { ships { ...A } } }"), "a.query:14: the configuration has no Go type for the scalar Odd"},
		"a scalar to send":    {query("# A asks.\nquery A($at: Odd) { chain: here { ships(at: $at) { ...Vessel } } }"), "a.query:14: the configuration has no Go type for the scalar Odd"},
		"interfaces or nulls": {query("# A asks.\nquery A { chain: here { all { ...Short } } }"), "a.query:14: all is a list of interfaces with nulls in it"},
		"a list of lists":     {query("# A asks.\nquery A($by: [[Kind]]) { chain: here { ships(by: $by) { ...Vessel } } }"), "a.query:14: by is a list of lists"},
		"a part of a window":  {query("# A asks.\nquery A($first: Int, $after: String) { chain: here { ships(first: $first, after: $after) { ...Vessel } } }"), "a.query:14: query A must have all of the variables first, after, last, before, or none"},
		"one name twice":      {query("# A asks.\nquery A { chain: here { harbor { id ID: id } } }"), "a.query:14: ID has no name of its own in Go"},
		"a name of nothing":   {query("# A asks.\nquery A { chain: here { harbor { _: id } } }"), "a.query:14: _ has no name of its own in Go"},
		"a field Extra":       {query("# A is.\nfragment A on Harbor { extra: id }\n# B asks.\nquery B { chain: here { harbor { ...A } } }"), "a.query:14: fragment A has a field with the name Extra, which is taken"},
		"a kind of JSON":      {[3]string{strings.Replace(goodConfig, "integer or", "numeral or", 1), goodSchema, goodQuery}, "the configuration has no kind of JSON for the scalar BigInt, but \"numeral\""},
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
		if (err == nil) != (len(files) == 3) {
			t.Errorf("%d files and %v", len(files), err)
		}
	})
}
