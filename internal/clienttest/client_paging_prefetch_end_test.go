package clienttest

import (
	"context"
	"iter"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
)

// TestABreakLeavesNothingBehind breaks off while pages are under way, and once while some have come already.
func TestABreakLeavesNothingBehind(t *testing.T) {
	for name, after := range map[string]int{"on the first page": 5, "after ten items": 10, "on the second page": 15} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &slow{pages: lists(400, 10, 400), delay: func(offset int) time.Duration {
					return time.Second + time.Duration(offset)*time.Millisecond
				}}
				client, bodies := service.client(t, rpcfleet.WithPrefetch(8))
				_, err := client.Endpoints.List(t.Context(), admin.ListEndpointsParams{})
				require.NoError(t, err)
				before := bodies.idle()
				seen := 0
				for _, err := range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
					require.NoError(t, err)
					if seen++; seen == after {
						synctest.Wait()
						now, _, _ := service.counts()
						assert.Equal(t, 8, now, "requests are under way")
						break
					}
				}
				synctest.Wait() // The clock does not move: nothing has had the time to come to its end.
				now, _, _ := service.counts()
				assert.Zero(t, now, "no request")
				assert.Zero(t, bodies.open.Load(), "no open body")
				assert.Equal(t, before, bodies.idle(), "no goroutine")
			})
		})
	}
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
		ids, err := walk(t, panics, admin.ListEndpointsParams{})
		t.Error("the loop ended", len(ids), err)
	}, "it can be recovered from")

	ends := server.client(t, rpcfleet.WithPrefetch(3), rpcfleet.WithHTTPClient(&http.Client{Transport: &rounds{later: runtime.Goexit}}))
	ids, err := walk(t, ends, admin.ListEndpointsParams{})
	require.ErrorContains(t, err, "the fetching of a page ended without a result", "and the loop does not wait for ever")
	assert.Equal(t, expected(0, 10), ids)
}

func TestPrefetchEndsWithAPanicOfTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{pages: lists(100, 10, 100), delay: evenly(time.Second)}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		assert.Panics(t, func() {
			for range client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}) {
				panic("in the loop")
			}
		})
		synctest.Wait()
		now, _, _ := service.counts()
		assert.Zero(t, now, "nothing is left under way")
	})
}

func TestPrefetchEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{pages: lists(100, 10, 100), delay: evenly(time.Second)}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		var ids []string
		var failure error
		for endpoint, err := range client.Endpoints.All(ctx, admin.ListEndpointsParams{}) {
			if failure = err; err == nil {
				ids = append(ids, endpoint.ID)
			}
		}
		require.ErrorIs(t, failure, context.DeadlineExceeded)
		var place *rpcfleet.PageError
		require.ErrorAs(t, failure, &place)
		assert.Equal(t, 40, place.Offset)
		assert.Equal(t, expected(0, 40), ids)
		synctest.Wait()
		now, _, _ := service.counts()
		assert.Zero(t, now)
	})
}

// TestABreakWaitsForWhatIsUnderWay although a request takes its time to notice that it is not wanted any more.
func TestABreakWaitsForWhatIsUnderWay(t *testing.T) {
	for kind, pages := range map[string]responder{"by offset": lists(400, 10, 400), "by cursor": logs(50, 10)} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &slow{pages: pages, delay: evenly(time.Second)}
				base := pipenet.Serve(t, service).Transport
				var running atomic.Int64
				client, err := rpcfleet.New(rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithAPIKey(testKey), rpcfleet.WithPrefetch(4),
					rpcfleet.WithHTTPClient(&http.Client{Transport: tripper(func(req *http.Request) (*http.Response, error) {
						running.Add(1)
						defer running.Add(-1)
						resp, err := base.RoundTrip(req)
						if err != nil {
							time.Sleep(time.Second)
						}
						return resp, err
					})}))
				require.NoError(t, err)
				next := func() iter.Seq2[string, error] {
					if kind == "by cursor" {
						return identified(client.Logs.All(t.Context(), "ep1", anHour), func(e admin.LogEntry) string { return e.RequestID })
					}
					return identified(client.Endpoints.All(t.Context(), admin.ListEndpointsParams{}), func(e admin.Endpoint) string { return e.ID })
				}
				for _, err := range next() {
					require.NoError(t, err)
					synctest.Wait()
					assert.NotZero(t, running.Load(), "a request is under way")
					break
				}
				assert.Zero(t, running.Load())
			})
		})
	}
}
