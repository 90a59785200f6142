package graphql

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// sameAsLibrary compares a decoder of records with the JSON library: they read the same, or neither reads the text.
func sameAsLibrary[T any](t *testing.T, read func(*scan.Scanner, *T), texts ...string) {
	t.Helper()
	for _, text := range texts {
		var got, want T
		s := scan.New([]byte(text))
		read(s, &got)
		err := graph.Unmarshal([]byte(text), &want)
		require.Equal(t, err == nil, s.End(), "%s: %v", text, err)
		if err == nil {
			require.Equal(t, want, got, text)
		}
	}
}

// TestDecoders_readLikeLibrary has every kind of field.
func TestDecoders_readLikeLibrary(t *testing.T) {
	sameAsLibrary(t, readCollection,
		`{"__typename":"ERC721Collection","address":"0xa","name":null,"symbol":"S","totalSupply":"10","circulatingSupply":9,`+
			`"image":[{"url":"u","mimeType":null,"height":1.5,"width":-2e3}],"bannerImage":[],"openseaMetadata":{"isHidden":true,"isVerified":false},`+
			`"contract":{"__typename":"TokenContract","address":"0xa","supportedErcInterfaces":["ERC20"],"decimals":18,"isVerified":null},`+
			`"stats":{"totalSales":3,"floorInNativeToken":0.5,"ceilingInNativeToken":null},"later":{"a":[1]}}`,
		`{"address":"0xa","__typename":"ERC1155Collection"}`, `{"__typename":"New","later":[{}],"contract":{"address":"0xb"}}`,
		`{"image":[{}]}`, `[]`,
	)
	sameAsLibrary(t, readEvent,
		`{"__typename":"TokenSaleEvent","type":"SALE","blockNumber":12,"timestamp":"2024-05-06T07:08:09Z","transferIndex":0,`+
			`"marketplace":"SEAPORT","sentTokenQuantity":"340282366920938463463374607431768211456",`+
			`"sentNft":{"__typename":"ERC1155NFT","tokenId":5}}`,
		`{"__typename":"TokenSwapEvent"}`,
	)
	sameAsLibrary(t, readWalletNFT,
		`{"nftsCount":2,"nft":{"__typename":"ERC721NFT","tokenId":"1","metadata":{"a":[1, 2]},"uploads":[],`+
			`"attributes":[{"name":"n","value":""}],"wallet":{"address":"0xb","ensName":"é\n"},`+
			`"collection":{"__typename":"ERC1155Collection","address":"0xc"}}}`, `{"nft":null,"nftsCount":null}`,
	)
	sameAsLibrary(t, readCandle,
		`{"timestamp":"2024-05-06T07:08:09Z","open":1,"count":2.5}`, `{"count":1e999}`, `{"count":{}}`,
	)
}

