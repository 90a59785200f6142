package clienttest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

var (
	logStart = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.FixedZone("", 2*60*60))
	anHour   = admin.ListLogsParams{From: scalar.NewTime(logStart), To: scalar.NewTime(logStart.Add(time.Hour))}
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

// logs responses a log of n entries, with pages of at most largest. Its cursor is the number of the next entry.
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
		respondJSON(200, logPage(next, lines...))(w, r)
	}
}

// walkLog iterates over everything and returns the ids, and the error if one came.
func walkLog(t *testing.T, client *rpcfleet.Client, query admin.ListLogsParams) ([]string, error) {
	t.Helper()
	all := client.Logs.All(t.Context(), "ep1", query)
	return collect(t, idsOf(all, func(e admin.LogEntry) string { return e.RequestID }))
}

func entryIDs(from, to int) (ids []string) {
	for i := from; i < to; i++ {
		ids = append(ids, fmt.Sprint("r", i))
	}
	return ids
}

func TestListLogs(t *testing.T) {
	client, server := scripted(t, logs(5, 2))
	query := admin.ListLogsParams{From: scalar.NewTime(logStart), To: scalar.NewTime(logStart.Add(90 * time.Minute)),
		IncludeDetails: new(true), Limit: new(10), NextAt: new("at 1")}
	page, err := client.Logs.List(t.Context(), "ep1", query)
	require.NoError(t, err)
	assert.Equal(t, "at 1", page.Cursor)
	assert.Equal(t, "at 3", page.NextCursor)
	assert.False(t, page.Last())
	require.Len(t, page.Items, 2)
	assert.Equal(t, "r1", page.Items[0].RequestID)
	assert.True(t, logStart.Add(time.Second).Equal(page.Items[0].Timestamp.Time))
	assert.Nil(t, page.Items[0].ErrorCode)
	assert.NotContains(t, prints(t, page), "t0k3n")
	sent := server.Requests()[0]
	assert.Equal(t, "/v0/endpoints/ep1/logs", sent.Path)
	assert.Equal(t, "from=2026-03-01T10%3A00%3A00Z&to=2026-03-01T11%3A30%3A00Z&include_details=true&limit=10&next_at=at+1",
		sent.Query)

	_, err = client.Logs.List(t.Context(), "ep1", anHour)
	require.NoError(t, err)
	assert.Equal(t, "from=2026-03-01T10%3A00%3A00Z&to=2026-03-01T11%3A00%3A00Z", server.Requests()[1].Query,
		"what is not set is not sent")
}

func TestLogIteration(t *testing.T) {
	for _, test := range []struct{ n, largest, requests int }{{100, 7, 15}, {5, 100, 1}, {0, 100, 1}} {
		client, server := scripted(t, logs(test.n, test.largest))
		ids, err := walkLog(t, client, anHour)
		require.NoError(t, err)
		assert.Equal(t, entryIDs(0, test.n), ids)
		requests := server.Requests()
		require.Len(t, requests, test.requests)
		assert.NotContains(t, requests[0].Query, "next_at")
		for _, r := range requests {
			assert.Contains(t, r.Query, "limit=100", "the client's page size")
		}
	}
	for _, body := range []string{logPage(`""`, logLine("r0", logStart)), logPage(`null`, logLine("r0", logStart))} {
		client, server := scripted(t, respondJSON(200, body))
		ids, err := walkLog(t, client, anHour)
		require.NoError(t, err)
		assert.Equal(t, []string{"r0"}, ids)
		assert.Len(t, server.Requests(), 1)
	}
}

