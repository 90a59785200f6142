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
