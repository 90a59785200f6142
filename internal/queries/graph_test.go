package queries

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	graphqlgo "github.com/graph-gophers/graphql-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/reply"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestEveryQueryIsValidOnEveryChain(t *testing.T) {
	schema, err := graphqlgo.ParseSchema(graph.Schema, nil, graphqlgo.UseStringDescriptions())
	require.NoError(t, err)
	required := regexp.MustCompile(`\$(\w+): String!`)
	for _, q := range queries {
		assert.Equal(t, []graphql.Operation{{Type: graphql.Query, Name: q.operation.ID}}, graphql.Operations(q.document("a", "")))
		variables := map[string]any{}
		for _, variable := range required.FindAllStringSubmatch(q.before, -1) {
			variables[variable[1]] = "a"
		}
		variables["tokens"] = []any{}
		for _, chain := range graph.Chains {
			for _, wallet := range []string{"0xb2", "wallet.example.eth"} {
				assert.Empty(t, schema.ValidateWithVariables(q.document(chain, wallet), variables), "%s on %s", q.operation.ID, chain)
			}
		}
		assert.NotEmpty(t, schema.ValidateWithVariables(q.document("solana", ""), variables), "the validation can fail")
	}
}

func TestDocuments(t *testing.T) {
	q := graphQuery{operation: row("GetShip", "contract", "cursor"), before: "query { chain: ", between: " { wallet: ", after: " { id } } }"}
	assert.Equal(t, "query { chain: polygon { wallet: walletByAddress(address: $wallet) { id } } }", q.document("polygon", "0xb2"))
	assert.Equal(t, "query { chain: polygon { wallet: walletByENS(ensName: $wallet) { id } } }", q.document("polygon", "a.eth"))
	request := q.on(graph.Ethereum, "a.eth", map[string]string{"wallet": "a.eth"})
	assert.Equal(t, `{"query":"query { chain: ethereum { wallet: walletByENS(ensName: $wallet) { id } } }","variables":{"wallet":"a.eth"},"operationName":"GetShip"}`, sent(t, request))
	q.between = ""
	assert.Equal(t, "query { chain: polygon { id } } }", q.document("polygon", "a.eth"))
	assert.Equal(t, &api.Operation{
		ID: "GetShip", Method: "POST", Path: "/base/graphql", Area: "graph", Tag: "Graph", Source: "contract",
		Idempotent: true, Paging: "cursor", Response: "data", Statuses: []int{200, 400},
	}, request.At("/base/graphql").Operation)
}

func TestQueriesAreThoseOfTheFiles(t *testing.T) {
	files, err := filepath.Glob("../../graph/queries/*.graphql")
	require.NoError(t, err)
	var written []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, operation := range graphql.Operations(string(text)) {
			written = append(written, operation.Name)
		}
	}
	require.NotEmpty(t, written)
	require.Len(t, Graph, len(written))
	for i, op := range Graph {
		assert.Equal(t, written[i], op.ID)
		assert.Equal(t, "Graph", op.Tag)
		assert.Equal(t, "/graphql", op.Path)
		assert.True(t, op.Idempotent)
		assert.Equal(t, op.ID == "GetCollection", op.Source == "contract", op.ID)
		assert.Equal(t, strings.Contains(queries[i].after, "pageInfo"), op.Paging == api.PagingCursor, op.ID)
	}
}

// sent returns the body of a request as it is sent.
func sent(t *testing.T, request Request) string {
	t.Helper()
	text, err := reply.EncodeRequest(request.At("/graphql").Body)
	require.NoError(t, err)
	return string(text)
}

// TestVariablesLeaveOutWhatIsNotSet makes sure that a filter does not ask for null, or lose an empty text. The zero
// time is no time.
func TestVariablesLeaveOutWhatIsNotSet(t *testing.T) {
	filter := &graph.TokenEventsFilterInput{
		FromAddress: &graph.StringInput{Eq: new("")},
		BlockNumber: &graph.IntegerInput{Gt: new(0), In: []int{}},
		Timestamp:   &graph.DateTimeInput{Lt: new(scalar.Time{})},
	}
	assert.Contains(t, sent(t, ListEvents(graph.Ethereum, Window{First: new(0)}, filter)),
		`"variables":{"first":0,"filter":{"blockNumber":{"gt":0,"in":[]},"fromAddress":{"eq":""},"timestamp":{}}},"operationName":"ListEvents"`)
}

// FuzzChain makes sure that nothing but a name becomes a part of a document.
func FuzzChain(f *testing.F) {
	for _, chain := range []string{"ethereum", "polygon", "base_2", "", "{", "a b", "a\"", "\x00", "_1", "1st", "a-b", "a\n", "é", "ethereum{a}polygon"} {
		f.Add(chain)
	}
	f.Fuzz(func(t *testing.T, chain string) {
		request := GetNFT(graph.Chain(chain), "0xa1", "1")
		if !IsName(chain) {
			return // The facade refuses it.
		}
		require.Empty(t, strings.Trim(chain, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		require.Equal(t, sent(t, GetNFT(graph.Ethereum, "0xa1", "1")),
			strings.Replace(sent(t, request), "chain: "+chain+" {", "chain: ethereum {", 1), "nothing else has changed")
	})
}

// TestEveryInterfaceIsDecodable decodes a value of a type that no schema has into every interface.
func TestEveryInterfaceIsDecodable(t *testing.T) {
	var data struct {
		Collection *graph.Collection        `json:"collection"`
		Profile    *graph.CollectionProfile `json:"profile"`
		Summary    *graph.CollectionSummary `json:"summary"`
		NFT        *graph.NFT               `json:"nft"`
		Token      *graph.NFTSummary        `json:"token"`
		Contract   *graph.Contract          `json:"contract"`
		Short      *graph.ContractSummary   `json:"short"`
		Event      *graph.Event             `json:"event"`
	}
	const one = `{"__typename":"Newer"}`
	body := `{"data":{"collection":` + one + `,"summary":` + one + `,"nft":` + one + `,"token":` + one + `,"contract":` + one + `,"profile":` + one + `,"short":` + one + `,"event":` + one + `}}`
	_, err := graphql.ReadGraph(t.Context(), "application/json", []byte(body), GraphVariants, &data)
	require.NoError(t, err)
	for _, made := range []any{*data.Collection, *data.Summary, *data.NFT, *data.Token, *data.Contract, *data.Event, *data.Profile, *data.Short} {
		assert.Regexp(t, `^\*graph\.\w+Unknown$`, fmt.Sprintf("%T", made))
	}
	source, err := os.ReadFile("../../graph/graph.gen.go")
	require.NoError(t, err)
	assert.Len(t, regexp.MustCompile(`(?m)^type \w+ interface`).FindAll(source, -1), 8, "this test has all of them")
}
