package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	v2 "github.com/go-json-experiment/json"
)

// encodingJSON is net/http with encoding/json, the reference of all comparisons.
var encodingJSON = contestant{"encoding-json", "by hand, encoding/json", byHand(json.Marshal,
	func(resp *http.Response, into any) error {
		text, err := readAll(resp)
		if err != nil {
			return err
		}
		return json.Unmarshal(text, into)
	})}

// jsonV2 is net/http with the second version of encoding/json.
var jsonV2 = contestant{"v2", "by hand, go-json-experiment/json", byHand(
	func(v any) ([]byte, error) { return v2.Marshal(v) },
	func(resp *http.Response, into any) error { return v2.UnmarshalRead(resp.Body, into) },
)}

// readAll reads a body into a buffer of its known length. A json.Decoder would need more memory.
func readAll(resp *http.Response) ([]byte, error) {
	if resp.ContentLength < 0 {
		return io.ReadAll(resp.Body)
	}
	text := make([]byte, resp.ContentLength)
	_, err := io.ReadFull(resp.Body, text)
	return text, err
}

// handClient calls the service without a client library.
type handClient struct {
	url     string
	client  *http.Client
	marshal func(any) ([]byte, error)
	read    func(resp *http.Response, into any) error
}

// send makes a call with a body, unless it is nil, and reads the response.
func (c *handClient) send(ctx context.Context, method, path string, query url.Values, body, into any) error {
	address := c.url + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var reader io.Reader
	if body != nil {
		text, err := c.marshal(body)
		if err != nil {
			return err
		}
		reader = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, reader)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("x-api-key", apiKey)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1024))
		return fmt.Errorf("%s: %s", resp.Status, text)
	}
	return c.read(resp, into)
}

// get returns the data of a response of the admin area.
func get[T any](ctx context.Context, c *handClient, path string, query url.Values) (result, error) {
	var read envelope[T]
	err := c.send(ctx, http.MethodGet, path, query, nil, &read)
	return result{&read.Data, read.Pagination.Total, read.NextAt}, err
}

// byHand returns the calls of a client with a JSON library.
func byHand(
	marshal func(any) ([]byte, error), read func(*http.Response, any) error,
) func(string, *http.Client) (map[string]call, error) {
	return func(base string, client *http.Client) (map[string]call, error) {
		c := &handClient{base, client, marshal, read}
		return map[string]call{
			getEndpoint: func(ctx context.Context) (result, error) {
				return get[singleEndpoint](ctx, c, "/v0/endpoints/"+url.PathEscape(endpointID), nil)
			},
			createEndpoint: func(ctx context.Context) (result, error) {
				var read envelope[singleEndpoint]
				err := c.send(ctx, http.MethodPost, "/v0/endpoints", nil, newEndpoint{chain, network}, &read)
				return result{data: &read.Data}, err
			},
			listEndpoints: func(ctx context.Context) (result, error) {
				return get[[]endpoint](ctx, c, "/v0/endpoints", url.Values{"limit": {strconv.Itoa(pageSize)}})
			},
			listLogs: func(ctx context.Context) (result, error) {
				return get[[]logEntry](ctx, c, "/v0/endpoints/"+url.PathEscape(endpointID)+"/logs", url.Values{
					"from":            {from.Format(time.RFC3339)},
					"to":              {to.Format(time.RFC3339)},
					"include_details": {"true"},
					"limit":           {strconv.Itoa(logSize)},
				})
			},
			getUsage: func(ctx context.Context) (result, error) {
				return get[usage](ctx, c, "/v0/usage/rpc/by-method", url.Values{
					"start_time": {strconv.FormatInt(from.Unix(), 10)},
					"end_time":   {strconv.FormatInt(to.Unix(), 10)},
				})
			},
			listNFTs: c.nfts,
		}, nil
	}
}

// query selects the same fields as rpcfleet's query of the same name.
const query = `query ListCollectionNFTs($contractAddress: String!, $first: Int, $after: String) {
  chain: ethereum {
    collection(contractAddress: $contractAddress) {
      __typename
      ... on ERC721Collection { nfts(first: $first, after: $after) { ...Page } }
    }
  }
}
fragment Page on ERC721CollectionTokensConnection {
  edges { cursor node { __typename contractAddress tokenId name collectionSlug uploads { url mimeType height width } } }
  pageInfo { endCursor hasNextPage }
  totalCount
}`

func (c *handClient) nfts(ctx context.Context) (result, error) {
	request := graphRequest{query, nftVariables{collectionAddress, nftSize, nil}, "ListCollectionNFTs"}
	var read graphResponse
	if err := c.send(ctx, http.MethodPost, "/graphql", nil, request, &read); err != nil {
		return result{}, err
	}
	if len(read.Errors) > 0 {
		return result{}, errors.New(read.Errors[0].Message)
	}
	if read.Data.Chain.Collection == nil {
		return result{}, errors.New("there is no such collection")
	}
	nfts := &read.Data.Chain.Collection.NFTs
	return result{&nfts.Edges, *nfts.TotalCount, *nfts.PageInfo.EndCursor}, nil
}
