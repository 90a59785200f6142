package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/examples/internal/browser"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// widths are the width of the window and the width that the page takes.
const widths = `innerWidth + " " + document.documentElement.scrollWidth`

// TestPageFitsTheWindow lays the page out in a browser.
func TestPageFitsTheWindow(t *testing.T) {
	race.Skip(t)
	chromium := browser.Find(t)
	server := account(t)
	long := emulator.EndpointSpec{Chain: "base", Network: "base-mainnet", Label: strings.Repeat("W", 200), Tags: []string{strings.Repeat("M", 25)}}
	_, err := server.AddEndpoint(long)
	require.NoError(t, err)
	_, page, _ := runs(t, t.Context(), "-o html")

	for _, width := range []int{390, 1280} {
		assert.Equal(t, fmt.Sprintf("%d %d", width, width), chromium.Measure(t, page, width, widths))
	}
	broken := strings.Replace(page, "<main>", `<main><p style="white-space: nowrap">`+strings.Repeat("wide ", 400)+"</p>", 1)
	assert.NotEqual(t, "390 390", chromium.Measure(t, broken, 390, widths), "the test can fail")
}
