package acceptance

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// line counts the requests that go over it, and breaks at one of them.
type line struct {
	sent    atomic.Int64
	breaks  int64 // The number of the request that does not get through, or 0.
	onwards http.RoundTripper
}

var errBroken = errors.New("the line broke")

func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.sent.Add(1) == l.breaks {
		return nil, errBroken
	}
	return l.onwards.RoundTrip(r)
}

// startPaged makes a service with 1,000 endpoints in pages of at most 7, and a client with its own line.
func startPaged(t *testing.T, breaks int64) (client *rpcfleet.Client, ids []string, l *line) {
	t.Helper()
	b := start(t, emulator.WithMaxPageSize(7))
	l = &line{breaks: breaks, onwards: http.DefaultTransport}
	return b.client(t, rpcfleet.WithHTTPClient(&http.Client{Transport: l})), b.CreateEndpoints(1000), l
}

// hundred asks for more than the service gives.
var hundred = admin.ListEndpointsParams{Limit: new(100)}

func TestPagingYieldsEachOnce(t *testing.T) {
	client, ids, l := startPaged(t, 0)
	var got []string
	for endpoint, err := range client.Endpoints.All(t.Context(), hundred) {
		require.NoError(t, err)
		got = append(got, endpoint.ID)
	}
	assert.Equal(t, ids, got)
	assert.Equal(t, int64(143), l.sent.Load(), "pages of 7")
}

func TestPagingTellsTheLimitInForce(t *testing.T) {
	client, _, _ := startPaged(t, 0)
	page := must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{Limit: new(100), Offset: new(994)}))(t)
	assert.Equal(t, 7, page.Limit)
	assert.Equal(t, 994, page.Offset)
	assert.Equal(t, 1000, page.Total)
	assert.Len(t, page.Items, 6)
	assert.True(t, page.Last())
	page = must(client.Endpoints.List(t.Context(), admin.ListEndpointsParams{Offset: new(5000)}))(t)
	assert.Empty(t, page.Items, "the service sends null for an empty page")
}

func TestPagingStopsWhenTheCallerDoes(t *testing.T) {
	client, _, l := startPaged(t, 0)
	seen := 0
	for _, err := range client.Endpoints.All(t.Context(), hundred) {
		require.NoError(t, err)
		if seen++; seen == 14 {
			break
		}
	}
	assert.Equal(t, int64(2), l.sent.Load())
}

func TestPagingDeliversAnErrorOnceAndResumes(t *testing.T) {
	client, ids, l := startPaged(t, 3)
	var got []string
	var failure *rpcfleet.PageError
	for endpoint, err := range client.Endpoints.All(t.Context(), hundred) {
		require.Nil(t, failure, "nothing comes after an error")
		if err != nil {
			require.ErrorAs(t, err, &failure)
			require.ErrorIs(t, err, errBroken)
			continue
		}
		got = append(got, endpoint.ID)
	}
	require.NotNil(t, failure)
	assert.Equal(t, ids[:14], got, "pages 1 and 2")
	assert.Equal(t, int64(3), l.sent.Load())

	rest := admin.ListEndpointsParams{Limit: new(100), Offset: &failure.Offset}
	for page, err := range client.Endpoints.Pages(t.Context(), rest) {
		require.NoError(t, err)
		for _, endpoint := range page.Items {
			got = append(got, endpoint.ID)
		}
	}
	assert.Equal(t, ids, got)
}

// TestPagingReachesWhatALoopTakesAway has loops that remove each item from the listing that they read. They reach all
// items, with All, with Pages, and with pages fetched in advance.
func TestPagingReachesWhatALoopTakesAway(t *testing.T) {
	active := admin.ListEndpointsParams{Statuses: []admin.EndpointStatus{admin.EndpointStatusActive}}
	for name, test := range map[string]struct {
		params admin.ListEndpointsParams
		take   func(s *rpcfleet.EndpointsService, id string) error
		done   string
	}{
		"archived": {admin.ListEndpointsParams{}, func(s *rpcfleet.EndpointsService, id string) error {
			return s.Archive(t.Context(), id)
		}, "archiveEndpoint"},
		"paused, of those that are active": {active, func(s *rpcfleet.EndpointsService, id string) error {
			return s.Pause(t.Context(), id)
		}, "setEndpointStatus"},
	} {
		for _, ahead := range []int{0, 1, 2, 5} {
			t.Run(fmt.Sprintf("%s, %d ahead", name, ahead), func(t *testing.T) {
				b := start(t)
				endpoints := b.client(t, rpcfleet.WithPrefetch(ahead)).Endpoints
				ids := b.CreateEndpoints(350)
				var all []string
				for endpoint, err := range endpoints.All(t.Context(), test.params) {
					require.NoError(t, err)
					require.NoError(t, test.take(endpoints, endpoint.ID))
					all = append(all, endpoint.ID)
				}
				assert.Equal(t, ids, all)

				ids = b.CreateEndpoints(350)
				var paged []string
				for page, err := range endpoints.Pages(t.Context(), test.params) {
					require.NoError(t, err)
					for _, endpoint := range page.Items {
						require.NoError(t, test.take(endpoints, endpoint.ID))
						paged = append(paged, endpoint.ID)
					}
				}
				assert.Equal(t, ids, paged)
				assert.Len(t, b.Calls(test.done), 700)
				left := must(endpoints.List(t.Context(), test.params))(t)
				assert.Zero(t, left.Total)
			})
		}
	}
}
