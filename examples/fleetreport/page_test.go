package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pageOf writes a report as a page.
func pageOf(t *testing.T, r *report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, writePage(&b, r))
	return b.String()
}

func TestPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := pageOf(t, seeded(t))
		assert.Contains(t, page, "16 endpoints, 55,375,140 credits in the week until 2000-01-01 12:00 UTC.")
		assert.Contains(t, page, `<div class="bad">without any protection<small>whoever knows the address can call</small></div>`)
		assert.Contains(t, page, `<span class="bad">NO GUARD</span>`)
		assert.Contains(t, page, `<title>checkout: 12,064,000 credits, 21.8% of 55,375,140</title>`)
		assert.Contains(t, page, `<title>wallet: 15000 of 249,500 calls failed</title>`)
		assert.Contains(t, page, `<title>Sat Jan 1 UTC: `)
		assert.Less(t, strings.Index(page, "<h2>Findings</h2>"), strings.Index(page, "<svg"), "findings come first")

		plots := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1)
		require.Len(t, plots, 5)
		for i, title := range []string{"Error rate over time", "Credits by tag", "Credits by chain", "Credits by endpoint", "Error rate by endpoint"} {
			assert.Contains(t, plots[i], `aria-label="`+title+`"`)
			assert.Equal(t, strings.Count(plots[i], "<g>"), strings.Count(plots[i], "<title>"), "values on hover")
			for decoder := xml.NewDecoder(strings.NewReader(plots[i])); ; {
				if _, err := decoder.Token(); errors.Is(err, io.EOF) {
					break
				} else {
					require.NoError(t, err, "a plot is well-formed XML")
				}
			}
		}
		assert.Contains(t, page, `content="default-src 'none'; style-src 'unsafe-inline'"`)
		for _, loading := range []string{"src=", "href", "<link", "<script", "<img", "@import", "url(", "<use", "<image", "<iframe"} {
			assert.NotContains(t, page, loading)
		}
	})
}

func TestPageEscapes(t *testing.T) {
	const hostile = `</title></svg><script>x</script><img src=x onerror='a&b'>"`
	r := &report{Period: "week", Credits: credits{Total: 1, ByTag: []share{{hostile, 1}}, ByChain: []share{{hostile, 1}}},
		Endpoints: []*endpoint{{ID: hostile, Label: hostile, Chain: hostile, Network: hostile, Status: hostile, Tags: []string{hostile},
			Credits: 1, Requests: 1, Measured: traffic{1, 1}, Protection: protection{On: []string{hostile}}}}}
	r.Findings = findings(r, 5)
	page := pageOf(t, r)
	for _, raw := range []string{"<script", "<img", "onerror='"} {
		assert.NotContains(t, page, raw)
	}
	assert.GreaterOrEqual(t, strings.Count(page, "&lt;script&gt;x&lt;/script&gt;"), 10)
	assert.Equal(t, strings.Count(page, "<svg"), strings.Count(page, "</svg>"))
}

func TestPageOfNothing(t *testing.T) {
	page := pageOf(t, &report{})
	assert.NotContains(t, page, "<svg")
	assert.NotContains(t, page, "<table>")
	assert.Contains(t, page, "The account has no endpoints.")
	assert.Contains(t, page, `<p class="note">none</p>`)
}

func TestBars(t *testing.T) {
	var shares []share
	for i := range 30 {
		shares = append(shares, share{fmt.Sprint("n", i), int64(100 - i)})
	}
	plot := creditBars("", "", shares[:12], 0)
	assert.Len(t, plot.Bars, 12)
	assert.Equal(t, bar{"n0", "100", "n0: 100 credits", 14, 20, 100}, plot.Bars[0])
	assert.Equal(t, 12*barHeight, plot.Height)
	plot = creditBars("", "", shares, 1000)
	require.Len(t, plot.Bars, 12)
	assert.Equal(t, "19 others: 1,520 credits, 152.0% of 1,000", plot.Bars[11].Label)
	assert.Equal(t, percent(100), plot.Bars[11].Length, "also what is added up fits")
	assert.Equal(t, "n11", shares[11].Name, "what is plotted stays as it is")
	assert.Equal(t, "0.00%", creditBars("", "", []share{{"x", 0}}, 0).Bars[0].Length.String())
}

func TestRateBars(t *testing.T) {
	endpoints := []*endpoint{{ID: "idle"}, {ID: "sound", Measured: traffic{Calls: 5}}}
	for i := range 20 {
		endpoints = append(endpoints, &endpoint{ID: fmt.Sprint("e", i), Measured: traffic{100, float64(i + 1)}})
	}
	plot := rateBars(endpoints)
	require.Len(t, plot.Bars, mostBars)
	assert.Equal(t, bar{"e19", "20.00%", "e19: 20 of 100 calls failed", 14, 20, 100}, plot.Bars[0])
	assert.Equal(t, "95.00%", plot.Bars[1].Length.String())
	assert.Empty(t, rateBars(endpoints[:2]).Bars)
}

func TestColumns(t *testing.T) {
	assert.Nil(t, errorColumns(nil, ""))
	at := time.Date(2026, 3, 9, 10, 0, 0, 0, time.UTC)
	plot := errorColumns([]moment{{at, traffic{100, 3}}, {at.Add(time.Hour), traffic{}}}, layouts["day"])
	assert.Equal(t, []line{{180, ""}, {100, "2.5%"}, {20, "5%"}}, plot.Lines)
	assert.Equal(t, []column{
		{5, 40, 84, 96, "Mar 9 10:00 UTC: 3.00% of 100 calls failed"},
		{55, 40, 180, 0, "Mar 9 11:00 UTC: no calls"},
	}, plot.Columns)
	assert.Equal(t, []date{{0, "start", "Mar 9 10:00"}, {100, "end", "Mar 9 11:00"}}, plot.Dates)
	assert.Len(t, errorColumns([]moment{{Time: at}}, "").Dates, 1)
	assert.Equal(t, 100.0, roundUp(51))
}
