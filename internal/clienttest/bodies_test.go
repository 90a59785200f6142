package clienttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// canned is an http.RoundTripper that allocates nothing itself: it returns the same response again and again.
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

func (c *canned) Close() error { return nil }

// cannedClient returns a client that gets the body that body points to, for any request.
func cannedClient(t *testing.T) (*rpcfleet.Client, *canned) {
	t.Helper()
	base := &canned{header: http.Header{"Content-Type": {"application/json"}}}
	return over(t, base), base
}

// pageOfEndpoints is the body of a page. Its texts are all made of one letter.
func pageOfEndpoints(letter string, items int) []byte {
	text := strings.Repeat(letter, 400)
	item := fmt.Sprintf(
		`{"id":%q,"label":%q,"chain":%q,"network":%q,"http_url":"https://%s.example/%[1]s/","status":%[1]q,"tags":[{"id":1,"label":%[1]q}]}`,
		text, text, text, text, letter)
	return []byte(`{"data":[` + strings.Repeat(item+",", items-1) + item + `],"pagination":{"total":` + fmt.Sprint(items) +
		`}}`)
}

// TestRecords_shareNothingWithTheBody reads bodies of the same length one after another, into the same memory. The
// builds of the race detector overwrite it even earlier.
func TestRecords_shareNothingWithTheBody(t *testing.T) {
	client, base := cannedClient(t)
	for round := range 5 {
		base.body = pageOfEndpoints("a", 3)
		page := must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t)
		require.Len(t, page.Items, 3)
		base.body = []byte(
			`{"data":{"chain":{"collection":{"__typename":"ERC9999Collection","address":"aaaa","name":"aaaa"}}}}`)
		collection := must(client.Graph.Collection(t.Context(), graph.ChainEthereum, "0xa1"))(t)
		base.body = []byte(`{"error":"aaaa aaaa"}`)
		_, refused := client.Endpoints.Get(t.Context(), "ep1")
		require.Error(t, refused)

		base.body = pageOfEndpoints("b", 3)
		other := must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{}))(t)
		require.NotEqual(t, page.Items[0].ID, other.Items[0].ID)
		for _, item := range page.Items {
			assert.Equal(t, strings.Repeat("a", 400), item.ID, round)
			assert.Equal(t, strings.Repeat("a", 400), item.Network)
			assert.Equal(t, strings.Repeat("a", 400), string(item.Status))
			require.NotNil(t, item.Label)
			assert.Equal(t, strings.Repeat("a", 400), *item.Label)
		}
		assert.Equal(t, "aaaa", *collection.GetName())
		assert.Contains(t, string(collection.(*graph.CollectionUnknown).Raw), "aaaa")
		failure := errorAs[*rpcfleet.Error](t, refused)
		assert.Equal(t, "aaaa aaaa", failure.Message)
		assert.Contains(t, failure.Body, "aaaa aaaa")
	}
}

// keeper keeps the text that it is decoded from.
type keeper struct{ text []byte }

func (k *keeper) UnmarshalJSON(text []byte) error {
	k.text = text
	return nil
}

// TestDo_aTypeMayKeepItsBody reads bodies of one length one after another.
func TestDo_aTypeMayKeepItsBody(t *testing.T) {
	client, base := cannedClient(t)
	base.body = []byte(`{"data":"aaaaaaaa"}`)
	kept := must(rpcfleet.Do[keeper](t.Context(), client, made))(t)
	base.body = []byte(`{"data":"bbbbbbbb"}`)
	for range 5 {
		require.NoError(t, errOf(rpcfleet.Do[keeper](t.Context(), client, made)))
	}
	assert.Equal(t, `"aaaaaaaa"`, string(kept.text))
}

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

// TestCall_allocatesLittleMoreThanByHand compares the paths of calls with nothing to decode in the response,
// without a network: the work of net/http's transport is not counted for either.
func TestCall_allocatesLittleMoreThanByHand(t *testing.T) {
	race.Skip(t) // The race detector empties pools.
	base := &canned{header: http.Header{"Content-Type": {"application/json"}}}
	plain, client := &http.Client{Transport: base}, over(t, base)
	ctx := t.Context()
	active := api.SetEndpointStatusRequest{Status: admin.EndpointStatusActive}
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
