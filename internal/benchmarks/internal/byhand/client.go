// Package byhand calls the service with net/http and a JSON library, without a client library.
package byhand

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/contestant"
	"github.com/rpcfleet/rpcfleet-go/internal/benchmarks/internal/payload"
)

// Client sends requests. The contestants read the bodies.
type Client struct{ target contestant.Target }

// NewClient returns a client.
func NewClient(target contestant.Target) *Client { return &Client{target} }

// Get sends a request without a body. The caller closes the response's.
func (c *Client) Get(ctx context.Context, path string, query url.Values) (*http.Response, error) {
	address := c.target.BaseURL + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return c.send(ctx, http.MethodGet, address, nil)
}

// Post sends a request with a body. The caller closes the response's.
func (c *Client) Post(ctx context.Context, path string, body []byte) (*http.Response, error) {
	return c.send(ctx, http.MethodPost, c.target.BaseURL+path, bytes.NewReader(body))
}

func (c *Client) send(ctx context.Context, method, address string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("x-api-key", c.target.Key)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.target.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1024))
		_ = resp.Body.Close()
		return nil, fmt.Errorf("%s: %s", resp.Status, text)
	}
	return resp, nil
}

// The measured requests.

// GetEndpoint requests one endpoint.
func (c *Client) GetEndpoint(ctx context.Context) (*http.Response, error) {
	return c.Get(ctx, "/v0/endpoints/"+url.PathEscape(payload.EndpointID), nil)
}

// ListEndpoints requests a page of endpoints.
func (c *Client) ListEndpoints(ctx context.Context) (*http.Response, error) {
	return c.Get(ctx, "/v0/endpoints", url.Values{"limit": {strconv.Itoa(payload.PageSize)}})
}

// ListLogs requests a page of log entries.
func (c *Client) ListLogs(ctx context.Context) (*http.Response, error) {
	return c.Get(ctx, "/v0/endpoints/"+url.PathEscape(payload.EndpointID)+"/logs", url.Values{
		"from":            {payload.From.Format(time.RFC3339)},
		"to":              {payload.To.Format(time.RFC3339)},
		"include_details": {"true"},
		"limit":           {strconv.Itoa(payload.LogSize)},
	})
}

// GetUsage requests the usage by method.
func (c *Client) GetUsage(ctx context.Context) (*http.Response, error) {
	return c.Get(ctx, "/v0/usage/rpc/by-method", url.Values{
		"start_time": {strconv.FormatInt(payload.From.Unix(), 10)},
		"end_time":   {strconv.FormatInt(payload.To.Unix(), 10)},
	})
}
