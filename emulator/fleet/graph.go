package fleet

// Graph is about the data of the graph area, which are made up from a seed. What a fleet gives is there as well, under
// its own addresses, and has its part in what is made up: wallets hold tokens, and events move them.
type Graph struct {
	// Seed is what the data are made up from. Where it is 0, it is the seed of the emulator.
	Seed uint64 `json:"seed"`
	// Ethereum, EthereumSepolia and Polygon are the chains.
	Ethereum        GraphChain `json:"ethereum"`
	EthereumSepolia GraphChain `json:"ethereum_sepolia"`
	Polygon         GraphChain `json:"polygon"`
}

// GraphChain is what a chain of the graph area has beside what is made up. Addresses are 0x and 40 hexadecimal digits.
type GraphChain struct {
	Wallets     []GraphWallet     `json:"wallets"`
	Collections []GraphCollection `json:"collections"`
	Tokens      []GraphToken      `json:"tokens"`
}

// GraphWallet is a wallet.
type GraphWallet struct {
	Address string `json:"address"`
	// ENSName is empty for none.
	ENSName string `json:"ens_name"`
}

// GraphCollection is an NFT collection.
type GraphCollection struct {
	Address string `json:"address"`
	Name    string `json:"name"`
	// Standard is ERC721 or ERC1155, and ERC721 where it is empty.
	Standard string `json:"standard"`
	// Size is the number of tokens, whose ids count from 1. It is from 1 to 100,000.
	Size int `json:"size"`
}

// GraphToken is an ERC-20 token.
type GraphToken struct {
	Address string `json:"address"`
	Name    string `json:"name"`
	Symbol  string `json:"symbol"`
	// Decimals is from 0 to 36.
	Decimals int `json:"decimals"`
}
