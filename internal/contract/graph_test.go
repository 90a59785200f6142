package contract_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/contract"
	"github.com/rpcfleet/rpcfleet-go/internal/graphql"
	"github.com/rpcfleet/rpcfleet-go/internal/scan"
)

const (
	nftPage = `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","nfts":{"edges":[%s],` +
		`"pageInfo":{"hasNextPage":false,"endCursor":null,"hasPreviousPage":false,"startCursor":null},"totalCount":%s}}}}%s}`
	nftEdge = `{"cursor":"a","node":{%s"contractAddress":"0x1","tokenId":1,"name":null,"collectionSlug":null,"uploads":[%s],"description":null,` +
		`"externalUrl":null,"animationUrl":null,"metadata":null,"attributes":[],"wallet":null,` +
		`"collection":{"__typename":"ERC721Collection","address":"0x1","name":null,"symbol":null,"slug":null,"totalSupply":1,"circulatingSupply":null}}}`
)

func edge(typename, uploads string) string { return fmt.Sprintf(nftEdge, typename, uploads) }

var graphWalks = []struct {
	body   string
	drifts []contract.Drift
	mended string // The mended body, if it differs from the body.
}{
	{fmt.Sprintf(nftPage, edge(`"__typename":"ERC721NFT",`, ""), "1", ""), nil, ""},
	{fmt.Sprintf(nftPage, edge("", ""), "1", `,"errors":null`), []contract.Drift{
		drift(contract.Missing, "/data/chain/collection/nfts/edges/0/node/__typename", "string", "nothing")}, ""},
	{fmt.Sprintf(nftPage, edge(`"__typename":"ERC721NFT",`, "null,null"), `{}`, ""), []contract.Drift{
		drift(contract.Null, "/data/chain/collection/nfts/edges/0/node/uploads/0", "object", "null"),
		drift(contract.Null, "/data/chain/collection/nfts/edges/0/node/uploads/1", "object", "null"),
		drift(contract.Unread, "/data/chain/collection/nfts/totalCount", "integer", "object"),
	}, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","nfts":{"edges":[{"cursor":"a","node":{` +
		`"$unread:uploads/0":null,"$unread:uploads/1":null,"__typename":"ERC721NFT","contractAddress":"0x1","tokenId":1,` +
		`"name":null,"collectionSlug":null,"uploads":[],"description":null,` +
		`"externalUrl":null,"animationUrl":null,"metadata":null,"attributes":[],"wallet":null,` +
		`"collection":{"__typename":"ERC721Collection","address":"0x1","name":null,"symbol":null,"slug":null,"totalSupply":1,"circulatingSupply":null}}}],"pageInfo":{"hasNextPage":false,"endCursor":null,"hasPreviousPage":false,"startCursor":null},"$unread:totalCount":{}}}}}}`},
	{fmt.Sprintf(nftPage, "null", "1", `,"errors":[{"message":"a.b","path":["chain","collection","nfts","edges",0]}]`),
		nil, ""},
	{`{"errors":[{"message":"no"}]}`, nil, ""},
	{`{"data":null,"errors":"no"}`, []contract.Drift{drift(contract.Type, "/errors", "array", "string")}, ""},
	{`{"data":{"chain":{"collection":{"__typename":7}}`, nil, ""}, // No JSON.
}

func TestWalkGraph_reportsDrift(t *testing.T) {
	for _, test := range graphWalks {
		report := contract.WalkGraph("ListCollectionNFTs", []byte(test.body))
		assert.Equal(t, test.drifts, report.Drifts, test.body)
		assert.Equal(t, cmp.Or(test.mended, test.body), string(report.Body), test.body)
	}
}

// TestWalkGraph_isLinear doubles bodies of several forms.
func TestWalkGraph_isLinear(t *testing.T) {
	for name, build := range map[string]func(n int) string{
		"names of types at the end": func(n int) string {
			return fmt.Sprintf(nftPage, strings.Repeat(`{"node":{"tokenId":1,"__typename":"ERC721NFT"}},`, n)+"{}", "1", "")
		},
		"names of types at the beginning": func(n int) string {
			return fmt.Sprintf(nftPage, strings.Repeat(`{"node":{"__typename":"ERC721NFT","tokenId":1}},`, n)+"{}", "1", "")
		},
		"nulls": func(n int) string {
			return fmt.Sprintf(nftPage, edge(`"__typename":"ERC721NFT",`, strings.Repeat("null,", n)+"null"), "1", "")
		},
		"errors": func(n int) string {
			return fmt.Sprintf(nftPage, strings.Repeat("null,", n)+"null", "1", `,"errors":[`+
				strings.Repeat(`{"path":["chain","x"]},`, n)+`7]`)
		},
	} {
		checkLinear(t, name, build, func(body []byte) { contract.WalkGraph("ListCollectionNFTs", body) })
	}
}

