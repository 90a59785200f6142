package clienttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/pipenet"
)

// idsOf turns an iteration over things into one over their ids.
func idsOf[T any](all iter.Seq2[T, error], id func(T) string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for item, err := range all {
			if !yield(id(item), err) {
				return
			}
		}
	}
}

// collect runs an iteration to its end.
func collect(t *testing.T, all iter.Seq2[string, error]) (ids []string, failure error) {
	t.Helper()
	for id, err := range all {
		require.NoError(t, failure, "nothing comes after an error")
		if err != nil {
			failure = err
			continue
		}
		ids = append(ids, id)
	}
	return ids, failure
}

// byCursor responds to both kinds of listings by cursor with five pages of ten. The cursors are the numbers of the
// pages.
func byCursor(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		logs(50, 10)(w, r)
		return
	}
	var sent struct {
		Variables struct{ After string }
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &sent)
	first, _ := strconv.Atoi(strings.TrimPrefix(sent.Variables.After, "at "))
	next := ""
	if first < 40 {
		next = fmt.Sprint("at ", first+10)
	}
	transactionPage(next, entryIDs(first, first+10)...)(w, r)
}

// kinds are the kinds of listings, each with a service of 50 items in pages of ten, and an iteration that begins where
// another one failed.
var kinds = map[string]struct {
	pages responder
	ids   []string
	all   func(c *rpcfleet.Client, from rpcfleet.PageError, o ...rpcfleet.CallOption) iter.Seq2[string, error]
}{
	"endpoints": {lists(50, 10, 50), endpointIDs(0, 50),
		func(c *rpcfleet.Client, from rpcfleet.PageError, o ...rpcfleet.CallOption) iter.Seq2[string, error] {
			all := c.Endpoints.All(background, admin.ListEndpointsParams{Offset: &from.Offset}, o...)
			return idsOf(all, func(e admin.Endpoint) string { return e.ID })
		}},
	"destinations": {unbounded{n: 50, largest: 10}.ServeHTTP, thingIDs(0, 50),
		func(c *rpcfleet.Client, from rpcfleet.PageError, o ...rpcfleet.CallOption) iter.Seq2[string, error] {
			all := c.Destinations.All(background, alerts.ListDestinationsParams{Offset: &from.Offset}, o...)
			return idsOf(all, func(d alerts.Destination) string { return d.ID })
		}},
	"logs": {byCursor, entryIDs(0, 50),
		func(c *rpcfleet.Client, from rpcfleet.PageError, o ...rpcfleet.CallOption) iter.Seq2[string, error] {
			query := anHour
			if from.Cursor != "" {
				query.NextAt = &from.Cursor
			}
			return idsOf(c.Logs.All(background, "ep1", query, o...), func(e admin.LogEntry) string { return e.RequestID })
		}},
	"transactions": {byCursor, entryIDs(0, 50),
		func(c *rpcfleet.Client, from rpcfleet.PageError, o ...rpcfleet.CallOption) iter.Seq2[string, error] {
			all := transactions(c, o...).After(from.Cursor).All(background)
			return idsOf(all, func(t graph.Transaction) string { return t.Hash })
		}},
}

func TestListings_areLazy(t *testing.T) {
	for kind, listing := range kinds {
		client, server := scripted(t, listing.pages)
		all := listing.all(client, rpcfleet.PageError{})
		assert.Empty(t, server.Requests(), "%s: nothing is sent before the loop", kind)
		seen := 0
		for _, err := range all {
			require.NoError(t, err)
			if seen++; seen == 10 {
				break
			}
		}
		assert.Len(t, server.Requests(), 1, "%s: a break sends nothing", kind)
		ids, err := collect(t, all)
		require.NoError(t, err)
		assert.Equal(t, listing.ids, ids, "%s: a second loop starts anew", kind)
	}
}

// TestListings_failOnceAndResume fails at the third page, after the items of earlier pages.
func TestListings_failOnceAndResume(t *testing.T) {
	for kind, listing := range kinds {
		for _, ahead := range []int{0, 1, 4} {
			var works atomic.Bool
			_, server := scripted(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				query, _ := url.QueryUnescape(r.URL.RawQuery)
				third := strings.Contains(query+"&", "offset=20&") || strings.Contains(query+string(body), "at 20")
				if third && !works.Load() {
					respondJSON(403, `{"error":"no","message":"no","errors":[{"message":"no"}]}`)(w, r)
					return
				}
				listing.pages(w, r)
			})
			client := server.client(t, rpcfleet.WithPrefetch(ahead))
			ids, err := collect(t, listing.all(client, rpcfleet.PageError{}))
			require.ErrorIs(t, err, rpcfleet.ErrForbidden)
			assert.Equal(t, listing.ids[:20], ids, kind)
			place := errorAs[*rpcfleet.PageError](t, err)
			if kind == "logs" || kind == "transactions" {
				assert.Equal(t, "at 20", place.Cursor)
				assert.NotContains(t, err.Error(), "at 20", "a cursor is not for printing")
				assert.Len(t, server.Requests(), 3, "nothing is sent after the failure")
			} else {
				assert.Equal(t, 20, place.Offset)
				assert.Contains(t, err.Error(), "(resume from offset 20)")
			}
			works.Store(true)
			rest, err := collect(t, listing.all(client, *place))
			require.NoError(t, err)
			assert.Equal(t, listing.ids[20:], rest, kind)
		}
	}
}

