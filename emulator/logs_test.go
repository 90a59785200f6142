package emulator_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type logEntry struct {
	Timestamp  time.Time          `json:"timestamp"`
	Method     string             `json:"method"`
	Network    string             `json:"network"`
	HTTPMethod string             `json:"http_method"`
	Status     int                `json:"status"`
	ErrorCode  *int               `json:"error_code"`
	URL        string             `json:"url"`
	RequestID  string             `json:"request_id"`
	Details    *map[string]string `json:"details"`
}

type logPage struct {
	Data   []logEntry `json:"data"`
	NextAt string     `json:"next_at"`
}

func (p logPage) ids() []string {
	var ids []string
	for _, entry := range p.Data {
		ids = append(ids, entry.RequestID)
	}
	return ids
}

// logPath is the path of an endpoint's log around the tests' time. Further parameters can follow.
func logPath(endpoint string) string {
	return "/v0/endpoints/" + endpoint + "/logs?from=2026-03-10T00:00:00Z&to=2026-03-11T00:00:00Z"
}

func (s *service) logs(path string) logPage {
	s.t.Helper()
	return bodyOf[logPage](s.get(path).ok())
}

// allLogs follows the cursors of a listing to its end.
func (s *service) allLogs(path string) []string {
	s.t.Helper()
	return s.restOfLogs(path, "")
}

// restOfLogs does so from a cursor on.
func (s *service) restOfLogs(path, cursor string) []string {
	s.t.Helper()
	var ids []string
	for {
		page := s.logs(path + "&next_at=" + url.QueryEscape(cursor))
		ids = append(ids, page.ids()...)
		if cursor = page.NextAt; cursor == "" {
			return ids
		}
		require.Less(s.t, len(ids), 100_000, "the listing does not end")
	}
}

func (s *service) log(endpoint string, entries ...emulator.LoggedCall) []string {
	s.t.Helper()
	ids, err := s.AppendLog(endpoint, entries...)
	require.NoError(s.t, err)
	require.Len(s.t, ids, len(entries))
	return ids
}

// calls are n calls, a second apart, from the tests' time on.
func calls(n int) []emulator.LoggedCall {
	var entries []emulator.LoggedCall
	for i := range n {
		entries = append(entries, emulator.LoggedCall{Method: "eth_call", Timestamp: start.Add(time.Duration(i) * time.Second)})
	}
	return entries
}

func TestLogEntries(t *testing.T) {
	s := startService(t)
	created := s.create()
	assert.JSONEq(t, `{"data": []}`, string(s.get(logPath(created.ID)).ok().body))

	ids := s.log(created.ID,
		emulator.LoggedCall{Method: "eth_blockNumber"},
		emulator.LoggedCall{
			Timestamp: start.Add(time.Minute + 1999*time.Nanosecond).In(time.FixedZone("", 3600)),
			RequestID: "6F1A2B3C-D7A8-11EE-8C90-0242AC120002", Method: "eth_call", Network: "base-mainnet", HTTPMethod: "GET",
			Status: 429, ErrorCode: new(-32005), URL: "https://sample.example.com/made-up/", Request: "asked", Response: "answered",
		},
		emulator.LoggedCall{Method: "eth_getLogs", Timestamp: start.Add(time.Hour), ErrorCode: new(-32000)},
	)
	want := []logEntry{
		{start, "eth_blockNumber", "ethereum-mainnet", "POST", 200, nil, created.HTTPURL, ids[0], nil},
		{start.Add(time.Minute + time.Microsecond), "eth_call", "base-mainnet", "GET", 429, new(-32005),
			"https://sample.example.com/made-up/", "6f1a2b3c-d7a8-11ee-8c90-0242ac120002", nil},
		{start.Add(time.Hour), "eth_getLogs", "ethereum-mainnet", "POST", 200, new(-32000), created.HTTPURL, ids[2], nil},
	}
	assert.Equal(t, logPage{Data: want}, s.logs(logPath(created.ID)))
	assert.Equal(t, logPage{Data: want}, s.logs(logPath(created.ID)+"&include_details=false"))

	details := []map[string]string{
		{"request": `{"id":1,"jsonrpc":"2.0","method":"eth_blockNumber","params":[]}`,
			"response": `{"id":1,"jsonrpc":"2.0","result":null}`},
		{"request": "asked", "response": "answered"},
		{"request": `{"id":1,"jsonrpc":"2.0","method":"eth_getLogs","params":[]}`,
			"response": `{"error":{"code":-32000,"message":"the call failed"},"id":1,"jsonrpc":"2.0"}`},
	}
	for i := range want {
		want[i].Details = &details[i]
		path := "/v0/endpoints/" + created.ID + "/log_details?request_id="
		assert.Equal(t, details[i], dataOf[map[string]string](s.get(path+ids[i])))
		assert.Equal(t, details[i], dataOf[map[string]string](s.get(path+strings.ToUpper(ids[i]))))
	}
	assert.Equal(t, logPage{Data: want}, s.logs(logPath(created.ID)+"&include_details=true"))
}

// TestRequestIDs checks the ids that the emulator makes against what a time-based UUID of version 1 is.
func TestRequestIDs(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	seen := make(map[string]bool)
	for i, request := range s.log(id, append(calls(20), calls(20)...)...) {
		var low, middle, high, sequence, node uint64
		read, err := fmt.Sscanf(request, "%08x-%04x-%04x-%04x-%012x", &low, &middle, &high, &sequence, &node)
		require.NoError(t, err, "%d of %s", read, request)
		require.Len(t, request, 36)
		assert.EqualValues(t, 1, high>>12, "version")
		assert.EqualValues(t, 0b10, sequence>>14, "variant")
		ticks := int64(low | middle<<32 | high&0xfff<<48)
		epoch := time.Date(1582, time.October, 15, 0, 0, 0, 0, time.UTC).Unix()
		assert.Equal(t, (start.Unix()+int64(i%20)-epoch)*10_000_000, ticks)
		assert.False(t, seen[request], "an id twice")
		seen[request] = true
	}
}

