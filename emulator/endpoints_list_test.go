package emulator_test

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type listedEndpoint struct {
	singleEndpoint
	Name        string `json:"name"`
	IsDedicated bool   `json:"is_dedicated"`
	IsFlatRate  bool   `json:"is_flat_rate"`
}

type endpointPage struct {
	Data       []listedEndpoint `json:"data"`
	Error      *string          `json:"error"`
	Pagination struct {
		Total  int `json:"total"`
		Limit  int `json:"limit"`
		Offset int `json:"offset"`
	} `json:"pagination"`
}

func (p endpointPage) ids() []string {
	ids := make([]string, 0, len(p.Data))
	for _, endpoint := range p.Data {
		ids = append(ids, endpoint.ID)
	}
	return ids
}

func (s *service) list(query string) endpointPage {
	s.t.Helper()
	page := bodyOf[endpointPage](s.get("/v0/endpoints?" + query).ok())
	require.Nil(s.t, page.Error)
	return page
}

// handful is a few endpoints, each different from the others, known by their labels.
type handful struct {
	*service
	labels map[string]string // by id
	ids    map[string]string // by label
}

func startFleet(t *testing.T) handful {
	now := start
	clock := func() time.Time { return now }
	f := handful{startService(t, emulator.WithClock(clock)), map[string]string{}, map[string]string{}}
	for _, spec := range []emulator.EndpointSpec{
		{Label: "delta", Chain: "polygon", Network: "polygon-mainnet", Tags: []string{"red", "blue"}},
		{Label: "Alpha", Chain: "ethereum", Network: "ethereum-mainnet", Paused: true, Dedicated: true},
		{Label: "charlie", Chain: "base", Network: "base-mainnet", Tags: []string{"red"}, FlatRate: true},
		{Label: "bravo", Chain: "ethereum", Network: "ethereum-mainnet", Tags: []string{"blue"}, Dedicated: true},
		{Label: "", Chain: "ethereum", Network: "ethereum-sepolia", Paused: true, Tags: []string{"green"}},
	} {
		id, err := f.AddEndpoint(spec)
		require.NoError(t, err)
		f.labels[id], f.ids[spec.Label] = spec.Label, id
		now = now.Add(time.Minute)
	}
	return f
}

// listed is the labels of what is listed, in order.
func (f handful) listed(query string) string {
	f.t.Helper()
	page := f.list(query)
	labels := make([]string, 0, len(page.Data))
	for _, id := range page.ids() {
		labels = append(labels, f.labels[id])
	}
	assert.Equal(f.t, len(labels), page.Pagination.Total)
	return strings.Join(labels, " ")
}

func TestListFilters(t *testing.T) {
	f := startFleet(t)
	tagID := func(label, of string) int64 {
		for _, tag := range f.endpoint(f.ids[of]).Tags {
			if tag.Label == label {
				return tag.TagID
			}
		}
		return 0
	}
	red, green := tagID("red", "delta"), tagID("green", "")
	require.NotZero(t, red)
	require.NotZero(t, green)
	name := f.list("").Data[0].Name

	for query, want := range map[string]string{
		"":                          "delta Alpha charlie bravo ",
		"search=ALPHA":              "Alpha",
		"search=" + name:            "delta",
		"search=nothing-like-this":  "",
		"networks=ethereum-mainnet": "Alpha bravo",
		"networks=ethereum-mainnet&networks=base-mainnet": "Alpha charlie bravo",
		"networks=unknown":                               "",
		"statuses=paused":                                "Alpha ",
		"statuses=active":                                "delta charlie bravo",
		"statuses=active&statuses=paused":                "delta Alpha charlie bravo ",
		"labels=bravo":                                   "bravo",
		"labels=bravo&labels=delta":                      "delta bravo",
		"labels=alpha":                                   "",
		"dedicated=true":                                 "Alpha bravo",
		"dedicated=false":                                "delta charlie ",
		"is_flat_rate=true":                              "charlie",
		"is_flat_rate=false":                             "delta Alpha bravo ",
		"tag_labels=blue":                                "delta bravo",
		"tag_labels=blue&tag_labels=green":               "delta bravo ",
		fmt.Sprintf("tag_ids=%d", red):                   "delta charlie",
		fmt.Sprintf("tag_ids=%d&tag_ids=%d", red, green): "delta charlie ",
		"tag_ids=999999999":                              "",
		"dedicated=true&statuses=active":                 "bravo",
		"search=alpha&statuses=active":                   "",
		// Arrays in the other style, which are accepted as well.
		"networks[]=ethereum-mainnet&networks[]=base-mainnet":         "Alpha charlie bravo",
		"networks%5B%5D=ethereum-mainnet&networks%5B%5D=base-mainnet": "Alpha charlie bravo",
		"networks=ethereum-mainnet&networks[]=base-mainnet":           "Alpha charlie bravo",
		"statuses[]=paused":                                  "Alpha ",
		"labels[]=bravo&labels[]=delta":                      "delta bravo",
		"tag_labels[]=blue&tag_labels[]=green":               "delta bravo ",
		fmt.Sprintf("tag_ids[]=%d&tag_ids[]=%d", red, green): "delta charlie ",
		"labels[]=bravo&search=bra%26vo":                     "",
		"search[]=alpha":                                     "delta Alpha charlie bravo ", // Not an array.
	} {
		t.Run(query, func(t *testing.T) { assert.Equal(t, want, f.listed(query)) })
	}
}