// TestABreakLeavesNothingBehind breaks off while pages are under way, and once while some have come already.
func TestABreakLeavesNothingBehind(t *testing.T) {
	for kind, listing := range kinds {
		for _, after := range []int{1, 10, 15} {
			t.Run(fmt.Sprintf("%s, after %d", kind, after), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var pages atomic.Int64
					service := &slow{pages: listing.pages, delay: func(int) time.Duration {
						return time.Second + time.Duration(pages.Add(1))*time.Millisecond
					}}
					client, bodies := service.client(t, rpcfleet.WithPrefetch(3))
					for range listing.all(client, rpcfleet.PageError{}, rpcfleet.WithPrefetch(0)) {
						break
					}
					before := bodies.idle()
					seen := 0
					for _, err := range listing.all(client, rpcfleet.PageError{}) {
						require.NoError(t, err)
						if seen++; seen == after {
							synctest.Wait()
							now, _, _ := service.counts()
							assert.Equal(t, kind != "destinations", now > 0, "requests are under way")
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
}

// TestBreak_waitsForWhatIsUnderWay although a request takes its time to notice that it is not wanted any more.
func TestBreak_waitsForWhatIsUnderWay(t *testing.T) {
	for kind, listing := range kinds {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := pipenet.Serve(t, &slow{pages: listing.pages, delay: evenly(time.Second)}).Transport
				var running atomic.Int64
				client := over(t, tripper(func(req *http.Request) (*http.Response, error) {
					running.Add(1)
					defer running.Add(-1)
					resp, err := base.RoundTrip(req)
					if err != nil {
						time.Sleep(time.Second)
					}
					return resp, err
				}), rpcfleet.WithBaseURL("http://localhost"), rpcfleet.WithPrefetch(4))
				for _, err := range listing.all(client, rpcfleet.PageError{}) {
					require.NoError(t, err)
					synctest.Wait()
					assert.Equal(t, kind != "destinations", running.Load() > 0, "a request is under way")
					break
				}
				assert.Zero(t, running.Load())
			})
		})
	}
}

// TestPrefetchByCursorIsOnePage has pages that take a second, and a loop that works for a second on each.
func TestPrefetchByCursorIsOnePage(t *testing.T) {
	var captured rpcfleet.Response
	for _, kind := range []string{"logs", "transactions"} {
		for name, test := range map[string]struct {
			options []rpcfleet.CallOption
			want    time.Duration
			seen    int
		}{
			"none":     {nil, 10 * time.Second, 1},
			"one":      {[]rpcfleet.CallOption{rpcfleet.WithPrefetch(1)}, 6 * time.Second, 2},
			"eight":    {[]rpcfleet.CallOption{rpcfleet.WithPrefetch(8)}, 6 * time.Second, 2},
			"captured": {[]rpcfleet.CallOption{rpcfleet.WithPrefetch(8), rpcfleet.WithResponse(&captured)}, 10 * time.Second, 1},
		} {
			t.Run(kind+", "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					service := &slow{pages: byCursor, delay: evenly(time.Second)}
					client, _ := service.client(t)
					start := time.Now()
					var ids []string
					for id, err := range kinds[kind].all(client, rpcfleet.PageError{}, test.options...) {
						require.NoError(t, err)
						if ids = append(ids, id); len(ids)%10 == 0 {
							time.Sleep(time.Second)
							synctest.Wait()
						}
						if len(ids) == 10 {
							_, _, seen := service.counts()
							assert.Equal(t, test.seen, seen)
						}
					}
					assert.Equal(t, entryIDs(0, 50), ids)
					assert.Equal(t, test.want, time.Since(start))
					_, most, seen := service.counts()
					assert.Equal(t, 1, most, "one request at a time")
					assert.Equal(t, 5, seen, "each page once")
				})
			})
		}
	}
}
