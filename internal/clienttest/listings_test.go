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

// byCursor responds to both kinds of listings by cursor with five pages of ten.
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
	transactionPage(next, numbered("r", first, first+10)...)(w, r)
}

// kinds are the kinds of listings, each with a service of 50 items in pages of ten.
var kinds = map[string]struct {
	pages responder
	ids   []string
}{
	"endpoints":    {lists(50, 10, 50), numbered("ep", 0, 50)},
	"destinations": {(&listing{ids: numbered("t", 0, 50), bare: true, largest: 10}).ServeHTTP, numbered("t", 0, 50)},
	"logs":         {byCursor, numbered("r", 0, 50)},
	"transactions": {byCursor, numbered("r", 0, 50)},
}

// allOf iterates over a listing of a kind, from the place where another iteration failed.
func allOf(kind string, c *rpcfleet.Client, at rpcfleet.PageError, o ...rpcfleet.CallOption) iter.Seq2[string, error] {
	switch kind {
	case "endpoints":
		return idsOf(c.Endpoints.All(background, admin.ListEndpointsParams{Offset: &at.Offset}, o...), endpointID)
	case "destinations":
		return idsOf(c.Destinations.All(background, alerts.ListDestinationsParams{Offset: &at.Offset}, o...), destinationID)
	case "logs":
		query := anHour
		if at.Cursor != "" {
			query.NextAt = &at.Cursor
		}
		return idsOf(c.Logs.All(background, "ep1", query, o...), func(e admin.LogEntry) string { return e.RequestID })
	}
	return idsOf(transactions(c, o...).After(at.Cursor).All(background), hashOf)
}

func endpointID(e admin.Endpoint) string { return e.ID }

func hashOf(t graph.Transaction) string { return t.Hash }

func TestListings_areLazy(t *testing.T) {
	for kind, listing := range kinds {
		client, server := scripted(t, listing.pages)
		all := allOf(kind, client, rpcfleet.PageError{})
		assert.Empty(t, server.Requests(), "%s: nothing is sent before the loop", kind)
		seen := 0
		for _, err := range all {
			require.NoError(t, err)
			if seen++; seen == 10 {
				break
			}
		}
		assert.Len(t, server.Requests(), 1, "%s: a break sends nothing", kind)
		assert.Equal(t, listing.ids, must(collect(t, all))(t), "%s: a second loop starts anew", kind)
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
				third := strings.Contains(query+"&", "offset=18&") || strings.Contains(query+string(body), "at 20")
				if third && !works.Load() {
					respondJSON(403, `{"error":"no","message":"no","errors":[{"message":"no"}]}`)(w, r)
					return
				}
				listing.pages(w, r)
			})
			client := server.client(t, rpcfleet.WithPrefetch(ahead))
			ids, err := collect(t, allOf(kind, client, rpcfleet.PageError{}))
			require.ErrorIs(t, err, rpcfleet.ErrForbidden)
			place, came := errorAs[*rpcfleet.PageError](t, err), 19
			if kind == "logs" || kind == "transactions" {
				came = 20
				assert.Equal(t, "at 20", place.Cursor)
				assert.NotContains(t, err.Error(), "at 20", "a cursor is not for printing")
				assert.Contains(t, err.Error(), "(a cursor to resume from is in the error)")
				assert.Len(t, server.Requests(), 3, "nothing is sent after the failure")
			} else {
				assert.Equal(t, 19, place.Offset)
				assert.Contains(t, err.Error(), "(resume from offset 19)")
			}
			assert.Equal(t, listing.ids[:came], ids, kind)
			works.Store(true)
			assert.Equal(t, listing.ids[came:], must(collect(t, allOf(kind, client, *place)))(t), kind)
		}
	}
}

