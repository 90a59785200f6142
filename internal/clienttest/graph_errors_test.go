package clienttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

func TestGraphErrors(t *testing.T) {
	for name, test := range map[string]struct {
		line   responder
		is     error
		text   string
		stated []rpcfleet.GraphQLError
	}{
		"a query that the schema rejects": {
			says(400, `{"errors":[{"message":"Cannot query field \"nope\"","extensions":{"code":"INVALID_FIELD"}}]}`),
			rpcfleet.ErrInvalidRequest,
			`rpcfleet: GetCollection: 400 Bad Request: Cannot query field "nope" (POST /graphql)`,
			[]rpcfleet.GraphQLError{{Message: `Cannot query field "nope"`, Code: "INVALID_FIELD"}},
		},
		"a server error": {
			says(500, `{"errors":[{"message":"broken"},{"message":"badly"}],"data":null}`),
			rpcfleet.ErrServer,
			`rpcfleet: GetCollection: 500 Internal Server Error: broken (POST /graphql)`,
			[]rpcfleet.GraphQLError{{Message: "broken"}, {Message: "badly"}},
		},
		"a server error with other words beside": {
			says(500, `{"message":"oops","errors":[{"message":"broken"}]}`),
			rpcfleet.ErrServer,
			`rpcfleet: GetCollection: 500 Internal Server Error: broken (POST /graphql)`,
			[]rpcfleet.GraphQLError{{Message: "broken"}},
		},
		"no data": {
			says(200, `{"errors":[{"message":"no","path":["chain","collection"],"extensions":{"code":"INTERNAL"}}]}`),
			rpcfleet.ErrRejected,
			`rpcfleet: GetCollection: rejected with status 200: no (POST /graphql)`,
			[]rpcfleet.GraphQLError{{Message: "no", Path: "chain.collection", Code: "INTERNAL"}},
		},
		"null data": {
			says(200, `{"data":null,"errors":[{"message":"no"}]}`),
			rpcfleet.ErrRejected, `rpcfleet: GetCollection: rejected with status 200: no (POST /graphql)`,
			[]rpcfleet.GraphQLError{{Message: "no"}},
		},
		"an error without words": {
			says(200, `{"errors":[{}]}`),
			rpcfleet.ErrRejected, `rpcfleet: GetCollection: rejected with status 200 (POST /graphql)`,
			[]rpcfleet.GraphQLError{{}},
		},
		"the envelope of other areas": {
			says(200, `{"error":"no such plan"}`),
			rpcfleet.ErrRejected, `rpcfleet: GetCollection: rejected with status 200: no such plan (POST /graphql)`, nil,
		},
		"plain text": {
			saysAs("text/plain", 401, `Unauthorized`),
			rpcfleet.ErrUnauthorized,
			`rpcfleet: GetCollection: 401 Unauthorized (set the API key with WithAPIKey or RPCFLEET_API_KEY): Unauthorized (POST /graphql)`, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, test.line)
			client := server.client(t, rpcfleet.WithoutRetries())
			collection, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
			require.ErrorIs(t, err, test.is)
			require.NotErrorIs(t, err, rpcfleet.ErrNotFound)
			assert.Nil(t, collection)
			assert.EqualError(t, err, test.text)
			var fault *rpcfleet.Error
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, "GetCollection", fault.Operation)
			assert.Equal(t, test.stated, fault.GraphQL)
		})
	}
}

func TestGraphPartialDataBesideTheError(t *testing.T) {
	const stated = `"errors":[{"message":"no stats","path":["chain","collection","stats"]}]`
	client, server := scripted(t,
		says(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","address":"0xa1","stats":null}}},`+stated+
			`}`))
	collection, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
	require.NotNil(t, collection)
	assert.Equal(t, "0xa1", collection.GetAddress())

	_, err = client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	var fault *rpcfleet.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, "chain.collection.stats", fault.GraphQL[0].Path)

	data, err := graph.Query[map[string]any](t.Context(), client.Graph, "{a}", nil)
	require.Error(t, err)
	assert.Contains(t, data, "chain")
	require.Len(t, server.Requests(), 3, "not tried again")

	// A value missing beside an error is not known to be missing.
	client, _ = scripted(t, says(200, `{"data":{"chain":{"collection":null}},`+stated+`}`))
	_, err = client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
	require.NotErrorIs(t, err, rpcfleet.ErrNotFound)
	require.ErrorIs(t, err, rpcfleet.ErrRejected)
}

