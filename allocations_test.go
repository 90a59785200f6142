package rpcfleet_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
)

// canned is an http.RoundTripper that allocates nothing of its own: it returns the same response again and again.
type canned struct {
	body     []byte
	reader   bytes.Reader
	response http.Response
	header   http.Header
}

func (c *canned) RoundTrip(*http.Request) (*http.Response, error) {
	c.reader.Reset(c.body)
	c.response = http.Response{StatusCode: 200, Header: c.header, Body: c, ContentLength: int64(len(c.body))}
	return &c.response, nil
}

func (c *canned) Read(p []byte) (int, error) { return c.reader.Read(p) }
func (c *canned) Close() error               { return nil }

// byHand is a small call as a person writes it who has net/http only, up to the body.
func byHand(ctx context.Context, client *http.Client, id string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, "http://127.0.0.1/v0/endpoints/"+url.PathEscape(id), nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "by hand")
	req.Header.Set("x-api-key", testKey)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	_, err = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return err
}

// TestASmallCallAllocatesLittleMoreThanByHand compares the paths of calls whose response has nothing to decode, without
// a network: what net/http's transport does with both is not counted.
func TestASmallCallAllocatesLittleMoreThanByHand(t *testing.T) {
	base := &canned{header: http.Header{"Content-Type": {"application/json"}}}
	plain := &http.Client{Transport: base}
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://127.0.0.1"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithHTTPClient(plain))
	require.NoError(t, err)
	hand := testing.AllocsPerRun(200, func() { err = byHand(t.Context(), plain, "ep-0001") })
	require.NoError(t, err)
	ours := testing.AllocsPerRun(200, func() { err = client.Endpoints.Archive(t.Context(), "ep-0001") })
	require.NoError(t, err)
	t.Logf("%v allocations by hand, %v through the library", hand, ours)
	assert.LessOrEqual(t, ours, hand+12)
}