// TestAll_endLeavesNothingBehind, by a break or a panic, also of requests that take their time to notice it.
func TestAll_endLeavesNothingBehind(t *testing.T) {
	for kind, listing := range kinds {
		for name, test := range map[string]struct {
			after  int
			late   time.Duration
			panics bool
		}{
			"on a page": {1, 0, false}, "behind a page": {10, 0, false}, "on the second page": {15, 0, false},
			"a panic": {1, 0, true}, "a late request": {1, time.Second, false},
		} {
			bubble(t, kind+", "+name, func(t *testing.T) {
				var pages atomic.Int64
				service := &slow{pages: listing.pages, delay: func(int) time.Duration {
					return time.Second + time.Duration(pages.Add(1))*time.Millisecond
				}}
				client, bodies := service.client(t, rpcfleet.WithPrefetch(3))
				bodies.late = test.late
				for range allOf(kind, client, rpcfleet.PageError{}, rpcfleet.WithPrefetch(0)) {
					break
				}
				before, seen, ends := bodies.idle(), 0, time.Time{}
				read := func() {
					for _, err := range allOf(kind, client, rpcfleet.PageError{}) {
						require.NoError(t, err)
						if seen++; seen < test.after {
							continue
						}
						synctest.Wait()
						now, _, _ := service.counts()
						assert.Equal(t, kind != "destinations", now > 0, "requests are under way")
						if ends = time.Now(); test.panics {
							panic("in the loop")
						}
						break
					}
				}
				if test.panics {
					assert.PanicsWithValue(t, "in the loop", read)
				} else {
					read()
				}
				assert.Zero(t, bodies.running.Load(), "no request")
				if kind == "destinations" {
					test.late = 0
				}
				assert.Equal(t, test.late, time.Since(ends), "nothing has had the time to come to its end")
				synctest.Wait()
				assert.Zero(t, bodies.open.Load(), "no open body")
				assert.Equal(t, before, bodies.idle(), "no goroutine")
			})
		}
	}
}

// TestAll_cursorPrefetchesOnePage has pages that take a second, and a loop that works for a second on each.
func TestAll_cursorPrefetchesOnePage(t *testing.T) {
	var captured rpcfleet.Response
	for _, kind := range []string{"logs", "transactions"} {
		for name, test := range map[string]struct {
			options opts
			want    time.Duration
			seen    int
		}{
			"none":     {nil, 10 * time.Second, 1},
			"one":      {opts{rpcfleet.WithPrefetch(1)}, 6 * time.Second, 2},
			"eight":    {opts{rpcfleet.WithPrefetch(8)}, 6 * time.Second, 2},
			"captured": {opts{rpcfleet.WithPrefetch(8), rpcfleet.WithResponse(&captured)}, 10 * time.Second, 1},
		} {
			bubble(t, kind+", "+name, func(t *testing.T) {
				service := &slow{pages: byCursor, delay: evenly(time.Second)}
				client, _ := service.client(t)
				start := time.Now()
				var ids []string
				for id, err := range allOf(kind, client, rpcfleet.PageError{}, test.options...) {
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
				assert.Equal(t, numbered("r", 0, 50), ids)
				assert.Equal(t, test.want, time.Since(start))
				_, most, seen := service.counts()
				assert.Equal(t, 1, most, "one request at a time")
				assert.Equal(t, 5, seen, "each page once")
			})
		}
	}
}

var (
	logStart = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.FixedZone("", 2*60*60))
	anHour   = admin.ListLogsParams{From: logStart, To: logStart.Add(time.Hour)}
)

// logLine is an entry as the service spells it.
func logLine(id string, at time.Time) string {
	return fmt.Sprintf(`{"timestamp":%q,"method":"eth_call","network":"mainnet","http_method":"POST","status":200,`+
		`"error_code":null,"url":"https://a.example.com/t0k3n/","request_id":%q}`, at.UTC().Format(time.RFC3339Nano), id)
}

// logPage is a page as the service spells it; next is JSON.
func logPage(next string, lines ...string) string {
	return `{"data":[` + strings.Join(lines, ",") + `],"next_at":` + next + `}`
}

