package clienttest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/graph"
)

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
	transactionPage(next, expectedLog(first, first+10)...)(w, r)
}

// cursorListings iterate over the two kinds of listings by cursor.
var cursorListings = map[string]func(context.Context, *rpcfleet.Client,
	...rpcfleet.CallOption) iter.Seq2[string, error]{
	"logs": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) iter.Seq2[string, error] {
		return identified(c.Logs.All(ctx, "ep1", anHour, opts...), func(e admin.LogEntry) string { return e.RequestID })
	},
	"graph": func(ctx context.Context, c *rpcfleet.Client, opts ...rpcfleet.CallOption) iter.Seq2[string, error] {
		return identified(c.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}, opts...).All(ctx),
			func(t graph.Transaction) string { return t.Hash })
	},
	"graph, after nothing": func(ctx context.Context, c *rpcfleet.Client,
		opts ...rpcfleet.CallOption) iter.Seq2[string, error] {
		return identified(c.Graph.Transactions(graph.ChainEthereum, graph.TransactionsParams{}, opts...).After("").All(ctx),
			func(t graph.Transaction) string { return t.Hash })
	},
}

// TestPrefetchByCursorIsOnePage has pages that take a second, and a loop that works for a second on each.
func TestPrefetchByCursorIsOnePage(t *testing.T) {
	var captured rpcfleet.Response
	for kind, list := range cursorListings {
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
					for id, err := range list(t.Context(), client, test.options...) {
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
					assert.Equal(t, expectedLog(0, 50), ids)
					assert.Equal(t, test.want, time.Since(start))
					_, most, seen := service.counts()
					assert.Equal(t, 1, most, "one request at a time")
					assert.Equal(t, 5, seen, "each page once")
				})
			})
		}
	}
}

func TestABreakByCursorLeavesNothingBehind(t *testing.T) {
	for kind, list := range cursorListings {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &slow{pages: byCursor, delay: evenly(time.Second)}
				client, bodies := service.client(t)
				for range list(t.Context(), client) {
					break
				}
				before := bodies.idle()
				for _, err := range list(t.Context(), client, rpcfleet.WithPrefetch(4)) {
					require.NoError(t, err)
					synctest.Wait()
					now, _, _ := service.counts()
					assert.Equal(t, 1, now, "a request is under way")
					break
				}
				synctest.Wait()
				now, _, _ := service.counts()
				assert.Zero(t, now, "no request")
				assert.Zero(t, bodies.open.Load(), "no open body")
				assert.Equal(t, before, bodies.idle(), "no goroutine")
			})
		})
	}
}

// TestPrefetchByCursorFailsInItsPlace: the error of a page is reported after the items before it, and nothing is
// requested beyond it.
func TestPrefetchByCursorFailsInItsPlace(t *testing.T) {
	for name, test := range map[string]struct {
		third responder
		want  error
	}{
		"a failure":        {respondJSON(404, `{"data":null,"error":"gone"}`), rpcfleet.ErrNotFound},
		"an earlier page":  {respondJSON(200, logPage(`"c"`, logLine("r0", logStart))), rpcfleet.ErrRepeatedPage},
		"an earlier place": {respondJSON(200, logPage(`"a"`, logLine("r2", logStart))), rpcfleet.ErrRepeatedPage},
	} {
		t.Run(name, func(t *testing.T) {
			_, server := scripted(t, respondJSON(200, logPage(`"a"`, logLine("r0", logStart))),
				respondJSON(200, logPage(`"b"`, logLine("r1", logStart))), test.third)
			ids, err := walkLog(t, server.client(t, rpcfleet.WithPrefetch(1)), anHour)
			require.ErrorIs(t, err, test.want)
			place := errorAs[*rpcfleet.PageError](t, err)
			assert.Equal(t, "b", place.Cursor)
			assert.Equal(t, expectedLog(0, 2), ids)
			assert.Len(t, server.Requests(), 3)
		})
	}
}

func TestFollowIsReadPageByPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slow{pages: logs(50, 10), delay: evenly(time.Second)}
		client, _ := service.client(t, rpcfleet.WithPrefetch(4))
		options := rpcfleet.FollowOptions{From: time.Now().Add(-time.Hour), LateWindow: 1e6 * time.Hour}
		for _, err := range client.Logs.Follow(t.Context(), []string{"ep1"}, options) {
			require.NoError(t, err)
			synctest.Wait()
			now, _, _ := service.counts()
			assert.Zero(t, now)
			break
		}
	})
}