func TestLogPaging(t *testing.T) {
	for _, paging := range []struct {
		logged, pageCap, limit int
		pages                  []int
	}{
		{0, 1000, 0, []int{0}},
		{100, 1000, 0, []int{100}},
		{101, 1000, 0, []int{100, 1}},
		{10, 1000, 4, []int{4, 4, 2}},
		{8, 1000, 4, []int{4, 4}},
		{10, 3, 100, []int{3, 3, 3, 1}},
		{10, 3, 0, []int{3, 3, 3, 1}},
		{3, 3, 1, []int{1, 1, 1}},
	} {
		t.Run(fmt.Sprintf("%+v", paging), func(t *testing.T) {
			s := startService(t, emulator.WithLogPageCap(paging.pageCap))
			ids := s.CreateEndpoints(2)
			s.log(ids[1], calls(5)...)
			logged := s.log(ids[0], calls(paging.logged)...)
			path := logPath(ids[0])
			if paging.limit > 0 {
				path += fmt.Sprintf("&limit=%d", paging.limit)
			}
			var got []string
			cursor := ""
			for i, size := range paging.pages {
				page := s.logs(path + "&next_at=" + url.QueryEscape(cursor))
				require.Len(t, page.Data, size)
				got = append(got, page.ids()...)
				assert.Equal(t, i == len(paging.pages)-1, page.NextAt == "", "page %d", i)
				cursor = page.NextAt
			}
			assert.Equal(t, len(logged), len(got))
			assert.Subset(t, got, logged)
			if paging.logged > 0 {
				assert.Equal(t, logged, got, "the oldest comes first")
			}
		})
	}
}

func TestLogRange(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	logged := s.log(id, calls(10)...)
	between := func(from, to time.Duration, more, cursor string) []string {
		query := url.Values{
			"from": {start.Add(from).Format(time.RFC3339Nano)},
			"to":   {start.Add(to).In(time.FixedZone("", -7200)).Format(time.RFC3339Nano)},
		}
		return s.restOfLogs("/v0/endpoints/"+id+"/logs?"+query.Encode()+more, cursor)
	}
	const second = time.Second
	assert.Equal(t, logged, between(0, 9*second, "", ""))
	assert.Equal(t, logged[2:6], between(2*second, 5*second, "", ""), "both ends are part of the range")
	assert.Equal(t, logged[3:5], between(2*second+1, 5*second-1, "", ""))
	assert.Equal(t, logged[4:5], between(4*second, 4*second, "", ""))
	assert.Empty(t, between(10*second, 20*second, "", ""))
	assert.Equal(t, logged[2:6], between(2*second, 5*second, "&limit=3", ""))

	// A cursor that stands before or behind another range neither widens it nor breaks it.
	first := s.logs(logPath(id) + "&limit=1").NextAt
	assert.Equal(t, logged[2:6], between(2*second, 5*second, "", first))
	late := s.logs(logPath(id) + "&limit=8").NextAt
	assert.Empty(t, between(2*second, 5*second, "", late))
}

func TestLogRefusals(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	s.log(id, calls(3)...)
	const to, from = "to=2026-03-11T00:00:00Z", "from=2026-03-10T00:00:00Z"
	for query, reason := range map[string]string{
		"":                                "from",
		from:                              "to",
		to:                                "from",
		"from=2026-03-10&" + to:           "from",
		from + "&to=2026-03-11T00:00":     "to",
		"from=yesterday&" + to:            "from",
		"from=1773135000&" + to:           "from",
		from + "&to=":                     "to",
		"from=2026-03-12T00:00:00Z&" + to: "from",
		from + "&" + to + "&limit=0":      "limit",
		from + "&" + to + "&limit=-1":     "limit",
		from + "&" + to + "&limit=many":   "limit",
		from + "&" + to + "&include_details=perhaps": "include_details",
		from + "&" + to + "&next_at=page-2":          "next_at",
		from + "&" + to + "&next_at=MS4x":            "next_at",
	} {
		s.get("/v0/endpoints/"+id+"/logs?"+query).refused(http.StatusBadRequest, reason)
	}
	for request, status := range map[string]int{
		"6f1a2b3c-d7a8-11ee-8c90-0242ac120002":  http.StatusNotFound,
		"6f1a2b3c-d7a8-71ee-8c90-0242ac120002":  http.StatusNotFound,
		"3f2b8a52-6d0c-4c7e-9a53-0d6f6c1e2b47":  http.StatusBadRequest,
		"6f1a2b3c-d7a8-11ee-cc90-0242ac120002":  http.StatusBadRequest,
		"6f1a2b3cd7a811ee8c900242ac120002":      http.StatusBadRequest,
		"x6f1a2b3c-d7a8-11ee-8c90-0242ac120002": http.StatusBadRequest,
		"":                                      http.StatusBadRequest,
	} {
		reason := map[int]string{http.StatusNotFound: "log entry", http.StatusBadRequest: "request_id"}[status]
		s.get("/v0/endpoints/"+id+"/log_details?request_id="+request).refused(status, reason)
	}
	s.get("/v0/endpoints/"+id+"/log_details").refused(http.StatusBadRequest, "request_id")
	other := s.create().ID
	logged := s.log(id, emulator.LoggedCall{Method: "eth_call"})[0]
	s.get("/v0/endpoints/"+other+"/log_details?request_id="+logged).refused(http.StatusNotFound, "log entry")
}
