package graphql

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	schemas "github.com/graph-gophers/graphql-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// withWallet returns a query about a wallet, or the query itself if it is not about a wallet.
func withWallet(q AnyQuery, wallet string) AnyQuery {
	if field := reflect.ValueOf(q).Elem().FieldByName("Wallet"); field.IsValid() {
		field.SetString(wallet)
	}
	return q
}

func TestDocuments_validateOnEveryChain(t *testing.T) {
	schema, err := schemas.ParseSchema(graph.Schema, nil, schemas.UseStringDescriptions())
	require.NoError(t, err)
	required := regexp.MustCompile(`\$(\w+): String!`)
	for _, q := range Queries {
		id := q.Operation().ID
		assert.Equal(t, []Operation{{Type: "query", Name: id}}, Operations(q.Document("a")))
		variables := map[string]any{"tokens": []any{}}
		for _, variable := range required.FindAllStringSubmatch(q.Document(""), -1) {
			variables[variable[1]] = "a"
		}
		for _, chain := range graph.Chain("").Values() {
			for _, wallet := range []string{"0xb2", "wallet.example.eth"} {
				document := withWallet(q, wallet).Document(chain)
				assert.Contains(t, document, "chain: "+string(chain)+" {", id)
				assert.Empty(t, schema.ValidateWithVariables(document, variables), "%s on %s", id, chain)
			}
		}
		assert.NotEmpty(t, schema.ValidateWithVariables(q.Document("solana"), variables), "the validation can fail")
	}
}

func TestDocument_substitutesChainAndWallet(t *testing.T) {
	assert.Contains(t, sent(t, &GetWallet{Wallet: "0xb2"}, "polygon"),
		`chain: polygon {\n\t\twallet: walletByAddress(address: $wallet) {`)
	named := sent(t, &GetWallet{Wallet: "a.eth"}, "polygon")
	assert.Contains(t, named, `chain: polygon {\n\t\twallet: walletByENS(ensName: $wallet) {`)
	assert.True(t, strings.HasSuffix(named, `","variables":{"wallet":"a.eth"},"operationName":"GetWallet"}`), named)
	assert.Equal(t, &api.Operation{
		ID: "GetCollection", Method: "POST", Path: "/base/graphql", Area: "graph", Tag: "Graph", Source: "contract",
		Idempotent: true, Paging: "none", Response: "data", Statuses: []int{200, 400},
	}, Request(&GetCollection{}, graph.ChainEthereum, "/base/graphql").Operation)
	assert.Equal(t, "/graphql", new(GetCollection).Operation().Path, "the table stays as it is")
}

func TestDocuments_matchQueryFiles(t *testing.T) {
	files, err := filepath.Glob("../../graph/queries/*.graphql")
	require.NoError(t, err)
	var written []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, operation := range Operations(string(text)) {
			written = append(written, operation.Name)
		}
	}
	require.NotEmpty(t, written)
	require.Len(t, Table, len(written))
	for i, op := range Table {
		assert.Contains(t, written, op.ID)
		assert.Equal(t, "Graph", op.Tag)
		assert.Equal(t, "/graphql", op.Path)
		assert.True(t, op.Idempotent)
		assert.Equal(t, op.ID == "GetCollection", op.Source == "contract", op.ID)
		assert.Equal(t, strings.Contains(Queries[i].Document(""), "pageInfo"), op.Paging == api.PagingCursor, op.ID)
	}
}

// sent returns the body of a request as it is sent.
func sent(t *testing.T, q AnyQuery, chain graph.Chain) string {
	t.Helper()
	text, err := scalar.WithSecrets[any]{Value: Request(q, chain, "/graphql").Body}.MarshalJSON()
	require.NoError(t, err)
	return string(text)
}

// TestVariables_omitUnsetFields makes sure that a filter does not ask for null, or lose an empty text. The zero
// time is not sent.
func TestVariables_omitUnsetFields(t *testing.T) {
	filter := &graph.TokenEventsFilterInput{
		FromAddress: &graph.StringInput{Eq: new("")},
		BlockNumber: &graph.IntegerInput{Gt: new(0), In: []int{}},
		Timestamp:   &graph.DateTimeInput{Lt: new(scalar.Time{})},
	}
	assert.Contains(t, sent(t, &ListEvents{Window: Window{First: new(0)}, Filter: filter}, graph.ChainEthereum),
		`"variables":{"first":0,"filter":{"blockNumber":{"gt":0,"in":[]},"fromAddress":{"eq":""},"timestamp":{}}},"operationName":"ListEvents"`)
}

// FuzzChain makes sure that nothing but a name becomes a part of a document.
func FuzzChain(f *testing.F) {
	for _, chain := range []string{"ethereum", "polygon", "base_2", "", "{", "a b", "a\"", "\x00", "_1", "1st", "a-b",
		"a\n", "é", "ethereum{a}polygon"} {
		f.Add(chain)
	}
	f.Fuzz(func(t *testing.T, chain string) {
		if !IsName(chain) {
			return // The facade refuses it.
		}
		require.Empty(t, strings.Trim(chain, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		q := &GetNFT{ContractAddress: "0xa1", TokenID: "1"}
		require.Equal(t, sent(t, q, graph.ChainEthereum),
			strings.Replace(sent(t, q, graph.Chain(chain)), "chain: "+chain+" {", "chain: ethereum {", 1),
			"nothing else has changed")
	})
}

// TestVariants_decodeEveryType decodes a value of each type, and of one that no schema has, into every interface.
func TestVariants_decodeEveryType(t *testing.T) {
	require.Len(t, Variants, 8)
	for of, types := range Variants {
		for name, want := range types {
			data := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "One", Type: of, Tag: `json:"one"`}}))
			_, err := Read(t.Context(), "", fmt.Appendf(nil, `{"data":{"one":{"__typename":%q}}}`, name), OwnTypes,
				data.Interface())
			require.NoError(t, err)
			assert.Equal(t, reflect.PointerTo(reflect.TypeOf(want)), data.Elem().Field(0).Elem().Type(), name)
		}
	}
}
