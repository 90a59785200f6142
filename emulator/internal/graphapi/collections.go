package graphapi

import (
	"fmt"
	"math/big"
	"strings"
	"sync"
)

// collectionSpec is what a collection is made of.
type collectionSpec struct {
	name     string
	standard string
	size     int
	// firstID is the id of the first token; those of the others follow it.
	firstID *big.Int
	// price is the usual price of a token, in billionths of the chain's coin.
	price int64
}

const (
	erc20   = "ERC20"
	erc721  = "ERC721"
	erc1155 = "ERC1155"
)

var collectionSpecs = []collectionSpec{
	{"Quiet Harbors", erc721, largeCollection, big.NewInt(1), 2_400_000_000},
	{"Paper Lanterns", erc721, 40, big.NewInt(0), 150_000_000},
	// Ids beyond 2^53, as collections have that make them of hashes.
	{"Deep Numbers", erc721, 25, new(big.Int).Lsh(big.NewInt(1), 200), 31_000_000},
	{"Field Notes", erc1155, 30, big.NewInt(1), 4_000_000},
	{"Tide Tables", erc1155, 8, big.NewInt(9_007_199_254_740_990), 900_000},
}

// collection is an NFT collection of either standard.
type collection struct {
	chain *chain
	index int
	spec  collectionSpec
	// pieces is the count, which is made once: every record of a token may ask for it.
	pieces func() int64

	Address         string
	Name            *string
	Symbol          *string
	Slug            *string
	Description     *string
	ExternalUrl     *string
	TwitterUsername *string
	BaseTokenUri    *string
	Image           *[]upload
	BannerImage     *[]upload
	OpenseaMetadata *openSea
}

type upload struct {
	Height, Width *float64
	MimeType      *string
	Url           string
}

type openSea struct {
	IsHidden, IsVerified *bool
	UnsafeSlug           *string
}

func newCollection(c *chain, index int, spec collectionSpec) *collection {
	slug := strings.ReplaceAll(strings.ToLower(spec.name), " ", "-")
	made := &collection{
		chain: c, index: index, spec: spec,
		Address:      c.address(),
		Name:         &spec.name,
		Symbol:       new(symbolOf(slug)),
		Slug:         &slug,
		Description:  new("Made up: " + spec.name + "."),
		ExternalUrl:  new("https://" + slug + ".example"),
		BaseTokenUri: new("https://" + slug + ".example/metadata/"),
		Image:        &[]upload{picture(slug, "image", 512)},
		OpenseaMetadata: &openSea{
			IsHidden: new(false), IsVerified: new(index%2 == 0), UnsafeSlug: &slug,
		},
	}
	made.pieces = sync.OnceValue(made.count)
	if index%2 == 0 {
		made.TwitterUsername = new(strings.ReplaceAll(slug, "-", "_") + "_example")
		made.BannerImage = &[]upload{picture(slug, "banner", 1400)}
	}
	return made
}

// symbolOf is a symbol of four letters where the slug has as many.
func symbolOf(slug string) string {
	first, rest, several := strings.Cut(slug, "-")
	if !several {
		return strings.ToUpper(slug[:min(len(slug), 4)])
	}
	return strings.ToUpper(first[:min(len(first), 1)] + rest[:min(len(rest), 3)])
}

func picture(slug, name string, width float64) upload {
	return upload{
		Height: new(width / 2), Width: &width, MimeType: new("image/png"),
		Url: fmt.Sprintf("https://%s.example/%s.png", slug, name),
	}
}

// ToERC721Collection gives the executor the concrete type.
func (c *collection) ToERC721Collection() (*collection, bool) { return c, c.spec.standard == erc721 }

// ToERC1155Collection gives the executor the concrete type.
func (c *collection) ToERC1155Collection() (*collection, bool) { return c, c.spec.standard == erc1155 }

// TotalSupply is how many pieces there are of all tokens together.
func (c *collection) TotalSupply() *bigInt { return new(newBigInt(c.pieces())) }

// count counts every piece of every token.
func (c *collection) count() int64 {
	pieces := int64(0)
	for i := range c.spec.size {
		for _, holding := range c.holders(i) {
			pieces += int64(holding.count)
		}
	}
	return pieces
}

// CirculatingSupply is the total supply: what was burnt does not exist in this world.
func (c *collection) CirculatingSupply() *bigInt { return c.TotalSupply() }

// Contract is the collection's contract.
func (c *collection) Contract() *contract { return &contract{chain: c.chain, collection: c} }

// Nft finds a token by its id.
func (c *collection) Nft(args struct{ TokenID string }) *nft { return c.token(args.TokenID) }

// token finds a token by its id, in decimal. It is nil where there is none.
func (c *collection) token(id string) *nft {
	number, ok := new(big.Int).SetString(id, 10)
	if !ok {
		return nil
	}
	offset := number.Sub(number, c.spec.firstID)
	if offset.Sign() < 0 || offset.Cmp(big.NewInt(int64(c.spec.size))) >= 0 {
		return nil
	}
	return &nft{c, int(offset.Int64())}
}

// Nfts lists the tokens.
func (c *collection) Nfts(args struct {
	paging
	Filter *struct{ ContractAddressIn *[]string }
}) (*connection[*nft], error) {
	size := c.spec.size
	if args.Filter != nil && !containsAddress(args.Filter.ContractAddressIn, c.Address) {
		size = 0
	}
	return page(size, c.chain.pageCap, args.paging, func(i int) *nft { return &nft{c, i} })
}

// containsAddress reports whether a list of addresses, if there is one, has an address.
func containsAddress(list *[]string, address string) bool {
	return (&textInput{In: list}).allows(address)
}

// TokenEvents lists the events of the collection's tokens.
func (c *collection) TokenEvents(args eventArgs) (*connection[*event], error) {
	return c.chain.eventsWhere(args, func(e *event) bool { return e.touches(c.Address) })
}

// collectionAttribute is a trait that tokens of a collection have.
type collectionAttribute struct {
	Name  string
	Value *string
}

// Attributes lists the traits of the tokens, each once, in the order of the tokens.
func (c *collection) Attributes(args paging) (*connection[collectionAttribute], error) {
	var found []collectionAttribute
	seen := map[attribute]bool{}
	for i := range c.spec.size {
		for _, a := range *(&nft{c, i}).Attributes() {
			if !seen[a] {
				seen[a] = true
				found = append(found, collectionAttribute{a.Name, &a.Value})
			}
		}
	}
	return pageOf(found, c.chain.pageCap, args)
}

// Wallets lists the wallets that hold tokens, in the order of the chain's wallets.
func (c *collection) Wallets(args paging) (*connection[*wallet], error) {
	holding := map[*wallet]bool{}
	for i := range c.spec.size {
		for _, holder := range c.holders(i) {
			holding[holder.wallet] = true
		}
	}
	wallets := filtered(c.chain.wallets, func(w *wallet) bool { return holding[w] })
	return pageOf(wallets, c.chain.pageCap, args)
}

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
