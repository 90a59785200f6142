package rpcfleet_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
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

// slow is a service inside a bubble whose pages take the bubble's time, unless the request ends before that.
type slow struct {
	pages responder
	// delay is how long the page at an offset takes.
	delay func(offset int) time.Duration

	mu              sync.Mutex
	now, most, seen int
}

func evenly(delay time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return delay }
}

func (s *slow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	s.count(+1)
	defer s.count(-1)
	body, _ := io.ReadAll(r.Body) // The server notices the end of a request whose body has been read.
	r.Body = io.NopCloser(bytes.NewReader(body))
	select {
	case <-time.After(s.delay(offset)):
		s.pages(w, r)
	case <-r.Context().Done():
	}
}

func (s *slow) count(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now += change
	s.most = max(s.most, s.now)
	s.seen += max(change, 0)
}

// counts are the requests under way, the most that were at once, and all that came.
func (s *slow) counts() (now, most, seen int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.most, s.seen
}

// client makes a client for the service.
func (s *slow) client(t *testing.T, options ...rpcfleet.Option) (*rpcfleet.Client, *openBodies) {
	bodies := &openBodies{next: pipenet.Serve(t, s).Transport}
	client, err := rpcfleet.New(append([]rpcfleet.Option{
		rpcfleet.WithBaseURL("http://127.0.0.1"), rpcfleet.WithAPIKey(testKey),
		rpcfleet.WithHTTPClient(&http.Client{Transport: bodies}),
	}, options...)...)
	require.NoError(t, err)
	return client, bodies
}

// openBodies is a transport that counts the bodies of responses that nobody has closed.
type openBodies struct {
	next http.RoundTripper
	open atomic.Int64
}

func (o *openBodies) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := o.next.RoundTrip(req)
	if err == nil {
		o.open.Add(1)
		resp.Body = &countedBody{ReadCloser: resp.Body, open: &o.open}
	}
	return resp, err
}

// idle closes the connections that are not in use, and returns how many goroutines are left in bubbles, of which one
// runs at a time.
func (o *openBodies) idle() int {
	o.next.(*http.Transport).CloseIdleConnections()
	synctest.Wait()
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "synctest bubble ")
}

type countedBody struct {
	io.ReadCloser
	once sync.Once
	open *atomic.Int64
}

func (b *countedBody) Close() error {
	b.once.Do(func() { b.open.Add(-1) })
	return b.ReadCloser.Close()
}

// TestPrefetchTakesThatMuchLessTime reads 40 pages at 20 ms. The first page comes alone, because it tells the total,
// and all slots are full from then on.
func TestPrefetchTakesThatMuchLessTime(t *testing.T) {
	const page = 20 * time.Millisecond
	for ahead, test := range map[int]struct {
		rounds int
		most   float64
	}{0: {40, 1}, 1: {40, 1}, 3: {14, 0.36}, 4: {11, 0.29}, 8: {6, 0.18}, 39: {2, 0.05}, 100: {2, 0.05}} {
		t.Run(fmt.Sprint(ahead), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &slow{pages: lists(400, 10, 400), delay: evenly(page)}
				client, _ := service.client(t, rpcfleet.WithPrefetch(ahead))
				start := time.Now()
				ids, err := walk(t, client, nil)
				took := time.Since(start)
				require.NoError(t, err)
				assert.Equal(t, expected(0, 400), ids)
				assert.Equal(t, time.Duration(test.rounds)*page, took)
				assert.LessOrEqual(t, took.Seconds()/(40*page).Seconds(), test.most)
				_, most, seen := service.counts()
				assert.Equal(t, max(min(ahead, 39), 1), most, "as many requests at a time as asked for")
				assert.Equal(t, 40, seen, "each page is asked for once")
			})
		})
	}
}

// TestPrefetchRefillsASlotAtOnce has one page that takes longer than the others: the slots of those that came meanwhile
// do not wait for it to be delivered.
func TestPrefetchRefillsASlotAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{pages: lists(60, 10, 60), delay: func(offset int) time.Duration {
			if offset == 10 {
				return 2 * time.Second
			}
			return time.Second
		}}
		client, _ := service.client(t, rpcfleet.WithPrefetch(2))
		start := time.Now()
		ids, err := walk(t, client, nil)
		require.NoError(t, err)
		assert.Equal(t, expected(0, 60), ids)
		// 0 alone, 10 for two seconds with 20 and then 30 beside it, and the last two.
		assert.Equal(t, 4*time.Second, time.Since(start))
		_, most, _ := service.counts()
		assert.Equal(t, 2, most)
	})
}

// TestPrefetchIsBounded has a loop that takes its time: no more than the pages asked for are fetched meanwhile.
func TestPrefetchIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{pages: lists(100, 10, 100), delay: func(offset int) time.Duration {
			return time.Second + time.Duration(offset%3)*time.Millisecond
		}}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		delivered := 0
		for page, err := range client.Endpoints.Pages(t.Context(), nil) {
			require.NoError(t, err)
			delivered++
			time.Sleep(time.Minute)
			synctest.Wait()
			now, most, seen := service.counts()
			assert.Zero(t, now)
			assert.LessOrEqual(t, most, 3)
			assert.Equal(t, min(delivered+3, 10), seen, "at offset %d", page.Offset)
		}
		assert.Equal(t, 10, delivered)
	})
}

// TestABreakLeavesNothingBehind breaks off while pages are under way, and once while some have come already.
func TestABreakLeavesNothingBehind(t *testing.T) {
	for name, after := range map[string]int{"on the first page": 5, "after ten items": 10, "on the second page": 15} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &slow{pages: lists(400, 10, 400), delay: func(offset int) time.Duration {
					return time.Second + time.Duration(offset)*time.Millisecond
				}}
				client, bodies := service.client(t, rpcfleet.WithPrefetch(8))
				_, err := client.Endpoints.List(t.Context(), nil)
				require.NoError(t, err)
				before := bodies.idle()
				seen := 0
				for _, err := range client.Endpoints.All(t.Context(), nil) {
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
		service := &slow{pages: lists(100, 10, 100), delay: evenly(time.Second)}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		assert.Panics(t, func() {
			for range client.Endpoints.All(t.Context(), nil) {
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
		for endpoint, err := range client.Endpoints.All(ctx, nil) {
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

// TestPrefetchStopsAtAFailure: pages after one that failed are not asked for while the loop is on its way there.
func TestPrefetchStopsAtAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{delay: evenly(time.Second), pages: func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.RawQuery, "offset=30") {
				says(400, `{"data":null,"error":"nope"}`)(w, r)
				return
			}
			lists(100, 10, 100)(w, r)
		}}
		client, _ := service.client(t, rpcfleet.WithPrefetch(3))
		var failure error
		for _, err := range client.Endpoints.Pages(t.Context(), nil) {
			synctest.Wait()
			time.Sleep(time.Minute)
			failure = err
		}
		var place *rpcfleet.PageError
		require.ErrorAs(t, failure, &place)
		assert.Equal(t, 30, place.Offset)
		_, _, seen := service.counts()
		assert.Equal(t, 4, seen)
	})
}
