package graphapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestQuery_answersEveryField asks for all fields and checks their values against their types. Few fields have no
// value.
func TestQuery_answersEveryField(t *testing.T) {
	race.Skip(t)
	api := newAPI(t, 1)
	data := query(t, api,
		`{ ethereum { collections(first: 4) { edges { node { address } } } transactions(first: 1) { edges { node { hash } } }
		contracts(last: 1) { edges { node { address } } } walletByENS(ensName: "wallet-2.example.eth") { address } } }`, nil)["ethereum"].(map[string]any)
	first := func(list string, i int, key string) string {
		return data[list].(map[string]any)["edges"].([]any)[i].(map[string]any)["node"].(map[string]any)[key].(string)
	}
	w := &walker{t: t, types: api.schema.Types, seen: map[string]bool{}}
	for i, address := range []string{first("collections", 0, "address"), first("collections", 3, "address"),
		first("contracts", 0, "address")} {
		w.arguments = strings.NewReplacer(
			"contractAddress", fmt.Sprintf("contractAddress: %q", address), "collectionAddress",
			fmt.Sprintf("collectionAddress: %q", address),
			"tokenId", `tokenId: "7"`, "hash", fmt.Sprintf("hash: %q", first("transactions", 0, "hash")),
			"ensName", `ensName: "wallet-2.example.eth"`, "address",
			fmt.Sprintf("address: %q", data["walletByENS"].(map[string]any)["address"]))
		for _, f := range w.types["EVMSchemaType"].Fields {
			if i == 2 && f.Name != "contract" {
				continue // An ERC-20 token is nothing else.
			}
			text := "{ ethereum { " + w.selected(f, 0) + " } }"
			answer := query(t, api, text, nil)["ethereum"].(map[string]any)[f.Name]
			w.check(f.Name, f.Type, answer)
		}
	}
	var missing []string
	for name, of := range w.types {
		if of.Kind == ast.Object && name[0] != '_' &&
			!slices.Contains([]string{"Query", "NFTWallet", "EVMSchemaType"}, name) {
			for _, f := range of.Fields {
				if !strings.HasPrefix(f.Name, "__") && !w.seen[name+"."+f.Name] {
					missing = append(missing, name+"."+f.Name)
				}
			}
		}
	}
	assert.ElementsMatch(t, []string{ // The other events are of ERC-20 tokens, and the zero address is not a wallet.
		"TokenBurnEvent.to", "TokenMintEvent.from", "TokenSaleEvent.receivedNft", "TokenSaleEvent.receivedTokenId",
		"TokenSwapEvent.receivedNft", "TokenSwapEvent.receivedTokenId", "TokenSwapEvent.sentNft",
		"TokenSwapEvent.sentTokenId",
		"Transaction.contractAddress", "Transaction.maxPriorityFeePerGas",
	}, missing)
}

type walker struct {
	t         *testing.T
	types     map[string]*ast.Definition
	arguments *strings.Replacer
	seen      map[string]bool // Fields that had a value.
}

// selected returns a field with its required arguments and all fields inside, to a depth.
func (w *walker) selected(f *ast.FieldDefinition, depth int) string {
	var arguments []string
	for _, a := range f.Arguments {
		if a.Type.NonNull {
			arguments = append(arguments, w.arguments.Replace(a.Name))
		} else if a.Name == "first" {
			arguments = append(arguments, "first: 12")
		}
	}
	text := f.Name
	if arguments != nil {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	inside := func(of *ast.Definition) (selected string) {
		for _, inner := range of.Fields {
			if depth < 3 || depth < 4 && inner.Name == "contract" || w.types[inner.Type.Name()].IsLeafType() {
				selected += " " + w.selected(inner, depth+1)
			}
		}
		return selected
	}
	switch of := w.types[f.Type.Name()]; of.Kind {
	case ast.Object:
		return text + " { __typename" + inside(of) + " }"
	case ast.Interface:
		text += " { __typename"
		for _, one := range w.types {
			if slices.Contains(one.Interfaces, of.Name) {
				text += " ... on " + one.Name + " { __typename" + inside(one) + " }"
			}
		}
		return text + " }"
	}
	return text
}

// check holds a value against its type.
func (w *walker) check(name string, of *ast.Type, value any) {
	if of.NonNull {
		require.NotNil(w.t, value, name)
	}
	if value == nil {
		return
	}
	if of.Elem != nil {
		for _, item := range value.([]any) {
			w.check(name, of.Elem, item)
		}
		return
	}
	if w.types[of.NamedType].IsCompositeType() {
		object := value.(map[string]any)
		is := w.types[object["__typename"].(string)]
		for _, f := range is.Fields {
			if inner, asked := object[f.Name]; asked {
				w.seen[is.Name+"."+f.Name] = w.seen[is.Name+"."+f.Name] || inner != nil
				w.check(is.Name+"."+f.Name, f.Type, inner)
			}
		}
		return
	}
	switch of.NamedType {
	case "BigInt", "JSON", "JSONObject": // Any JSON.
	case "Int", "Float":
		require.IsType(w.t, 0.0, value, name)
	case "Boolean":
		require.IsType(w.t, false, value, name)
	default:
		require.IsType(w.t, "", value, name)
	}
}
