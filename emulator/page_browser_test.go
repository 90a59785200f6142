package emulator_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/internal/test/race"
)

// browser finds a Chromium, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine: apt-get install chromium")
	return ""
}

// TestPageInABrowser lays the page out as wide as a phone and as a desktop. Nothing reaches over the edge, and a table
// on the desktop is a list on the phone.
func TestPageInABrowser(t *testing.T) {
	race.Skip(t)
	chromium := browser(t)
	s := startService(t, emulator.WithStatusPage())
	_, err := s.Populate(wholeFleet())
	require.NoError(t, err)
	s.patch("/v0/endpoints/"+s.create().ID, object{"label": strings.Repeat("long", 60)}).ok()
	// The page allows neither scripts nor frames. A copy is measured by a script, in a frame: no window is as narrow as
	// a phone.
	const measure = `<script>
		const shown = s => document.querySelector(s).getBoundingClientRect().height > 2;
		parent.document.title = [innerWidth, document.documentElement.scrollWidth, shown("thead"), document.querySelectorAll("tbody tr").length].join(" ");
	</script></body>`
	text := string(s.get("/").ok().body)
	require.Contains(t, text, "</body>")
	copied := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if width := r.URL.Query().Get("width"); width != "" {
			_, _ = fmt.Fprintf(w,
				`<!DOCTYPE html><title></title><iframe src="/" style="border:0; height:900px; width:%spx"></iframe>`, width)
			return
		}
		_, _ = w.Write([]byte(strings.Replace(text, "</body>", measure, 1)))
	}))
	defer copied.Close()
	for width, table := range map[int]bool{390: false, 1280: true} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		command := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
			"--user-data-dir="+t.TempDir(), "--window-size=1600,1000", "--dump-dom",
			fmt.Sprintf("%s/?width=%d", copied.URL, width))
		dom, err := command.Output()
		require.NoError(t, err)
		title := regexp.MustCompile(`<title>(.*)</title>`).FindStringSubmatch(string(dom))
		require.NotNil(t, title)
		rows := strings.Count(text, "<tr><td")
		assert.Equal(t, fmt.Sprintf("%d %d %t %d", width, width, table, rows), title[1])
	}
}