// TestDecoders_readOddRecords has what is forgiven in records, and what is not.
func TestDecoders_readOddRecords(t *testing.T) {
	token := graph.NFTERC721NFT{Typename: "ERC721NFT", Name: new("a")}
	for text, want := range map[string]graph.NFT{
		`{"name":"a","__typename":"ERC721NFT"}`:                                           &token,
		`{"__typename":"ERC721NFT","name":"b","name":"a","metadata":[1],"metadata":null}`: &token,
		`{"__typename":"ERC721NFT","wallet":{"address":"0xa"},"wallet":null,"name":"a"}`:  &token,
		`{"__typename":"ERC721NFT","attributes":[{}],"attributes":null,"name":"a"}`:       &token,
		`{"__typename":"ERC721NFT","collection":{},"collection":null,"name":"a"}`:         &token,
		`null`: nil,
		`{"__typename":"X","name":7}`: &graph.NFTUnknown{Typename: "X", Name: new("7"),
			Raw: []byte(`{"__typename":"X","name":7}`)},
		"{\"__typename\":\"ERC721NFT\",\"metadata\":[\"\xff\"]}": &graph.NFTERC721NFT{Typename: "ERC721NFT",
			Metadata: new(json.RawMessage("[\"\uFFFD\"]"))},
	} {
		var got graph.NFT
		s := scan.New([]byte(text))
		readNFT(s, &got)
		require.True(t, s.End(), text)
		assert.Equal(t, want, got, text)
	}
	for text, at := range map[string]int{
		`{"__typename":"X","uploads":[null]}`: 29, `{"__typename":"ERC721NFT","metadata":[7]}`: 37,
		`{"__typename":"X","uploads":[[7]]}`: 29, `{"__typename":"X","rays":[7]}`: 0, `7`: 0, `{"__typename":"X"`: 17,
	} {
		var got graph.NFT
		s := scan.New([]byte(text))
		s.Depth = scan.MaxDepth - 1
		readNFT(s, &got)
		assert.False(t, s.End(), text)
		assert.Equal(t, at, s.Fault.At, text)
		assert.Equal(t, strings.HasSuffix(text, `":[7]}`), s.Fault.Reason == scan.Deep, text)
	}
	s := scan.New([]byte(`{"__typename":"ERC721NFT"}`))
	s.Room = variantSize - 1
	readNFT(s, new(graph.NFT))
	assert.Equal(t, scan.Fault{Reason: scan.Large}, s.Fault)
}

// TestQuery_readsResult reads the owners of a token: a list, or one wallet or none.
func TestQuery_readsResult(t *testing.T) {
	read := func(data string) (*List[graph.Wallet], error) {
		query := new(ListNFTOwners).Query()
		if _, err := Read("", []byte(`{"data":`+data+`}`), nil, query); err != nil {
			return nil, err
		}
		return query.Found()
	}
	const page = `{"chain":{"nft":{"wallets":{"edges":[{"cursor":"a","node":{"address":"0xb"}}],` +
		`"pageInfo":{"hasNextPage":true,"endCursor":7,"hasPreviousPage":false,"startCursor":null,"x":1},` +
		`"totalCount":"7","x":[]},"":1,"__typename":"ERC1155NFT"}}}`
	last := PageInfo{HasNextPage: new(false)}
	wallets := []graph.Wallet{{Address: "0xb"}}
	one := &List[graph.Wallet]{Nodes: wallets, Cursors: []string{""}, TotalCount: new(1), PageInfo: last}
	for data, want := range map[string]*List[graph.Wallet]{
		page: {Nodes: wallets, Cursors: []string{"a"}, TotalCount: new(7),
			PageInfo: PageInfo{HasNextPage: new(true), EndCursor: "7"}},
		`{"chain":{"nft":{"__typename":"ERC721NFT","wallet":{"address":"0xb"}}}}`: one,
		`{"chain":{"nft":{"__typename":"ERC721NFT","wallet":null}}}`: {Nodes: wallets[:0], TotalCount: new(0),
			PageInfo: last},
		`{},"data":{"chain":{"nft":{"__typename":"ERC721NFT","wallet":{"address":"0xb"}},"nft":{}}}`: one,
	} {
		got, err := read(data)
		require.NoError(t, err, data)
		assert.Equal(t, want, got, data)
	}
	for _, test := range [][2]string{
		{`{}`, "no result"}, {`{"chain":null}`, "no result"}, {page + `,"data":{"x":{}}`, "no result"},
		{`{"chain":{"nft":{"__typename":"ERC1155NFT","wallets":{"edges":[]},"wallets":null}}}`, "no result"},
		{page[:len(page)-1] + `,"chain":{"nft":null}}`, "no result"},
		{`{"chain":{"nft":{"wallets":{"edges":[]},"__typename":null}}}`, "the nft is of a type that is newer"},
		{strings.Replace(page, `true`, `"x"`, 1), `a string at "/data/chain/nft/wallets/pageInfo/hasNextPage"`},
	} {
		_, err := read(test[0])
		require.ErrorContains(t, err, test[1], test[0])
	}
}
