package graphapi

// The methods of this file tell the executor an event's concrete type and are its fields beside those of its record.

func (e *event) ToTokenBurnEvent() (*event, bool)     { return e, e.kind == "BURN" }
func (e *event) ToTokenMintEvent() (*event, bool)     { return e, e.kind == "MINT" }
func (e *event) ToTokenSaleEvent() (*event, bool)     { return e, e.kind == "SALE" }
func (e *event) ToTokenSwapEvent() (*event, bool)     { return e, e.kind == "SWAP" }
func (e *event) ToTokenTransferEvent() (*event, bool) { return e, e.kind == "TRANSFER" }

func (e *event) Type() string  { return e.kind }
func (e *event) From() *wallet { return e.chain.walletAt(e.FromAddress) }
func (e *event) To() *wallet   { return e.chain.walletAt(e.ToAddress) }

func (e *event) Contract() *contract          { return e.sent.contractOf() }
func (e *event) ContractAddress() string      { return *e.sent.addressOf() }
func (e *event) ContractERCStandard() *string { return new(e.sent.contractOf().standard()) }
func (e *event) Nft() *nft                    { return e.sent.nftOf() }
func (e *event) TokenID() *bigInt             { return e.sent.idOf() }
func (e *event) TokenQuantity() bigInt        { return *e.sent.quantityOf() }

func (e *event) SentNft() *nft                         { return e.sent.nftOf() }
func (e *event) SentTokenContract() *contract          { return e.sent.contractOf() }
func (e *event) SentTokenContractAddress() string      { return *e.sent.addressOf() }
func (e *event) SentTokenContractERCStandard() *string { return e.ContractERCStandard() }
func (e *event) SentTokenID() *bigInt                  { return e.sent.idOf() }
func (e *event) SentTokenQuantity() bigInt             { return *e.sent.quantityOf() }

func (e *event) ReceivedNft() *nft                     { return e.received.nftOf() }
func (e *event) ReceivedTokenContract() *contract      { return e.received.contractOf() }
func (e *event) ReceivedTokenContractAddress() *string { return e.received.addressOf() }
func (e *event) ReceivedTokenID() *bigInt              { return e.received.idOf() }
func (e *event) ReceivedTokenQuantity() *bigInt        { return e.received.quantityOf() }

// eventArgs are the arguments of a listing of events.
type eventArgs struct {
	paging
	Filter *eventFilter
}

// eventFilter is the schema's filter of events.
type eventFilter struct {
	BlockNumber      *intInput
	ContractAddress  *textInput
	ContractStandard *textInput
	FromAddress      *textInput
	Marketplace      *textInput
	Timestamp        *timeInput
	ToAddress        *textInput
	TransactionHash  *textInput
	Type             *textInput
	WalletAddress    *textInput
}

func (f *eventFilter) allows(e *event) bool {
	if f == nil {
		return true
	}
	marketplace := ""
	if e.Marketplace != nil {
		marketplace = *e.Marketplace
	}
	return f.BlockNumber.allows(e.BlockNumber) &&
		f.ContractAddress.allows(e.ContractAddress()) &&
		f.ContractStandard.allows(*e.ContractERCStandard()) &&
		f.FromAddress.allows(e.FromAddress) &&
		f.Marketplace.allows(marketplace) &&
		f.Timestamp.allows(e.Timestamp.Time) &&
		f.ToAddress.allows(e.ToAddress) &&
		f.TransactionHash.allows(*e.TransactionHash) &&
		f.Type.allows(e.kind) &&
		(f.WalletAddress.allows(e.FromAddress) || f.WalletAddress.allows(e.ToAddress))
}

// eventsWhere lists the events that pass and that the filter allows, the newest first.
func (c *chain) eventsWhere(args eventArgs, pass func(*event) bool) (*connection[*event], error) {
	newest := ordered(c.events, new(descending), func(a, b *event) int { return int(a.BlockNumber - b.BlockNumber) })
	return pageOf(filtered(newest, func(e *event) bool { return pass(e) && args.Filter.allows(e) }), c.pageCap, args.paging)
}
