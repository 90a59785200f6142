package payload

import (
	"fmt"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/record"
)

func nfts(r random) record.Response[record.CollectionNFTs] {
	list := record.NFTList{
		PageInfo:   record.PageInfo{EndCursor: new(r.hex(32)), HasNextPage: true},
		TotalCount: new(10000),
	}
	for i := range NFTSize {
		list.Edges = append(list.Edges, record.NFTEdge{Cursor: r.hex(32), Node: nft(r, i)})
	}
	var page record.Response[record.CollectionNFTs]
	page.Data.Chain.Collection = &record.Collection{Typename: "ERC721Collection", NFTs: list}
	return page
}

func nft(r random, i int) *record.NFT {
	return &record.NFT{
		Typename:        "ERC721NFT",
		ContractAddress: Collection,
		TokenID:         strconv.Itoa(7000 + i),
		Name:            new(fmt.Sprintf("Quiet River #%d", 7000+i)),
		CollectionSlug:  sometimes(r, 5, "quiet-river"),
		Uploads: []record.Upload{
			upload(r, "image/png", 1024),
			upload(r, "image/webp", 256),
		},
	}
}

func upload(r random, mimeType string, size float64) record.Upload {
	return record.Upload{
		URL:      "https://media.example.com/" + r.hex(64),
		MimeType: &mimeType,
		Height:   &size,
		Width:    &size,
	}
}
