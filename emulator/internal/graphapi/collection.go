package graphapi

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// sharedBy is the number of holders of an ERC-1155 token.
const sharedBy = 3

// collection is an NFT collection. Its tokens are made on demand.
type collection struct {
	fleet.GraphCollection
	firstID *big.Int // The ids of all tokens follow it.
	price   int64    // The usual price of a token, in billionths of the chain's coin.
	chain   *chain
	index   int
	node    object
	held    [][]holding // By wallet.
}

// holding is a wallet's share of a token.
type holding struct{ token, wallet, count int }

func picture(site, name string, width float64) []object {
	return []object{{
		"height": width / 2, "width": width, "mimeType": "image/png", "url": fmt.Sprintf("%s/%s.png", site, name),
	}}
}

// addCollection adds a collection with its contract, and its share of the wallets.
func (c *chain) addCollection(made collection) {
	of := &made
	of.chain, of.index, of.held = c, len(c.collections), make([][]holding, len(c.wallets))
	of.Standard, of.firstID = cmp.Or(of.Standard, "ERC721"), cmp.Or(of.firstID, big.NewInt(1))
	slug := slug(of.Name)
	first, rest, _ := strings.Cut(slug, "-")
	symbol, site := strings.ToUpper(fmt.Sprintf("%.1s%.3s", first, cmp.Or(rest, first))), "https://"+slug+".example"
	contract := c.contract("NFTContract", of.Address, of.Name, symbol, "ERC165", of.Standard)
	of.node = object{
		"__typename": of.Standard + "Collection", "address": of.Address, "name": of.Name, "slug": slug, "symbol": symbol,
		"description": "Made up: " + of.Name + ".", "externalUrl": site, "baseTokenUri": site + "/metadata/",
		"image": picture(site, "image", 512), "contract": contract, "tokenEvents": contract["tokenEvents"],
		"openseaMetadata": object{"isHidden": false, "isVerified": of.index%2 == 0, "unsafeSlug": slug},
		"nft":             field(of.nft), "nfts": field(of.nfts), "stats": field(of.stats), "orderHistory": field(of.orders),
		"ohlcvChart": field(of.chart), "contractAddress": of.Address, "ercStandard": of.Standard,
	}
	if of.index%2 == 0 {
		of.node["twitterUsername"] = strings.ReplaceAll(slug, "-", "_") + "_example"
		of.node["bannerImage"] = picture(site, "banner", 1400)
	}
	contract["collection"] = of.node
	seen := map[any]bool{}
	for token := range of.Size {
		for _, h := range of.holders(token) {
			of.held[h.wallet] = append(of.held[h.wallet], h)
		}
		for _, trait := range of.traits(token) {
			if !seen[trait["value"]] {
				seen[trait["value"]] = true
				add(of.node, "attributes", trait)
			}
		}
	}
	supply := 0
	for i, held := range of.held {
		count := 0
		for _, h := range held {
			count += h.count
		}
		if supply += count; count > 0 {
			add(of.node, "wallets", c.wallets[i])
			add(c.wallets[i], "walletCollections", object{
				"collection": of.node, "collectionAddress": of.Address, "nftsCount": count, "contractAddressIn": of.Address,
				"NAME": of.Name,
			})
		}
	}
	of.node["totalSupply"], of.node["circulatingSupply"] = supply, supply
	c.collections = append(c.collections, of)
}

// holders returns the holders of a token: one wallet of an ERC-721 token, and several of an ERC-1155 token.
func (of *collection) holders(token int) (holders []holding) {
	wallets, shares, pieces := len(of.chain.wallets), 1, 1
	if of.Standard != "ERC721" {
		shares, pieces = sharedBy, 4
	}
	first := int(of.chain.mix(of.index, token, 1) % uint64(wallets))
	for i := range shares {
		holders = append(holders, holding{token, (first + i) % wallets, 1 + (token+i)%pieces})
	}
	return holders
}

// traits draws the two traits of a token.
func (of *collection) traits(token int) []object {
	drawn := of.chain.mix(of.index, token)
	colors := []string{"amber", "blue", "coral", "green", "slate"}
	return []object{
		{"name": "background", "value": colors[drawn%uint64(len(colors))]},
		{"name": "rank", "value": fmt.Sprint(drawn>>8%100 + 1)},
	}
}

// nfts returns a page of the tokens, of which there can be too many to make them all.
func (of *collection) nfts(args object) any {
	size := of.Size
	if !passes(object{"contractAddressIn": of.Address}, args["filter"]) {
		size = 0
	}
	return page(args, size, of.chain.pageCap, of.token)
}

// nft finds the token with the id in the arguments, in decimal, or returns nil.
func (of *collection) nft(args object) any {
	id, ok := new(big.Int).SetString(args["tokenId"].(string), 10)
	if !ok || id.Sub(id, of.firstID).Sign() < 0 || id.Cmp(big.NewInt(int64(of.Size))) >= 0 {
		return nil
	}
	return of.token(int(id.Int64()))
}

// id returns the id of the token at an index.
func (of *collection) id(index int) any {
	return bigInt(new(big.Int).Add(of.firstID, big.NewInt(int64(index))))
}

// token makes the token at an index.
func (of *collection) token(index int) object {
	name, site, id, traits := fmt.Sprintf("%s #%d", of.Name, index), of.node["externalUrl"].(string), of.id(index), of.traits(index)
	node := object{
		"__typename": of.Standard + "NFT", "tokenId": id, "contractAddress": of.Address, "collectionSlug": of.node["slug"],
		"name": name, "description": of.node["description"], "externalUrl": fmt.Sprintf("%s/tokens/%d", site, index),
		"collection": of.node, "contract": of.node["contract"], "attributes": traits,
		"uploads":     picture(site, fmt.Sprintf("tokens/%d", index), 1024),
		"metadata":    object{"name": name, "attributes": traits, "edition": index},
		"tokenEvents": of.chain.eventsOf(object{"contractAddress": of.Address, "tokenId": id}),
	}
	for _, h := range of.holders(index) {
		node["wallet"] = of.chain.wallets[h.wallet] // Of an ERC-721 token.
		add(node, "wallets", of.chain.wallets[h.wallet])
	}
	if index%3 == 0 {
		node["animationUrl"] = fmt.Sprintf("%s/animations/%d.mp4", site, index)
	}
	return node
}
