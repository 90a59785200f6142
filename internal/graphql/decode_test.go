package graphql

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

// settle changes a list that the JSON library has read to the list that the decoders would have returned.
func (l *List[N]) settle() {
	if l.Edges != nil {
		l.Nodes, l.Cursors, _ = l.Items()
		if l.Nodes == nil {
			l.Nodes = []N{}
		}
		l.Edges, l.Whole = nil, true
	}
}

// settleAll settles the lists in a struct.
func settleAll(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
	case v.Kind() == reflect.Pointer:
		if list, is := v.Interface().(interface{ settle() }); is {
			list.settle()
		} else {
			settleAll(v.Elem())
		}
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			settleAll(field)
		}
	}
}

// fast reads data with the decoders, and reports whether they took it.
func fast(data string, into interface{ Read(s *scan.Scanner) }) bool {
	s := scan.New([]byte(data))
	defer s.Release()
	into.Read(s)
	return s.End()
}

// asLibrary makes sure that if the decoders read a body, the JSON library reads it as well, to the same values.
func asLibrary[T, Slow any, F interface {
	*T
	Read(s *scan.Scanner)
}](t *testing.T, data string, same func(*Slow) T) (taken bool) {
	t.Helper()
	var got T
	if !fast(data, F(&got)) {
		return false
	}
	slow := new(Slow)
	stated, err := Read(t.Context(), "", []byte(`{"data":`+data+`}`), OwnTypes, slow)
	require.NoError(t, err, data)
	require.Empty(t, stated)
	want := same(slow)
	settleAll(reflect.ValueOf(&want))
	require.Equal(t, want, got, data)
	return true
}

// Types without a decoder.
type (
	slowCollection GetCollectionResponse
	slowNFTs       ListWalletNFTsResponse
	slowEvents     ListEventsResponse
	slowOwners     ListNFTOwnersResponse
	slowChart      GetOHLCVChartResponse
)

// readers hold the decoders against the JSON library.
var readers = map[string]func(t *testing.T, data string) bool{
	"a record with interfaces": func(t *testing.T, data string) bool {
		return asLibrary(t, data, func(s *slowCollection) GetCollectionResponse { return GetCollectionResponse(*s) })
	},
	"a page of records": func(t *testing.T, data string) bool {
		return asLibrary(t, data, func(s *slowNFTs) ListWalletNFTsResponse { return ListWalletNFTsResponse(*s) })
	},
	"a page of interfaces": func(t *testing.T, data string) bool {
		return asLibrary(t, data, func(s *slowEvents) ListEventsResponse { return ListEventsResponse(*s) })
	},
	"several places": func(t *testing.T, data string) bool {
		return asLibrary(t, data, func(s *slowOwners) ListNFTOwnersResponse { return ListNFTOwnersResponse(*s) })
	},
	"a list": func(t *testing.T, data string) bool {
		return asLibrary(t, data, func(s *slowChart) GetOHLCVChartResponse { return GetOHLCVChartResponse(*s) })
	},
}

const onePage = `"pageInfo":{"hasNextPage":true,"endCursor":"b","hasPreviousPage":false,"startCursor":null},"totalCount":7}`

