package acceptance

import (
	"context"
	"iter"
	"math/big"

	"github.com/rpcfleet/rpcfleet-go"
	seeded "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// The sights of the graph area that the soak visits, beside those that are made up.
const (
	soakCollection = "0x00000000000000000000000000000000000000c1"
	soakNotes      = "0x00000000000000000000000000000000000000c2"
	soakCoin       = "0x00000000000000000000000000000000000000c3"
	soakWallet     = "0x00000000000000000000000000000000000000c4"
)

var soakGraph = seeded.Graph{Ethereum: seeded.GraphChain{
	Wallets: []seeded.GraphWallet{{Address: soakWallet, ENSName: "soak.eth"}},
	Collections: []seeded.GraphCollection{
		{Address: soakCollection, Name: "Soaked Harbors", Size: 90},
		{Address: soakNotes, Name: "Soaked Notes", Standard: "ERC1155", Size: 30},
	},
	Tokens: []seeded.GraphToken{{Address: soakCoin, Name: "Soaked Coin", Symbol: "SOAK", Decimals: 18}},
}}

// soakQuery is what a query of the caller's own brings.
type soakQuery struct {
	Ethereum struct {
		Collections struct {
			TotalCount int `json:"totalCount"`
		} `json:"collections"`
	} `json:"ethereum"`
}

// graphReadings read single things.
func graphReadings() []soakReading {
	const chain = graph.Ethereum
	one := scalar.NewBigInt(big.NewInt(1))
	return []soakReading{
		{name: "GetCollection", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Graph.Collection(ctx, chain, soakCollection)
		}},
		{name: "GetContract", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Graph.Contract(ctx, chain, soakCoin)
		}},
		{name: "GetNFT", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Graph.NFT(ctx, chain, soakNotes, one)
		}},
		{name: "GetWallet", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Graph.Wallet(ctx, chain, "soak.eth")
		}},
		{name: "GetOwnership", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Graph.Ownership(ctx, chain, soakWallet, soakCollection, one)
		}},
		{name: "GetCollectionStats", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Graph.CollectionStats(ctx, chain, soakCollection, graph.DateTimeInput{})
		}},
		{name: "GetOrderHistory", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return c.Graph.OrderHistory(ctx, chain, soakCollection, graph.CollectionOrderHistoryInput{})
		}},
		{name: "Own", read: func(ctx context.Context, c *rpcfleet.Client) (any, error) {
			return graph.Query[soakQuery](ctx, c.Graph, `query Own { ethereum { collections(first: 3) { totalCount } } }`, nil)
		}},
	}
}

// graphListing is a listing of the graph area.
func graphListing[T any](name string, list func(ctx context.Context, s *rpcfleet.GraphService, opts ...rpcfleet.CallOption) *rpcfleet.Connection[T]) soakListing {
	return soakListing{name: name, read: func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) iter.Seq2[any, error] {
		return anyItems(list(ctx, c.Graph, opts...).All())
	}}
}

// graphListings are listings of some pages each.
func graphListings() []soakListing {
	const chain = graph.Ethereum
	return []soakListing{
		graphListing("ListCollections", func(ctx context.Context, s *rpcfleet.GraphService, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.CollectionProfile] {
			return s.Collections(ctx, chain, graph.CollectionsFilterInput{}, opts...)
		}),
		graphListing("ListCollectionNFTs", func(ctx context.Context, s *rpcfleet.GraphService, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.NFT] {
			return s.CollectionNFTs(ctx, chain, soakCollection, opts...)
		}),
		graphListing("ListCollectionNFTs, backwards", func(ctx context.Context, s *rpcfleet.GraphService, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.NFT] {
			return s.CollectionNFTs(ctx, chain, soakNotes, opts...).Before("")
		}),
		graphListing("ListCollectionHolders", func(ctx context.Context, s *rpcfleet.GraphService, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.Wallet] {
			return s.CollectionHolders(ctx, chain, soakNotes, opts...)
		}),
		graphListing("ListNFTOwners", func(ctx context.Context, s *rpcfleet.GraphService, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.Wallet] {
			return s.NFTOwners(ctx, chain, soakNotes, scalar.NewBigInt(big.NewInt(1)), opts...)
		}),
		graphListing("ListWalletCollections", func(ctx context.Context, s *rpcfleet.GraphService, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.WalletCollection] {
			return s.WalletCollections(ctx, chain, soakWallet, graph.WalletCollectionsParams{}, opts...)
		}),
		graphListing("ListCollectionEvents", func(ctx context.Context, s *rpcfleet.GraphService, opts ...rpcfleet.CallOption) *rpcfleet.Connection[graph.Event] {
			return s.CollectionEvents(ctx, chain, soakNotes, graph.TokenEventsFilterInput{}, opts...)
		}),
	}
}