// FuzzWalkGraph walks through any body of the graph area as FuzzWalk does.
func FuzzWalkGraph(f *testing.F) {
	for _, test := range graphWalks {
		f.Add([]byte(test.body))
	}
	f.Add([]byte(`{"data":{"chain":{"collection":{"__typename":{},"nfts":[]}}},"errors":[{"path":["a~/b",1e9]}],"x":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		report := contract.WalkGraph("ListCollectionNFTs", body)
		if string(body) == string(report.Body) {
			return
		}
		require.True(t, jsontext.Value(report.Body).IsValid(scan.Lenient), "%s", report.Body)
		again := contract.WalkGraph("ListCollectionNFTs", report.Body)
		unread := slices.ContainsFunc(again.Drifts, func(d contract.Drift) bool { return d.Kind == contract.Unread })
		require.False(t, unread && report.More == 0, "%s", report.Body)
	})
}

// TestCheckGraph_reportsDriftAroundData looks at statuses, errors and extensions, with a query of the library and
// with a caller's query, which has unknown data.
func TestCheckGraph_reportsDriftAroundData(t *testing.T) {
	op := graphql.Table[slices.IndexFunc(graphql.Table,
		func(op *api.Operation) bool { return op.ID == "ListCollectionNFTs" })]
	unknown := func(status string) contract.Drift { return drift(contract.UnknownStatus, "", "200, 400", status) }
	missing := func(pointer, expected string) contract.Drift {
		return drift(contract.Missing, pointer, expected, "nothing")
	}
	oddData := drift(contract.Type, "/data/chain", "object", "number")
	for name, c := range map[string]struct {
		own    bool
		status int
		body   string
		want   []contract.Drift
	}{
		"odd data":            {false, 200, `{"data":{"chain":7}}`, []contract.Drift{oddData}},
		"odd data, own query": {true, 200, `{"data":{"chain":7}}`, nil},
		"another success": {false, 299, `{"data":{"chain":7}}`,
			[]contract.Drift{unknown("299"), oddData}},
		"another success, own query": {true, 201, `{"data":{"chain":7}}`, []contract.Drift{unknown("201")}},
		"no success below 200":       {false, 199, `{"data":{"chain":7}}`, []contract.Drift{unknown("199")}},
		"no success from 300 on":     {false, 300, `{"data":{"chain":7}}`, []contract.Drift{unknown("300")}},
		"own query, below 200":       {true, 199, `{"data":[]}`, []contract.Drift{unknown("199")}},
		"own query, from 300":        {true, 300, `{"data":[]}`, []contract.Drift{unknown("300")}},
		"a failure of no known form": {false, 503, `{"data":{"chain":7}}`, []contract.Drift{unknown("503")}},
		"data of another kind": {true, 200, `{"data":[]}`,
			[]contract.Drift{drift(contract.Type, "/data", "object", "array")}},
		"no data": {true, 200, `{}`, []contract.Drift{missing("/data", "object")}},
		"null data": {true, 200, `{"data":null}`,
			[]contract.Drift{drift(contract.Null, "/data", "object", "null")}},
		"no data, but an error":      {true, 200, `{"errors":[{"message":"no"}]}`, nil},
		"null data, but an error":    {true, 200, `{"data":null,"errors":[{"message":"no","path":["chain"]}]}`, nil},
		"a refusal":                  {false, 400, `{"errors":[{"message":"no"}]}`, nil},
		"a refusal with data":        {false, 400, `{"data":{"chain":7},"errors":[{"message":"no"}]}`, nil},
		"a refusal without errors":   {false, 400, `{"data":{}}`, []contract.Drift{missing("/errors", "array")}},
		"a refusal with nothing":     {false, 400, `{}`, []contract.Drift{missing("/errors", "array")}},
		"null errors and extensions": {true, 200, `{"data":{},"errors":null,"extensions":null}`, nil},
		"extensions of any form":     {true, 200, `{"data":{},"extensions":{"cost":{"a":[1]}}}`, nil},
		"extensions of another kind": {true, 200, `{"data":{},"extensions":7}`,
			[]contract.Drift{drift(contract.Type, "/extensions", "object", "number")}},
		"another field": {true, 200, `{"data":{},"hints":false,"tips":null}`,
			[]contract.Drift{drift(contract.UnknownField, "/hints", "no such field", "boolean"),
				drift(contract.UnknownField, "/tips", "no such field", "null")}},
		"all of an error": {true, 200,
			`{"data":{},"errors":[{"message":"a","path":["b",1],"locations":[{"line":1,"column":2}],"extensions":{"code":7}}]}`,
			nil},
		"nulls in an error": {true, 200,
			`{"data":{},"errors":[{"message":"a","path":null,"locations":null,"extensions":null}]}`, nil},
		"an error without words": {true, 200, `{"data":{},"errors":[{}]}`,
			[]contract.Drift{missing("/errors/0/message", "string")}},
		"other kinds in an error": {true, 200,
			`{"data":{},"errors":[{"message":7,"path":7,"locations":{},"extensions":[]},8]}`,
			[]contract.Drift{drift(contract.Type, "/errors/0/message", "string", "number"),
				drift(contract.Type, "/errors/0/path", "array", "number"),
				drift(contract.Type, "/errors/0/locations", "array", "object"),
				drift(contract.Type, "/errors/0/extensions", "object", "array"),
				drift(contract.Type, "/errors/1", "object", "number")}},
		"another field of an error": {true, 200, `{"data":{},"errors":[{"message":"a","hint":"b"}]}`,
			[]contract.Drift{drift(contract.UnknownField, "/errors/0/hint", "no such field", "string")}},
		"a null that an error explains": {false, 200,
			`{"data":{"chain":null},"errors":[{"message":"a","path":["chain"]}]}`, nil},
		"a null that an error inside tells": {false, 200,
			`{"data":{"chain":null},"errors":[{"message":"b","path":["z"]},{"message":"a","path":["chain","collection",7,"x"]},{"message":"b","path":["a"]}]}`, nil},
		"a null that no error explains": {false, 200,
			`{"data":{"chain":null},"errors":[{"message":"a","path":["chains"]},{"message":"b"}]}`,
			[]contract.Drift{drift(contract.Null, "/data/chain", "object", "null")}},
		"a null behind all errors": {false, 200, `{"data":{"chain":null},"errors":[{"message":"a","path":["a"]}]}`,
			[]contract.Drift{drift(contract.Null, "/data/chain", "object", "null")}},
		"a null that has an error and a name": {false, 200,
			`{"data":{"chain":null},"errors":[{"message":"a","path":["chain~"]}]}`,
			[]contract.Drift{drift(contract.Null, "/data/chain", "object", "null")}},
	} {
		t.Run(name, func(t *testing.T) {
			report := contract.CheckGraph(op, c.own, c.status, []byte(c.body))
			assert.Equal(t, c.want, report.Drifts)
			assert.Equal(t, c.body, string(report.Body))
		})
	}
}

// TestWalkGraph_comparesWithTypeOfObject compares an object with its own type in the schema.
func TestWalkGraph_comparesWithTypeOfObject(t *testing.T) {
	const node = "/data/chain/collection/nfts/edges/0/node/"
	whole := edge(`"__typename":"ERC721NFT",`, "")
	for name, c := range map[string]struct {
		edge string
		want []contract.Drift
	}{
		"one lacks what only its type must have": {strings.Replace(whole, `"attributes":[],`, "", 1),
			[]contract.Drift{drift(contract.Missing, node+"attributes", "array", "nothing")}},
		"one has what only another type has": {strings.Replace(whole, "ERC721NFT", "ERC1155NFT", 1), []contract.Drift{
			drift(contract.UnknownField, node+"attributes", "no such field", "array"),
			drift(contract.UnknownField, node+"wallet", "no such field", "null")}},
		"one whose collection cannot be identified": {strings.Replace(whole, `"address":"0x1"`, `"address":{}`, 1),
			[]contract.Drift{
				drift(contract.Type, node+"collection/address", "string", "object")}},
		"one with a record in a list": {
			edge(`"__typename":"ERC721NFT",`, `{"height":null,"mimeType":null,"url":"https://a.example/x","width":null}`), nil},
		"one of a type that is newer": {
			strings.Replace(strings.Replace(whole, `"attributes":[],`, "", 1), "ERC721NFT", "ERC9NFT", 1), []contract.Drift{
				drift(contract.UnknownValue, node+"__typename", "one of ERC1155NFT, ERC721NFT", "ERC9NFT")}},
	} {
		t.Run(name, func(t *testing.T) {
			body := strings.NewReplacer("[%s],", "["+c.edge+"],", "%s}}}}%s}", "1}}}}}").Replace(nftPage)
			report := contract.WalkGraph("ListCollectionNFTs", []byte(body))
			assert.Equal(t, c.want, report.Drifts)
			assert.Equal(t, body, string(report.Body))
		})
	}
}
