package graphapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	schema "github.com/graph-gophers/graphql-go/ast"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// TestEveryFieldOfTheSchema asks for all fields and checks their values against their types. Few fields have no value.
func TestEveryFieldOfTheSchema(t *testing.T) {
	race.Skip(t)
	api := newAPI(t, 1)
	data := query(t, api,
		`{ ethereum { collections(first: 4) { edges { node { address } } } transactions(first: 1) { edges { node { hash } } }
		contracts(last: 1) { edges { node { address } } } walletByENS(ensName: "wallet-2.example.eth") { address } } }`, nil)["ethereum"].(map[string]any)
	first := func(list string, i int, key string) string {
		return data[list].(map[string]any)["edges"].([]any)[i].(map[string]any)["node"].(map[string]any)[key].(string)
	}
	w := &walker{t: t, types: api.schema.AST().Types, seen: map[string]bool{}}
	for i, address := range []string{first("collections", 0, "address"), first("collections", 3, "address"),
		first("contracts", 0, "address")} {
		w.arguments = strings.NewReplacer(
			"contractAddress", fmt.Sprintf("contractAddress: %q", address), "collectionAddress",
			fmt.Sprintf("collectionAddress: %q", address),
			"tokenId", `tokenId: "7"`, "hash", fmt.Sprintf("hash: %q", first("transactions", 0, "hash")),
			"ensName", `ensName: "wallet-2.example.eth"`, "address",
			fmt.Sprintf("address: %q", data["walletByENS"].(map[string]any)["address"]))
		for _, f := range w.types["EVMSchemaType"].(*schema.ObjectTypeDefinition).Fields {
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
		if is, object := of.(*schema.ObjectTypeDefinition); object && name[0] != '_' &&
			!slices.Contains([]string{"Query", "NFTWallet", "EVMSchemaType"}, name) {
			for _, f := range is.Fields {
				if !w.seen[name+"."+f.Name] {
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
	types     map[string]schema.NamedType
	arguments *strings.Replacer
	seen      map[string]bool // Fields that had a value.
}

func named(of schema.Type) schema.Type {
	switch of := of.(type) {
	case *schema.NonNull:
		return named(of.OfType)
	case *schema.List:
		return named(of.OfType)
	}
	return of
}

// selected returns a field with its required arguments and all fields inside, to a depth.
func (w *walker) selected(f *schema.FieldDefinition, depth int) string {
	var arguments []string
	for _, a := range f.Arguments {
		if _, required := a.Type.(*schema.NonNull); required {
			arguments = append(arguments, w.arguments.Replace(a.Name.Name))
		} else if a.Name.Name == "first" {
			arguments = append(arguments, "first: 12")
		}
	}
	text := f.Name
	if arguments != nil {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	inside := func(fields schema.FieldsDefinition) (selected string) {
		for _, inner := range fields {
			switch named(inner.Type).(type) {
			case *schema.ObjectTypeDefinition, *schema.InterfaceTypeDefinition:
				if depth >= 4 {
					continue
				}
			}
			selected += " " + w.selected(inner, depth+1)
		}
		return selected
	}
	switch of := named(f.Type).(type) {
	case *schema.ObjectTypeDefinition:
		return text + " { __typename" + inside(of.Fields) + " }"
	case *schema.InterfaceTypeDefinition:
		text += " { __typename"
		for _, one := range of.PossibleTypes {
			text += " ... on " + one.Name + " {" + " __typename" + inside(one.Fields) + " }"
		}
		return text + " }"
	}
	return text
}

// check holds a value against its type.
func (w *walker) check(name string, of schema.Type, value any) {
	if required, is := of.(*schema.NonNull); is {
		require.NotNil(w.t, value, name)
		of = required.OfType
	}
	if value == nil {
		return
	}
	switch of := of.(type) {
	case *schema.List:
		for _, item := range value.([]any) {
			w.check(name, of.OfType, item)
		}
	case *schema.ObjectTypeDefinition, *schema.InterfaceTypeDefinition:
		object := value.(map[string]any)
		is := w.types[object["__typename"].(string)].(*schema.ObjectTypeDefinition)
		for _, f := range is.Fields {
			if inner, asked := object[f.Name]; asked {
				w.seen[is.Name+"."+f.Name] = w.seen[is.Name+"."+f.Name] || inner != nil
				w.check(is.Name+"."+f.Name, f.Type, inner)
			}
		}
	default:
		want := map[string]any{"Int": 0.0, "Float": 0.0, "Boolean": false}[of.String()]
		switch of.String() {
		case "BigInt", "JSON", "JSONObject":
			_, err := json.Marshal(value)
			require.NoError(w.t, err)
		case "Int", "Float", "Boolean":
			require.IsType(w.t, want, value, name)
		default:
			require.IsType(w.t, "", value, name)
		}
	}
}
