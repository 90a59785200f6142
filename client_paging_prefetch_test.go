package rpcfleet_test

import (
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/internal/pipenet"
)

func TestPrefetchKeepsOrderAndCount(t *testing.T) {
	for name, test := range map[string]struct{ n, largest, total int }{
		"full pages":   {1000, 100, 1000},
		"lowered to 7": {1000, 7, 1000},
		"no total":     {50, 7, -1},
		"one page":     {5, 100, 5},
		"nothing":      {0, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, lists(test.n, test.largest, test.total))
			ids, err := walk(t, server.client(t, rpcfleet.WithPrefetch(4)), nil)
			require.NoError(t, err)
			assert.Equal(t, expected(0, test.n), ids)
		})
	}
}

func TestPrefetchAfterAPageThatCameShort(t *testing.T) {
	_, server := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		largest := 10
		if strings.Contains(r.URL.RawQuery, "offset=20") {
			largest = 3 // One page in the middle is lowered further.
		}
		lists(100, largest, 100)(w, r)
	})
	ids, err := walk(t, server.client(t, rpcfleet.WithPrefetch(3)), nil)
	require.NoError(t, err)
	assert.Equal(t, expected(0, 100), ids)
}

func TestPrefetchDeliversAnErrorInItsPlace(t *testing.T) {
	_, server := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.RawQuery, "offset=20") {
			says(400, `{"data":null,"error":"nope"}`)(w, r)
			return
		}
		lists(100, 10, 100)(w, r)
	})
	ids, err := walk(t, server.client(t, rpcfleet.WithPrefetch(5)), nil)
	assert.Equal(t, expected(0, 20), ids)
	var failure *rpcfleet.PageError
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, 20, failure.Offset)
}

func TestPrefetchIsConcurrentAndBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		http := pipenet.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			time.Sleep(time.Second) // The bubble's clock: every page takes a second.
			lists(100, 10, 100)(w, r)
		}))
		client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://127.0.0.1"), rpcfleet.WithAPIKey(testKey),
			rpcfleet.WithHTTPClient(http), rpcfleet.WithPrefetch(3))
		require.NoError(t, err)
		start := time.Now()
		ids, err := walk(t, client, nil)
		require.NoError(t, err)
		assert.Equal(t, expected(0, 100), ids)
		assert.Equal(t, int64(3), most.Load())
		assert.Equal(t, 4*time.Second, time.Since(start), "one page, and then nine, three at a time")

		for range client.Endpoints.All(t.Context(), nil) {
			break
		}
		synctest.Wait()
		assert.Zero(t, now.Load(), "a break leaves nothing under way")
	})
}

// rounds is a transport whose first request is responded to over the network and whose later ones end as told.
type rounds struct {
	sent  atomic.Int64
	later func()
}

func (r *rounds) RoundTrip(req *http.Request) (*http.Response, error) {
	if r.sent.Add(1) > 1 {
		r.later()
	}
	return http.DefaultTransport.RoundTrip(req)
}

func TestPrefetchDoesNotHideHowAFetchEnds(t *testing.T) {
	_, server := scripted(t, lists(100, 10, 100))
	panics := server.client(t, rpcfleet.WithPrefetch(3), rpcfleet.WithHTTPClient(&http.Client{Transport: &rounds{
		later: func() { panic("a panic of the caller's own") },
	}}))
	assert.PanicsWithValue(t, "a panic of the caller's own", func() {
		ids, err := walk(t, panics, nil)
		t.Error("the loop ended", len(ids), err)
	}, "it can be recovered from")

	ends := server.client(t, rpcfleet.WithPrefetch(3), rpcfleet.WithHTTPClient(&http.Client{Transport: &rounds{later: runtime.Goexit}}))
	ids, err := walk(t, ends, nil)
	require.Error(t, err, "and the loop does not wait for ever")
	assert.Equal(t, expected(0, 10), ids)
}

func TestPrefetchEndsWithAPanicOfTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now atomic.Int64
		http := pipenet.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			now.Add(1)
			defer now.Add(-1)
			time.Sleep(time.Second)
			lists(100, 10, 100)(w, r)
		}))
		client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://127.0.0.1"), rpcfleet.WithAPIKey(testKey),
			rpcfleet.WithHTTPClient(http), rpcfleet.WithPrefetch(3))
		require.NoError(t, err)
		assert.Panics(t, func() {
			for range client.Endpoints.All(t.Context(), nil) {
				panic("in the loop")
			}
		})
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Zero(t, now.Load(), "nothing is left under way")
	})
}