// documentedData are data that the decoders take.
var documentedData = map[string][]string{
	"a record with interfaces": {
		`{"chain":{"collection":{"__typename":"ERC721Collection","address":"0xa","name":null,"symbol":"S","totalSupply":"10","circulatingSupply":9,` +
			`"image":[{"url":"u","mimeType":null,"height":1.5,"width":-2e3}],"bannerImage":[],"openseaMetadata":{"isHidden":true,"isVerified":false},` +
			`"contract":{"__typename":"TokenContract","address":"0xa","supportedErcInterfaces":["ERC20"],"decimals":18,"isVerified":null},` +
			`"stats":{"totalSales":3,"floorInNativeToken":0.5,"ceilingInNativeToken":null},"later":{"a":[1]}}}}`,
		`{"chain":{"collection":null}}`, `{"chain":{}}`, `{}`,
		`{"chain":{"collection":{"__typename":"ERC1155Collection"}},"later":[{}]}`,
	},
	"a page of records": {
		`{"chain":{"wallet":{"walletNFTs":{"edges":[{"cursor":"a","node":{"nftsCount":2,"nft":{"__typename":"ERC721NFT","tokenId":"1",` +
			`"metadata":{"a":[1, 2]},"uploads":null,"attributes":[{"name":"n","value":null}],"wallet":{"address":"0xb","ensName":"é\n"},` +
			`"collection":{"__typename":"ERC1155Collection","address":"0xc"}}}},{"node":{"nft":null,"nftsCount":null},"cursor":"b"}],` + onePage + `}}}`,
		`{"chain":{"wallet":{"walletNFTs":{"edges":[],` + onePage + `}}}`, `{"chain":{"wallet":{"walletNFTs":null}}}`,
		`{"chain":{"wallet":null}}`,
		`{"chain":{"wallet":{"walletNFTs":{}}}}`,
	},
	"a page of interfaces": {
		`{"chain":{"tokenEvents":{"edges":[{"cursor":"a","node":{"__typename":"TokenSaleEvent","type":"SALE","blockNumber":12,"timestamp":` +
			`"2024-05-06T07:08:09Z","transferIndex":0,"marketplace":"SEAPORT","sentTokenQuantity":"340282366920938463463374607431768211456",` +
			`"sentNft":{"__typename":"ERC1155NFT","tokenId":5}}},{"cursor":"b","node":{"__typename":"TokenSwapEvent"}}],` +
			onePage + `}}`,
	},
	"several places": {
		`{"chain":{"nft":{"__typename":"ERC721NFT","wallet":{"address":"0xb"}}}}`,
		`{"chain":{"nft":{"__typename":"ERC1155NFT","wallets":{"edges":[{"cursor":"a","node":{"address":"0xb"}}],` + onePage +
			`}}}`,
	},
	"a list": {
		`{"chain":{"collection":{"__typename":"ERC721Collection","ohlcvChart":[{"timestamp":null,"open":1,"count":2.5},{"count":null}]}}}`},
}

func TestDecoders_agreeWithLibrary(t *testing.T) {
	for name, all := range documentedData {
		for _, data := range all {
			require.True(t, readers[name](t, data), data)
		}
	}
}

// TestDecoders_leaveOddBodiesToLibrary: if a body needs to be forgiven, or refused, it is left to the library.
func TestDecoders_leaveOddBodiesToLibrary(t *testing.T) {
	whole := documentedData["a page of records"][0]
	for before, after := range map[string]string{
		`"nftsCount":2`: `"nftsCount":"2"`, `"tokenId":"1"`: `"tokenId":{}`,
		`"__typename":"ERC721NFT"`:  `"__typename":"ERC9NFT"`,
		`"__typename":"ERC721NFT",`: ``, `{"name":"n","value":null}`: `null`, `"cursor":"a"`: `"cursor":"a","cursor":"b"`,
		`{"node":{"nft":null,"nftsCount":null},"cursor":"b"}`: `null`, `"node":{"nft":null,"nftsCount":null}`: `"node":null`,
		`"node":{"nft":null,"nftsCount":null},`: ``, `"totalCount":7`: `"totalCount":7.5`,
		`"uploads":null`:     `"__typename":"ERC721NFT"`,
		`"hasNextPage":true`: `"hasNextPage":"true"`, `"edges":[`: `"edges":7,"x":[`,
		`{"a":[1, 2]}`: strings.Repeat("[", 101) + strings.Repeat("]", 101),
	} {
		require.Contains(t, whole, before)
		require.False(t, readers["a page of records"](t, strings.Replace(whole, before, after, 1)), after)
	}
	require.False(t, readers["a list"](t, strings.Replace(documentedData["a list"][0], `2.5`, `1e999`, 1)))
}

// FuzzDecoders holds the decoders against the JSON library, with any data.
func FuzzDecoders(f *testing.F) {
	for name, all := range documentedData {
		for _, data := range all {
			f.Add(name, data)
		}
	}
	f.Fuzz(func(t *testing.T, name, data string) {
		if read := readers[name]; read != nil {
			read(t, data)
		}
	})
}
