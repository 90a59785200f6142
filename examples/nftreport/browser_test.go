package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/examples/internal/browser"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// layout says how a page is laid out.
const layout = `(() => {
const cut = which => [...document.querySelectorAll(".wide")].filter(box => box.querySelector(which) && box.scrollWidth > box.clientWidth).length
const hints = [...document.querySelectorAll(".hint")].filter(hint => hint.offsetHeight > 0).length
return "window " + innerWidth + ", page " + document.documentElement.scrollWidth +
  ", tables cut " + cut("table") + ", charts cut " + cut("svg") + ", hints " + hints
})()`

// TestPageFitsTheWindow lays the page out in a browser: as wide as the window, no table cut off, and a chart that is
// wider than its box has a hint.
func TestPageFitsTheWindow(t *testing.T) {
	race.Skip(t)
	chromium := browser.Find(t)
	reports, err := emulated(t, 10).read(t.Context(), "", "")
	require.NoError(t, err)
	reports[0].table("Long", 1, 1, words(strings.Repeat("W", 40)), numbers("Units")).row(strings.Repeat("M", longest), strings.Repeat("8", longest))
	page := pageOf(t, reports...)

	assert.Equal(t, "window 390, page 390, tables cut 0, charts cut 2, hints 2", chromium.Measure(t, page, 390, layout))
	assert.Equal(t, "window 1280, page 1280, tables cut 1, charts cut 0, hints 0", chromium.Measure(t, page, 1280, layout))
	broken := strings.Replace(page, "@media (max-width: 640px)", "@media (max-width: 1px)", 1)
	assert.NotContains(t, chromium.Measure(t, broken, 390, layout), "tables cut 0", "the test can fail")
}