func TestListSorts(t *testing.T) {
	f := startFleet(t)
	names := f.list("sort_by=name").Data
	for i := range names[1:] {
		assert.Less(t, names[i].Name, names[i+1].Name)
	}
	for query, want := range map[string]string{
		"sort_by=created_at":                        "delta Alpha charlie bravo ",
		"sort_by=created_at&sort_direction=desc":    " bravo charlie Alpha delta",
		"sort_direction=desc":                       " bravo charlie Alpha delta",
		"sort_by=label":                             " Alpha bravo charlie delta",
		"sort_by=label&sort_direction=desc":         "delta charlie bravo Alpha ",
		"sort_by=status":                            "delta charlie bravo Alpha ",
		"sort_by=status&sort_direction=desc":        "Alpha  delta charlie bravo",
		"sort_by=network":                           "charlie Alpha bravo  delta",
		"sort_by=network&sort_direction=desc":       "delta  Alpha bravo charlie",
		"sort_by=tags":                              "Alpha bravo delta  charlie",
		"sort_by=tags&sort_direction=desc":          "charlie  delta bravo Alpha",
		"sort_by=usage":                             "delta Alpha charlie bravo ",
		"sort_by=label&dedicated=true":              "Alpha bravo",
		"sort_by=status&sort_direction=asc&limit=9": "delta charlie bravo Alpha ",
	} {
		t.Run(query, func(t *testing.T) { assert.Equal(t, want, f.listed(query)) })
	}
}

func TestListSortsByUsage(t *testing.T) {
	f := startFleet(t)
	for label, calls := range map[string]int{"bravo": 3, "delta": 1, "charlie": 2} {
		_, err := f.AppendLog(f.ids[label], slices.Repeat([]emulator.LoggedCall{{Method: "eth_call"}}, calls)...)
		require.NoError(t, err)
	}
	assert.Equal(t, "Alpha  delta charlie bravo", f.listed("sort_by=usage"))
	assert.Equal(t, "bravo charlie delta Alpha ", f.listed("sort_by=usage&sort_direction=desc"))
}

func TestListRefusals(t *testing.T) {
	s := startService(t)
	for query, reason := range map[string]string{
		"limit=0":                         "limit",
		"limit=-5":                        "limit",
		"limit=ten":                       "limit",
		"limit=99999999999999999999":      "limit",
		"offset=-1":                       "offset",
		"offset=x":                        "offset",
		"sort_by=colour":                  "sort_by",
		"sort_direction=up":               "sort_direction",
		"statuses=archived":               "statuses",
		"statuses=active&statuses=broken": "statuses",
		"dedicated=perhaps":               "dedicated",
		"is_flat_rate=2":                  "is_flat_rate",
		"tag_ids=red":                     "tag_ids",
		"tag_ids=1&tag_labels=red":        "tag_ids and tag_labels",
		"statuses[]=archived":             "statuses",
		"tag_ids[]=1&tag_labels[]=red":    "tag_ids and tag_labels",
	} {
		t.Run(query, func(t *testing.T) {
			s.get("/v0/endpoints?"+query).refused(http.StatusBadRequest, reason)
		})
	}
}

func TestListPages(t *testing.T) {
	s := startService(t)
	created := s.CreateEndpoints(300)
	for query, want := range map[string]struct{ limit, offset, from, to int }{
		"":                                  {20, 0, 0, 20},
		"limit=7":                           {7, 0, 0, 7},
		"limit=7&offset=298":                {7, 298, 298, 300},
		"limit=1&offset=0":                  {1, 0, 0, 1},
		"limit=250":                         {250, 0, 0, 250},
		"limit=1000":                        {250, 0, 0, 250},
		"limit=1000&offset=250":             {250, 250, 250, 300},
		"offset=300":                        {20, 300, 0, 0},
		"offset=" + fmt.Sprint(math.MaxInt): {20, math.MaxInt, 0, 0},
	} {
		t.Run(query, func(t *testing.T) {
			page := s.list(query)
			assert.Equal(t, want.limit, page.Pagination.Limit)
			assert.Equal(t, want.offset, page.Pagination.Offset)
			assert.Equal(t, 300, page.Pagination.Total)
			assert.Equal(t, created[want.from:want.to], page.ids())
		})
	}
	assert.Contains(t, string(s.get("/v0/endpoints?offset=300").body), `"data":null`)
}

func TestListPageCap(t *testing.T) {
	s := startService(t, emulator.WithPageCap(7))
	created := s.CreateEndpoints(100)
	var seen []string
	for offset := 0; offset < 100; {
		page := s.list(fmt.Sprintf("limit=100&offset=%d", offset))
		require.NotEmpty(t, page.Data)
		assert.Equal(t, 7, page.Pagination.Limit)
		seen = append(seen, page.ids()...)
		offset += len(page.Data)
	}
	assert.Equal(t, created, seen)
	assert.Equal(t, 7, s.list("").Pagination.Limit, "the cap holds for the default as well")
}

func TestListSearchIsAPlainText(t *testing.T) {
	s := startService(t)
	id, err := s.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Label: "50% & *more*"})
	require.NoError(t, err)
	s.CreateEndpoints(2)
	for _, text := range []string{"50%", "& *", "*MORE*"} {
		assert.Equal(t, []string{id}, s.list("search="+url.QueryEscape(text)).ids())
	}
	assert.Empty(t, s.list("search="+url.QueryEscape(".*")).ids())
}
