package record

// Response is a GraphQL response: data, errors, or both.
type Response[T any] struct {
	Data   T            `json:"data"`
	Errors []GraphError `json:"errors,omitempty"`
}

// GraphError is an error of a GraphQL response.
type GraphError struct {
	Message string `json:"message"`
}

// Request is a GraphQL request.
type Request struct {
	Query         string        `json:"query"`
	Variables     NFTsVariables `json:"variables"`
	OperationName string        `json:"operationName"`
}

// NFTsVariables are the variables of a page of tokens.
type NFTsVariables struct {
	ContractAddress string  `json:"contractAddress"`
	First           int     `json:"first"`
	After           *string `json:"after"`
}

// CollectionNFTs is the data of a page of a collection's tokens.
type CollectionNFTs struct {
	Chain struct {
		Collection *Collection `json:"collection"`
	} `json:"chain"`
}

// Collection is a collection with a page of its tokens.
type Collection struct {
	Typename string  `json:"__typename"`
	NFTs     NFTList `json:"nfts"`
}

// NFTList is a page of tokens.
type NFTList struct {
	Edges      []NFTEdge `json:"edges"`
	PageInfo   PageInfo  `json:"pageInfo"`
	TotalCount *int      `json:"totalCount"`
}

// NFTEdge is a token and its cursor.
type NFTEdge struct {
	Cursor string `json:"cursor"`
	Node   *NFT   `json:"node"`
}

// NFT is a token in short.
type NFT struct {
	Typename        string   `json:"__typename"`
	ContractAddress string   `json:"contractAddress"`
	TokenID         string   `json:"tokenId"`
	Name            *string  `json:"name"`
	CollectionSlug  *string  `json:"collectionSlug"`
	Uploads         []Upload `json:"uploads"`
}

// Upload is a picture of a token.
type Upload struct {
	URL      string   `json:"url"`
	MimeType *string  `json:"mimeType"`
	Height   *float64 `json:"height"`
	Width    *float64 `json:"width"`
}

// PageInfo is the position of a page in its listing.
type PageInfo struct {
	EndCursor   *string `json:"endCursor"`
	HasNextPage bool    `json:"hasNextPage"`
}