// entries responds with a page of a log: entries of a time or, if it is zero, of the present. An empty next ends it.
func entries(at time.Time, next string, ids ...string) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		lines, at := make([]string, len(ids)), at
		if at.IsZero() {
			at = time.Now()
		}
		for i, id := range ids {
			lines[i] = logLine(id, at)
		}
		ok(logPage(strconv.Quote(next), lines...))(w, r)
	}
}

// logs responds with a log of n entries, with pages of at most largest. Its cursor is the number of the next entry.
func logs(n, largest int) responder {
	return func(w http.ResponseWriter, r *http.Request) {
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		first, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Query().Get("next_at"), "at "))
		var lines []string
		last := min(first+min(limit, largest), n)
		for i := first; i < last; i++ {
			lines = append(lines, logLine(fmt.Sprint("r", i), logStart.Add(time.Duration(i)*time.Second)))
		}
		next := "null"
		if last < n {
			next = fmt.Sprintf(`"at %d"`, last)
		}
		ok(logPage(next, lines...))(w, r)
	}
}

// scriptOf returns the pages of a listing by cursor as logs and as transactions. The pages are separated by bars. Each
// has its ids, of which a dash is empty, and behind an arrow the cursor of the next page.
func scriptOf(script string) map[string][]responder {
	lines := map[string][]responder{}
	for i, page := range strings.Split(script, "|") {
		text, next, _ := strings.Cut(page, ">")
		ids := strings.Fields(strings.ReplaceAll(text, "-", `""`))
		for j, id := range ids {
			ids[j] = strings.Trim(id, `"`)
		}
		next = strings.TrimSpace(next)
		lines["logs"] = append(lines["logs"], entries(logStart.Add(time.Duration(i)), next, ids...))
		lines["transactions"] = append(lines["transactions"], transactionPage(next, ids...))
	}
	return lines
}

func TestLogsAll_repeatedCursorIsError(t *testing.T) {
	operations := map[string]string{"logs": "listLogs", "transactions": "ListTransactions"}
	for name, test := range map[string]struct{ script, resume string }{
		"the cursor that was sent":             {"r0 >a | r1 >a", "a"},
		"an earlier cursor":                    {"r0 >a | r1 >b | r2 >a", "b"},
		"the same page with a fresh cursor":    {"r0 >a | r0 >b", "a"},
		"the cursor of the start":              {"r0 >a | r1 >start", "a"},
		"an empty page with an earlier cursor": {"r0 >a | >a", "a"},
	} {
		for kind, lines := range scriptOf(test.script) {
			for _, ahead := range []int{0, 1} {
				client, server := scriptedWith(t, with{rpcfleet.WithPrefetch(ahead)}, lines...)
				ids, err := collect(t, allOf(kind, client, rpcfleet.PageError{Cursor: "start"}))
				require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage, "%s, %s", kind, name)
				require.ErrorContains(t, err, operations[kind])
				assert.Equal(t, test.resume, errorAs[*rpcfleet.PageError](t, err).Cursor)
				assert.Equal(t, numbered("r", 0, len(lines)-1), ids)
				assert.Len(t, server.Requests(), len(lines))
			}
		}
	}
}

// TestAll_cursorOmitsItemsOfEarlierPages has pages that overlap, as if new items came first and moved the others on.
func TestAll_cursorOmitsItemsOfEarlierPages(t *testing.T) {
	thousands := func(n int) (script string) {
		for i := range n {
			script += fmt.Sprintf("%s >%d |", strings.Join(numbered("r", 1000*i, 1000*i+1000), " "), i)
		}
		return script
	}
	for name, test := range map[string]struct {
		script string
		want   []string
	}{
		"one page":                    {"r0", numbered("r", 0, 1)},
		"empty pages":                 {">a | >b | r0 >c | >d | r1", numbered("r", 0, 2)},
		"the last item again":         {"r0 r1 >a | r1 r2 >b | r2 r3", numbered("r", 0, 4)},
		"more than a page again":      {"r0 r1 r2 >a | r3 >b | r1 r2 r3 >c | r4", numbered("r", 0, 5)},
		"known items alone":           {"r0 r1 r2 >a | r2 >b | r1 r2 >c | r3", numbered("r", 0, 4)},
		"one of the last 10,000":      {thousands(10) + "r0 r10000", numbered("r", 0, 10_001)},
		"one before the last 10,000":  {thousands(20) + "r0", append(numbered("r", 0, 20_000), "r0")},
		"a cursor like an id":         {"r0 >r0 | r1", numbered("r", 0, 2)},
		"ids that are not items' own": {"- - >a | - - -", make([]string, 5)},
		"ids that occur twice":        {"r0 r0 >a | r0 r0 r1", []string{"r0", "r0", "r0", "r0", "r1"}},
	} {
		for kind, lines := range scriptOf(test.script) {
			client, server := scripted(t, lines...)
			assert.Equal(t, test.want, must(collect(t, allOf(kind, client, rpcfleet.PageError{})))(t), "%s, %s", kind, name)
			assert.Len(t, server.Requests(), len(lines))
		}
	}
}

