package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
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
	c.response = http.Response{StatusCode: http.StatusOK, Header: c.header, Body: c, ContentLength: int64(len(c.body))}
	return &c.response, nil
}

func (c *canned) Read(p []byte) (int, error) { return c.reader.Read(p) }
func (c *canned) Close() error               { return nil }

// byHand is a small call as a person writes it who has net/http only, up to the response's body, with a time limit.
func byHand(ctx context.Context, client *http.Client, method, path string, change any) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var body io.Reader
	if change != nil {
		text, err := json.Marshal(change)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1/v0/endpoints/"+path, body)
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
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
	race.Skip(t) // The race detector empties pools.
	base := &canned{header: http.Header{"Content-Type": {"application/json"}}}
	plain := &http.Client{Transport: base}
	client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://127.0.0.1"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithHTTPClient(plain))
	require.NoError(t, err)
	ctx := t.Context()
	active := admin.SetEndpointStatusRequest{Status: admin.EndpointStatusActive}
	for name, test := range map[string]struct{ hand, ours func() error }{
		"without a body": {
			func() error { return byHand(ctx, plain, http.MethodDelete, url.PathEscape("ep-0001"), nil) },
			func() error { return client.Endpoints.Archive(ctx, "ep-0001") },
		},
		"with a body": {
			func() error { return byHand(ctx, plain, http.MethodPatch, url.PathEscape("ep-0001")+"/status", active) },
			func() error { return client.Endpoints.SetStatus(ctx, "ep-0001", active.Status) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			hand := testing.AllocsPerRun(200, func() { err = errors.Join(err, test.hand()) })
			ours := testing.AllocsPerRun(200, func() { err = errors.Join(err, test.ours()) })
			require.NoError(t, err)
			t.Logf("%v allocations by hand, %v through the library", hand, ours)
			assert.LessOrEqual(t, ours, hand+3)
		})
	}
}
