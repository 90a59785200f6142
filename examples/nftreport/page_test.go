package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/graph"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

var written2025 = time.Date(2025, time.March, 4, 5, 6, 7, 0, time.FixedZone("", 3600))

// pageOf writes reports as a page.
func pageOf(t *testing.T, reports ...*report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, writePage(&b, reports, written2025))
	return b.String()
}

// charts cuts the charts out of a page.
func charts(page string) []string {
	return regexp.MustCompile(`(?s)<svg class="chart".*?</svg>`).FindAllString(page, -1)
}

func TestPageOnTheEmulatorsData(t *testing.T) {
	reports, err := emulated(t, 3).read(t.Context(), "", "")
	require.NoError(t, err)
	page := pageOf(t, reports...)
	assert.Contains(t, page, "<title>NFT report: Collection Quiet Harbors, Wallet wallet-16.example.eth</title>")
	assert.Contains(t, page, "Written 2025-03-04 04:06 UTC.")
	assert.Contains(t, page, "prefers-color-scheme: dark")
	assert.Contains(t, page, `<h3>Tokens <small>3 of 5000</small></h3>`)
	assert.Contains(t, page, `<tr><td data-name="Name">Quiet Harbors #1</td><td class="number" data-name="Token">2</td></tr>`)

	fell := 0
	for _, candle := range reports[0].Prices.Candles {
		if *candle.Close < *candle.Open {
			fell++
		}
	}
	require.Positive(t, fell)
	found := charts(page)
	require.Len(t, found, 2)
	for i, chart := range found {
		assert.Contains(t, chart, fmt.Sprintf(`aria-labelledby="chart-%d-title chart-%[1]d-summary"`, i+1))
		assert.Contains(t, chart, fmt.Sprintf(`<title id="chart-%d-title">`, i+1), "names in a page are used once")
		assert.Contains(t, chart, ">Price of Quiet Harbors by day, in ETH</title>")
		assert.Equal(t, len(reports[0].Prices.Candles), strings.Count(chart, `<g class="day">`))
		assert.Equal(t, fell, strings.Count(chart, `<g class="fell">`))
		assert.Equal(t, len(reports[0].Prices.Candles)-fell, strings.Count(chart, `<g class="rose">`))
		for decoder := xml.NewDecoder(strings.NewReader(chart)); ; {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else {
				require.NoError(t, err, "a chart is well-formed XML")
			}
		}
	}
}

// TestPageLoadsNothing looks for all that makes a browser ask for something else.
func TestPageLoadsNothing(t *testing.T) {
	race.Skip(t)
	reports, err := emulated(t, 3).read(t.Context(), "", "")
	require.NoError(t, err)
	page := pageOf(t, reports...)
	assert.Contains(t, page, `content="default-src 'none'; style-src 'unsafe-inline'"`)
	for _, loading := range []string{"src=", "href", "<link", "<script", "<img", "@import", "url(", "<use", "<image", "<iframe"} {
		assert.NotContains(t, page, loading)
	}
}

func TestPageEscapesNames(t *testing.T) {
	const hostile = `</title></svg><script>alert("1")</script><img src=x onerror='a&b'>`
	reports, err := scripted(t, map[string]string{
		"GetCollection": `{"collection":{"__typename":"<b>ERC721Collection","address":"0xa1\" onload=\"a","name":` + quoted(hostile) + `,"symbol":` + quoted(hostile) + `}}`,
		"GetOHLCVChart": `{"collection":{"ohlcvChart":[{"timestamp":"2025-01-01T00:00:00Z","open":1,"high":1,"low":1,"close":1,"volume":1,"count":1}]}}`,
		"ListCollectionNFTs": `{"collection":{"__typename":"ERC721Collection","nfts":` + last(
			`{"cursor":"a","node":{"__typename":"ERC721NFT","contractAddress":"0xa1","tokenId":1,"name":`+quoted(hostile)+`}}`) + `}}`,
		"ListContractEvents": `{"contract":{"__typename":"NFTContract","tokenEvents":` + last(
			`{"cursor":"a","node":{"__typename":"TokenMintEvent","type":`+quoted(hostile)+`,"timestamp":null,"fromAddress":"<i>","toAddress":"<i>"}}`) + `}}`,
	}).read(t.Context(), "0xa1", "")
	require.NoError(t, err)
	reports[0].Prices.Unit = "<u>"

	page := pageOf(t, reports...)
	const escaped = `&lt;/title&gt;&lt;/svg&gt;&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt;&lt;img src=x onerror=&#39;a&amp;b&#39;&gt;`
	// In the page's title, its heading, the symbol, the chart's heading and title, the token and the event.
	assert.Equal(t, 7, strings.Count(page, escaped))
	assert.Contains(t, page, "<dd>&lt;b&gt;ERC721Collection</dd>")
	assert.Contains(t, page, "<dd>0xa1&#34; onload=&#34;a</dd>")
	for _, raw := range []string{"<script", "<img", "<b>", "<i>", "<u>"} {
		assert.NotContains(t, page, raw)
	}
	require.Len(t, charts(page), 1)
}

// quoted writes text as JSON.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func TestPageWithoutPrices(t *testing.T) {
	empty := newReport("Wallet", "0xb2")
	empty.table("Tokens", 0, 0, words("Name"))
	blank := newReport("Collection", "0xa1")
	blank.Prices = &prices{"0xa1", "ETH", []graph.Candle{candleOn(1, nil, nil, nil, nil, nil)}}
	page := pageOf(t, empty, blank)
	assert.Empty(t, charts(page))
	assert.Equal(t, 2, strings.Count(page, "There are no prices to draw."))
	assert.Contains(t, page, `<p class="note">none</p>`)
	assert.NotContains(t, page, "<table>")
}