// TestLogs_withoutRequestIDs are compared by their other fields.
func TestLogs_withoutRequestIDs(t *testing.T) {
	lines := scriptOf("- >a | -")["logs"]
	client, server := scripted(t, lines...)
	all := allOf("logs", client, rpcfleet.PageError{})
	assert.Len(t, must(collect(t, all))(t), 2, "the times differ")
	server.Play(lines[0], scriptOf("- >b")["logs"][0])
	ids, err := collect(t, all)
	require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage)
	assert.Len(t, ids, 1)
}

// TestLogsAll_followsLimitedNumberOfEmptyPages has pages with new cursors without an end.
func TestLogsAll_followsLimitedNumberOfEmptyPages(t *testing.T) {
	ten := numbered("r", 0, 10)
	for name, test := range map[string]struct {
		has            func(page, entry int) bool // Reports which of ten entries are on a page.
		came, requests int
	}{
		"nothing":                   {func(_, _ int) bool { return false }, 0, 1001},
		"an entry on the way":       {func(page, entry int) bool { return page == 600 && entry == 0 }, 1, 1602},
		"all sets of known entries": {func(page, entry int) bool { return (1023-page)&(1<<entry) != 0 }, 10, 1002},
	} {
		client, server := scripted(t, func(w http.ResponseWriter, r *http.Request) {
			page, _ := strconv.Atoi(r.URL.Query().Get("next_at"))
			var ids []string
			for entry, id := range ten {
				if test.has(page, entry) {
					ids = append(ids, id)
				}
			}
			entries(logStart, strconv.Itoa(page+1), ids...)(w, r)
		})
		var failure error
		came := 0
		for page, err := range client.Logs.Pages(t.Context(), "ep1", anHour) {
			if failure = err; err == nil {
				assert.NotEmpty(t, page.Items, "an empty page is not delivered")
				came += len(page.Items)
			}
		}
		require.ErrorIs(t, failure, rpcfleet.ErrRepeatedPage)
		assert.Equal(t, test.came, came, name)
		assert.Len(t, server.Requests(), test.requests, name)
	}
}

// TestLogs_pageSize: the client's page size is lowered to the documented limit for logs. The caller's own limit is not.
func TestLogs_pageSize(t *testing.T) {
	for _, test := range []struct {
		size, query int
		want        string
	}{
		{33, 0, "33"}, {100, 0, "100"}, {101, 0, "100"}, {250, 200, "200"},
	} {
		client, server := scriptedWith(t, with{rpcfleet.WithPageSize(test.size)}, logs(3, 100))
		query := anHour
		if test.query != 0 {
			query.Limit = &test.query
		}
		require.NoError(t, run(client.Logs.All(t.Context(), "ep1", query)))
		follow := rpcfleet.FollowOptions{From: anHour.From, PageLimit: test.query}
		require.NoError(t, first(client.Logs.Follow(t.Context(), []string{"ep1"}, follow)))
		require.Len(t, server.Requests(), 2)
		for _, r := range server.Requests() {
			assert.Equal(t, test.want, queryOf(t, r).Get("limit"))
		}
	}
}