// TestGraphOwnershipBesideAnError makes sure that a holding that could not be looked up is not reported as absent, and
// that the part of a holding that came is not lost.
func TestGraphOwnershipBesideAnError(t *testing.T) {
	for name, test := range map[string]struct {
		wallet string
		want   *rpcfleet.Ownership
	}{
		"nothing of the wallet":  {`null`, nil},
		"nothing of the holding": {`{"walletNFT":null}`, nil},
		"not how many":           {`{"walletNFT":{"nft":null,"nftsCount":null}}`, &rpcfleet.Ownership{Held: true}},
		"not which": {`{"walletNFT":{"nft":null,"nftsCount":2}}`,
			&rpcfleet.Ownership{Held: true, Count: new(2)}},
		"a count of none": {`{"walletNFT":{"nft":null,"nftsCount":0}}`, &rpcfleet.Ownership{Count: new(0)}},
		"all but a part of the token": {
			`{"walletNFT":{"nft":{"__typename":"ERC721NFT","contractAddress":"0xa1","name":null},"nftsCount":1}}`,
			&rpcfleet.Ownership{Held: true, Count: new(1),
				NFT: &graph.NFTERC721NFT{Typename: "ERC721NFT", ContractAddress: "0xa1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, says(200, `{"data":{"chain":{"wallet":`+test.wallet+`}},"errors":[{"message":"no"}]}`))
			ownership, err := client.Graph.Ownership(t.Context(), graph.ChainEthereum, anyWallet, "0xa1", scalar.BigIntFrom(1))
			require.ErrorIs(t, err, rpcfleet.ErrRejected)
			assert.Equal(t, test.want, ownership)
		})
	}
}

func TestGraphUnreadableResponses(t *testing.T) {
	for name, test := range map[string]struct {
		line   responder
		reason rpcfleet.DecodeReason
	}{
		"HTML":    {saysAs("text/html", 200, `<html>`), rpcfleet.ReasonHTML},
		"no data": {says(200, `{"data":null}`), rpcfleet.ReasonNoData},
		"another shape": {says(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","name":[7]}}}}`),
			rpcfleet.ReasonUnexpectedType},
		"half a number": {says(200, `{"data":{"chain":{"collection":{"__typename":"ERC721Collection","totalSupply":1.5}}}}`),
			rpcfleet.ReasonUnexpectedType},
		"more than one": {says(200, foundCollection+`{}`), rpcfleet.ReasonTrailingData},
		"cut short":     {cutShort, rpcfleet.ReasonTruncated},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, test.line)
			_, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
			var unreadable *rpcfleet.DecodeError
			require.ErrorAs(t, err, &unreadable)
			assert.Equal(t, test.reason, unreadable.Reason, "%v", err)
			assert.Equal(t, "GetCollection", unreadable.Operation)
		})
	}
}

func TestGraphErrorsKeepSecrets(t *testing.T) {
	const token = "t0k3n-in-the-path"
	leaky := `the key ` + testKey + ` of https://a.example.com/` + token + `/`
	stated := `{"errors":[{"message":"` + leaky + `","path":["` + leaky + `"],"extensions":{"code":"` + leaky + `"}}]}`
	for _, status := range []int{200, 400, 403} {
		client, _ := scripted(t, says(status, stated))
		_, err := client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1")
		var fault *rpcfleet.Error
		require.ErrorAs(t, err, &fault)
		require.Len(t, fault.GraphQL, 1)
		for _, text := range []string{prints(t, err), prints(t, fault.GraphQL), fault.Body} {
			assert.NotContains(t, text, testKey)
			assert.NotContains(t, text, token[:5])
		}
		assert.Contains(t, fault.GraphQL[0].Message, "https://a.example.com/[redacted]")
	}
}
