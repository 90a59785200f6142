package graphapi

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
