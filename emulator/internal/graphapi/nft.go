package graphapi

import (
	"fmt"
	"math/big"
)

// nft is a token of a collection, made when it is asked for.
type nft struct {
	collection *collection
	index      int
}

// ToERC721NFT tells the executor the concrete type.
func (n *nft) ToERC721NFT() (*nft, bool) { return n, n.collection.spec.standard == erc721 }

// ToERC1155NFT tells the executor the concrete type.
func (n *nft) ToERC1155NFT() (*nft, bool) { return n, n.collection.spec.standard == erc1155 }

func (n *nft) id() *big.Int {
	return new(big.Int).Add(n.collection.spec.firstID, big.NewInt(int64(n.index)))
}

// The methods below are the fields of the schema.

func (n *nft) TokenID() bigInt         { return bigInt{n.id()} }
func (n *nft) ContractAddress() string { return n.collection.Address }
func (n *nft) Collection() *collection { return n.collection }
func (n *nft) CollectionSlug() *string { return n.collection.Slug }
func (n *nft) Contract() *contract     { return n.collection.Contract() }
func (n *nft) Name() *string           { return new(fmt.Sprintf("%s #%d", *n.collection.Name, n.index)) }
func (n *nft) Description() *string    { return n.collection.Description }

func (n *nft) ExternalUrl() *string {
	return new(fmt.Sprintf("%s/tokens/%d", *n.collection.ExternalUrl, n.index))
}

// AnimationUrl is there for every third token.
func (n *nft) AnimationUrl() *string {
	if n.index%3 != 0 {
		return nil
	}
	return new(fmt.Sprintf("%s/animations/%d.mp4", *n.collection.ExternalUrl, n.index))
}

func (n *nft) Uploads() *[]upload {
	return &[]upload{picture(*n.collection.Slug, fmt.Sprintf("tokens/%d", n.index), 1024)}
}

type attribute struct{ Name, Value string }

// Attributes are two traits, drawn for each token.
func (n *nft) Attributes() *[]attribute {
	drawn := n.collection.chain.mix(n.collection.index, n.index)
	colors := []string{"amber", "blue", "coral", "green", "slate"}
	return &[]attribute{
		{"background", colors[drawn%uint64(len(colors))]},
		{"rank", fmt.Sprint(drawn>>8%100 + 1)},
	}
}

// Metadata repeats name and traits, as a collection would publish them. It returns no error, because the executor starts
// a goroutine for each field of each record that has one in it.
func (n *nft) Metadata() *jsonValue {
	return &jsonValue{map[string]any{"name": n.Name(), "attributes": n.Attributes(), "edition": n.index}}
}

// Wallet is the owner of a token of which there is one.
func (n *nft) Wallet() *wallet { return n.collection.holders(n.index)[0].wallet }

// Wallets lists the owners.
func (n *nft) Wallets(args paging) (*connection[*wallet], error) {
	holders := n.collection.holders(n.index)
	return page(len(holders), n.collection.chain.pageCap, args, func(i int) *wallet { return holders[i].wallet })
}

func (n *nft) TokenEvents(args eventArgs) (*connection[*event], error) {
	return n.collection.chain.eventsWhere(args, func(e *event) bool { return e.moves(n) })
}

// holding is what a wallet holds of a token.
type holding struct {
	wallet *wallet
	nft    *nft
	count  int
}

// holders returns who holds the token at an index: one wallet that holds one, or three that hold a few.
func (c *collection) holders(index int) []holding {
	wallets := c.chain.wallets
	first := int(c.chain.mix(c.index, index, 1) % uint64(len(wallets)))
	token := &nft{c, index}
	if c.spec.standard == erc721 {
		return []holding{{wallets[first], token, 1}}
	}
	holders := make([]holding, 3)
	for i := range holders {
		holders[i] = holding{wallets[(first+i)%len(wallets)], token, 1 + (index+i)%4}
	}
	return holders
}

// holds returns what a wallet holds of the token, if anything.
func (n *nft) heldBy(w *wallet) *holding {
	for _, holding := range n.collection.holders(n.index) {
		if holding.wallet == w {
			return &holding
		}
	}
	return nil
}
