package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// unasked are the fields of the schema, and the arguments of fields, that no query of the library asks for, and why. Fields of the root are not among
// them: each of those has a method.
var unasked = map[string]string{
	"Query.ethereumSepolia": "a chain: each query is put to the one that the call names", "Query.polygon": "a chain",
	"EVMSchemaType.walletByENS": "package queries puts it in the place of walletByAddress for a wallet that is named",

	"CollectionOrderHistory.priceInEth": "deprecated",
	"CollectionStats.average":           "deprecated", "CollectionStats.ceiling": "deprecated",
	"CollectionStats.floor": "deprecated", "CollectionStats.volume": "deprecated",
	"TrendingCollectionStats.average": "deprecated", "TrendingCollectionStats.ceiling": "deprecated",
	"TrendingCollectionStats.floor": "deprecated", "TrendingCollectionStats.volume": "deprecated",

	"ERC721Collection.nft": "method NFT", "ERC1155Collection.nft": "method NFT",
	"NFT.contract":    "method Contract, by the token's contractAddress",
	"NFTWallet.owner": "no field of the schema leads to it", "NFTWallet.walletAddress": "no field of the schema leads to it",
	"TokenEvent.from": "method Wallet, by fromAddress", "TokenEvent.to": "method Wallet, by toAddress",
	"TokenEvent.transaction": "method Transaction, by transactionHash",

	"TokenBurnEvent.contract": "method Contract, by contractAddress", "TokenMintEvent.contract": "method Contract, by contractAddress",
	"TokenTransferEvent.contract":      "method Contract, by contractAddress",
	"TokenSaleEvent.sentTokenContract": "method Contract, by contractAddress", "TokenSwapEvent.sentTokenContract": "method Contract, by sentTokenContractAddress",
	"TokenSaleEvent.receivedTokenContract": "method Contract, by receivedTokenContractAddress",
	"TokenSwapEvent.receivedTokenContract": "method Contract, by receivedTokenContractAddress",
	"TokenSaleEvent.receivedNft":           "method NFT, by receivedTokenContractAddress and receivedTokenId",
	"TokenSwapEvent.receivedNft":           "method NFT, by receivedTokenContractAddress and receivedTokenId",
	"ERC721Collection.nfts(filter)":        "it filters the tokens of one contract by their contract",
	"ERC1155Collection.nfts(filter)":       "it filters the tokens of one contract by their contract",
	"TokenSwapEvent.sentNft":               "method NFT, by sentTokenContractAddress and sentTokenId",
}

// TestEveryFieldOfTheSchemaIsAskedFor walks the fields that the library's queries ask for, and holds them against those
// of the schema. One that is new in the schema needs a query or a reason; one that a query asks for needs no reason.
func TestEveryFieldOfTheSchemaIsAskedFor(t *testing.T) {
	c, err := readConfig("../../graph/graphgen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	g, err := load(c)
	if err != nil {
		t.Fatal(err)
	}
	asked, known := map[string]bool{}, map[string]bool{}
	for _, q := range g.queries.Operations {
		walk(g.schema, q.SelectionSet, asked)
	}
	if !asked["EVMSchemaType.collection"] || asked["EVMSchemaType.walletByENS"] || !asked["ERC721NFT.attributes"] {
		t.Fatal("the walk does not see what queries ask for")
	}
	for _, of := range g.schema.Types {
		if of.BuiltIn || of.Kind != ast.Object && of.Kind != ast.Interface {
			continue
		}
		for _, field := range of.Fields {
			if len(field.Name) > 2 && field.Name[:2] == "__" {
				continue
			}
			names := []string{field.Name}
			for _, argument := range field.Arguments {
				names = append(names, field.Name+"("+argument.Name+")")
			}
			for _, name := range names {
				known[of.Name+"."+name] = true
				switch reason := unasked[of.Name+"."+name]; {
				case asked[of.Name+"."+name] && reason != "":
					t.Errorf("%s.%s is asked for, and needs no reason", of.Name, name)
				case !asked[of.Name+"."+name] && reason == "" && !needless(of, name, asked):
					t.Errorf("%s.%s is asked for by no query", of.Name, name)
				}
			}
		}
	}
	for name := range unasked {
		if !known[name] {
			t.Errorf("%s is not in the schema", name)
		}
	}
}

// walk notes the fields that are selected, by the type that they are selected of.
func walk(schema *ast.Schema, set ast.SelectionSet, asked map[string]bool) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			asked[s.ObjectDefinition.Name+"."+s.Name] = true
			for _, argument := range s.Arguments {
				asked[s.ObjectDefinition.Name+"."+s.Name+"("+argument.Name+")"] = true
			}
			walk(schema, s.SelectionSet, asked)
		case *ast.InlineFragment:
			walk(schema, s.SelectionSet, asked)
		case *ast.FragmentSpread:
			walk(schema, s.Definition.SelectionSet, asked)
		}
	}
}

// needless reports whether what is not asked for of a type needs not be: where the field of an argument is not, and
// where an interface of the type has it, of which it is asked for or needs not be.
func needless(of *ast.Definition, name string, asked map[string]bool) bool {
	if field, _, argument := strings.Cut(name, "("); argument && !asked[of.Name+"."+field] {
		return true
	}
	return slices.ContainsFunc(of.Interfaces, func(by string) bool {
		return asked[by+"."+name] || unasked[by+"."+name] != ""
	})
}
