// Package graph holds the queries of the graph area: NFT and ERC-20 data of several chains by GraphQL.
//
// The client's Graph service has a method for each query of this package and is the usual way to them:
//
//	collection, err := client.Graph.Collection(ctx, graph.Ethereum, address)
//
// Any other query goes through Query, decoded into a type of the caller's:
//
//	type answer struct {
//		Ethereum struct {
//			Collection *struct{ Name, Symbol *string } `json:"collection"`
//		} `json:"ethereum"`
//	}
//	found, err := graph.Query[answer](ctx, client.Graph, `query Name($address: String!) {
//		ethereum { collection(contractAddress: $address) { name symbol } }
//	}`, map[string]any{"address": address})
//
// # Records
//
// The records are generated from the queries, with a field for each one asked for. A field that the schema lets be null
// is a pointer, a slice or an interface, and nil for null. Integers of any size are scalar.BigInt, times scalar.Time,
// free-form JSON json.RawMessage.
//
// An interface of the schema is one in Go, with a type for each of the schema's types that implement it, and one more
// for those that it does not know yet:
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
// Records with interfaces in them are decoded by the library's call path. encoding/json writes them, and cannot read
// them back.
package graph
