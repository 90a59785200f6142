package graphql

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	schemas "github.com/graph-gophers/graphql-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestDocuments_validateOnEveryChain(t *testing.T) {
	schema, err := schemas.ParseSchema(graph.Schema, nil, schemas.UseStringDescriptions())
	require.NoError(t, err)
	required := regexp.MustCompile(`\$(\w+): String!`)
	for _, row := range Rows {
		id := row.Operation.ID
		assert.Equal(t, []Operation{{Type: "query", Name: id}}, Operations(row.document))
		variables := map[string]any{"tokens": []any{}}
		for _, variable := range required.FindAllStringSubmatch(row.document, -1) {
			variables[variable[1]] = "a"
		}
		for _, chain := range graph.Chain("").Values() {
			for _, wallet := range []string{"0xb2", "wallet.example.eth"} {
				document := row.Document(chain, wallet)
				assert.Contains(t, document, "chain: "+string(chain)+" {", id)
				assert.Empty(t, schema.ValidateWithVariables(document, variables), "%s on %s", id, chain)
			}
		}
		assert.NotEmpty(t, schema.ValidateWithVariables(row.Document("solana", ""), variables), "the validation can fail")
	}
}

func TestRequest_hasItsOperation(t *testing.T) {
	assert.Equal(t, &api.Operation{
		ID: "GetCollection", Method: "POST", Path: "/graphql", Area: "graph", Tag: "Graph", Source: "contract",
		Idempotent: true, Paging: "none", Response: "data", Statuses: []int{200, 400},
	}, new(GetCollection).Query().Request(nil, graph.ChainEthereum).Operation)
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
	require.Len(t, Table(), len(written))
	for i, op := range Table() {
		assert.Contains(t, written, op.ID)
		assert.Equal(t, op.ID == "GetCollection", op.Source == "contract", op.ID)
		assert.Equal(t, strings.Contains(Rows[i].document, "pageInfo"), op.Paging == api.PagingCursor, op.ID)
	}
}

// sent returns the body of a request as it is sent.
func sent[T any](t *testing.T, v Variables[T], chain graph.Chain) string {
	t.Helper()
	text, err := scalar.WithSecrets[any]{Value: v.Query().Request(v, chain).Body}.MarshalJSON()
	require.NoError(t, err)
	return string(text)
}

// TestVariables_omitUnsetFields makes sure that a filter does not ask for null, or lose an empty text. The zero
// time is not sent.
func TestVariables_omitUnsetFields(t *testing.T) {
	filter := &graph.TokenEventsFilterInput{
		FromAddress: &graph.StringInput{Eq: new("")},
		BlockNumber: &graph.IntegerInput{Gt: new(0), In: []int{}},
		Timestamp:   &graph.DateTimeInput{Lt: new(time.Time{})},
	}
	assert.Contains(t, sent(t, &ListEvents{Window: Window{First: 7}, Filter: filter}, graph.ChainEthereum),
		`"variables":{"first":7,"filter":{"blockNumber":{"gt":0,"in":[]},"fromAddress":{"eq":""},"timestamp":{}}},"operationName":"ListEvents"`)
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
	const collections, contracts, nfts = "ERC1155Collection ERC721Collection", "NFTContract TokenContract", "ERC1155NFT ERC721NFT"
	for of, types := range map[reflect.Type]string{
		reflect.TypeFor[graph.Collection](): collections, reflect.TypeFor[graph.CollectionProfile](): collections,
		reflect.TypeFor[graph.CollectionSummary](): collections, reflect.TypeFor[graph.Contract](): contracts,
		reflect.TypeFor[graph.ContractSummary](): contracts, reflect.TypeFor[graph.NFT](): nfts, reflect.TypeFor[graph.NFTSummary](): nfts,
		reflect.TypeFor[graph.Event](): "TokenBurnEvent TokenMintEvent TokenSaleEvent TokenSwapEvent TokenTransferEvent",
	} {
		for _, name := range strings.Fields(types + " Unknown") {
			data := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "One", Type: of, Tag: `json:"one"`}}))
			_, err := Read("", fmt.Appendf(nil, `{"data":{"one":{"__typename":%q}}}`, name), nil, Own{data.Interface()})
			require.NoError(t, err)
			assert.Equal(t, "*"+of.String()+name, data.Elem().Field(0).Elem().Type().String())
		}
	}
}
