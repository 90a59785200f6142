// Package graph contains the types of the graph area: records, parameters and the schema of NFT and ERC-20 data of
// several chains, queried with GraphQL.
//
// The client's Graph service has a method for each query of the library:
//
//	collection, err := client.Graph.Collection(ctx, graph.ChainEthereum, address)
//
// Use [Query] for any other query. It decodes the response into the caller's type, as its example shows. Numbers of any
// size and scale are decoded exactly into a [scalar.BigInt], a [scalar.Decimal] or a json.Number.
//
// If a program has many queries, github.com/Khan/genqlient generates typed functions from them and from [Schema]. These
// functions accept the Graph service as their client:
//
//	holders, err := Holders(ctx, client.Graph, address)
//
// # Records
//
// The records are generated from the library's queries, with a field for each requested field. If the schema permits
// null for a field, the field is a pointer, a slice or an interface, and nil for null. Any other null is the zero
// value, but a null in a list of records is an error. Integers of any size are [scalar.BigInt], times [time.Time],
// free-form JSON [json.RawMessage].
//
// An interface of the schema is a Go interface, with a type for each implementation in the schema and one for unknown
// types:
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
// encoding/json marshals the records, each interface with the name of its type, and unmarshals the structs. Use
// [Unmarshal] if the value itself is an interface or a list of interfaces. A record of an unknown type is written as it
// was received.
//
// Deprecated: The graph area has ended (observed). NFT and token data are now JSON-RPC methods of add-ons to endpoints,
// with names that begin with qn_. This package keeps working.
package graph
