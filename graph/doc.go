// Package graph holds what callers use of the graph area: records, parameters and the schema of NFT and ERC-20 data of
// several chains, asked for by GraphQL.
//
// The client's Graph service has a method for each query of the library:
//
//	collection, err := client.Graph.Collection(ctx, graph.Ethereum, address)
//
// Any other query goes through [Query], decoded into a type of the caller's:
//
//	type response struct {
//		Ethereum struct {
//			Collection *struct {
//				Name   *string `json:"name"`
//				Symbol *string `json:"symbol"`
//			} `json:"collection"`
//		} `json:"ethereum"`
//	}
//	found, err := graph.Query[response](ctx, client.Graph, `query Name($address: String!) {
//		ethereum { collection(contractAddress: $address) { name symbol } }
//	}`, map[string]any{"address": address})
//
// Names of fields match as encoding/json matches them: in any case, and what the type has no field for is left out.
// Numbers of any size and scale are read exactly into a [scalar.BigInt], a [scalar.Decimal] or a json.Number.
//
// For many queries of a program's own, github.com/Khan/genqlient generates typed functions from them and from [Schema].
// They take the Graph service as their client:
//
//	holders, err := Holders(ctx, client.Graph, address)
//
// # Records
//
// The records are generated from the library's queries, with a field for each one asked for. A field that the schema
// lets be null is a pointer, a slice or an interface, and nil for null. A null in a list in which the schema has none is
// an error, and no empty record. Integers of any size are [scalar.BigInt], times
// [scalar.Time], free-form JSON [json.RawMessage].
//
// An interface of the schema is one in Go, with a type for each of the schema's types that implement it, and one more
// for types that are newer than this version:
//
//	switch c := collection.(type) {
//	case *graph.CollectionERC721Collection:
//		fmt.Println(c.Stats)
//	case *graph.CollectionERC1155Collection:
//		fmt.Println(c.Stats)
//	case *graph.CollectionUnknown:
//		fmt.Println(c.Typename, string(c.Raw))
//	}
//
// encoding/json writes the records, each interface with the name of its type, and reads the structs back. What is an
// interface itself, or a list of them, [Unmarshal] reads back. A record of a type that is newer than this version is
// written as it came.
package graph