func TestALogInCirclesIsAnError(t *testing.T) {
	for name, test := range map[string]struct {
		pages [][2]string // The cursor behind each, and its entry.
		ids   []string
	}{
		"the cursor that was sent":             {[][2]string{{"a", "r0"}, {"a", "r1"}}, []string{"r0"}},
		"an earlier cursor":                    {[][2]string{{"a", "r0"}, {"b", "r1"}, {"a", "r2"}}, []string{"r0", "r1"}},
		"the same page with a fresh cursor":    {[][2]string{{"a", "r0"}, {"b", "r0"}}, []string{"r0"}},
		"the cursor of the start":              {[][2]string{{"a", "r0"}, {"start", "r1"}}, []string{"r0"}},
		"an empty page with an earlier cursor": {[][2]string{{"a", "r0"}, {"a", ""}}, []string{"r0"}},
	} {
		t.Run(name, func(t *testing.T) {
			var lines []responder
			for _, page := range test.pages {
				var entries []string
				if page[1] != "" {
					entries = []string{logLine(page[1], logStart)}
				}
				lines = append(lines, respondJSON(200, logPage(strconv.Quote(page[0]), entries...)))
			}
			for _, ahead := range []int{0, 1} {
				_, server := scripted(t, lines...)
				query := anHour
				query.NextAt = new("start")
				ids, err := walkLog(t, server.client(t, rpcfleet.WithPrefetch(ahead)), query)
				require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage)
				assert.Equal(t, test.ids, ids)
				assert.Len(t, server.Requests(), len(lines))
			}
		})
	}
}

func TestEmptyPagesAreFollowedButNotForEver(t *testing.T) {
	client, server := scripted(t,
		respondJSON(200, logPage(`"a"`)), respondJSON(200, logPage(`"b"`)),
		respondJSON(200, logPage(`"c"`, logLine("r0", logStart))), respondJSON(200, logPage(`null`, logLine("r1", logStart))))
	ids, err := walkLog(t, client, anHour)
	require.NoError(t, err)
	assert.Equal(t, entryIDs(0, 2), ids)

	server.Play(respondJSON(200, logPage(`"a"`)), respondJSON(200, logPage(`null`, logLine("r0", logStart))))
	for page, err := range client.Logs.Pages(t.Context(), "ep1", anHour) {
		require.NoError(t, err)
		assert.NotEmpty(t, page.Items, "an empty page is not delivered")
	}

	// emptyUntil responds with empty pages, and with an entry at one point.
	emptyUntil := func(entry int) responder {
		return func(w http.ResponseWriter, r *http.Request) {
			page, _ := strconv.Atoi(r.URL.Query().Get("next_at"))
			var lines []string
			if page == entry {
				lines = append(lines, logLine("r0", logStart))
			}
			respondJSON(200, logPage(fmt.Sprintf(`"%d"`, page+1), lines...))(w, r)
		}
	}
	for entry, requests := range map[int]int{-1: 1001, 600: 1602} {
		client, server := scripted(t, emptyUntil(entry))
		_, err = walkLog(t, client, anHour)
		require.ErrorIs(t, err, rpcfleet.ErrRepeatedPage)
		assert.Len(t, server.Requests(), requests)
	}
}

func TestLogPagesWithoutRequestIDs(t *testing.T) {
	client, _ := scripted(t,
		respondJSON(200, logPage(`"a"`, logLine("", logStart))),
		respondJSON(200, logPage(`null`, logLine("", logStart.Add(1)))))
	ids, err := walkLog(t, client, anHour)
	require.NoError(t, err, "pages that differ in their times only are different pages")
	assert.Len(t, ids, 2)
}

// TestPageSizeOfLogs: the client's page size is lowered to the documented limit for logs. The caller's own limit is
// not.
func TestPageSizeOfLogs(t *testing.T) {
	_, server := scripted(t, logs(3, 100))
	for _, test := range []struct {
		size, query int
		want        string
	}{
		{33, 0, "limit=33"}, {100, 0, "limit=100"}, {101, 0, "limit=100"}, {250, 200, "limit=200"},
	} {
		server.Play(logs(3, 100))
		before := len(server.Requests())
		client, query := server.client(t, rpcfleet.WithPageSize(test.size)), anHour
		if test.query != 0 {
			query.Limit = &test.query
		}
		_, err := walkLog(t, client, query)
		require.NoError(t, err)
		follow := rpcfleet.FollowOptions{From: anHour.From.Time, PageLimit: test.query}
		for _, err := range client.Logs.Follow(t.Context(), []string{"ep1"}, follow) {
			require.NoError(t, err)
			break
		}
		requests := server.Requests()[before:]
		require.Len(t, requests, 2)
		for _, r := range requests {
			assert.Contains(t, r.Query+"&", test.want+"&")
		}
	}
}
