// Package browser lays pages out in headless Chromium, for the tests of examples that write pages. What a page measures
// of itself is a JavaScript expression:
//
//	chromium := browser.Find(t) // Skips the test where there is none.
//	width := chromium.Measure(t, page, 390, `document.documentElement.scrollWidth`)
package browser

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Chromium is the path of the program.
type Chromium string

// Find skips the test where Chromium is not installed.
func Find(t *testing.T) Chromium {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed: the layout of the page is not tested")
	}
	return Chromium(path)
}

var (
	policy   = regexp.MustCompile(`<meta http-equiv[^>]*>`) // It allows no scripts.
	measured = regexp.MustCompile(`data-measured="([^"]*)"`)
)

// frame holds the page, since a window of a browser has a least width.
const frame = `<!doctype html><body><script>onmessage = e => document.body.dataset.measured = e.data</script>` +
	`<iframe src="page.html" width="%d" height="20000" style="border: 0"></iframe></body>`

// Measure lays a page out in a window of this width and returns what the expression says there, as text.
func (c Chromium) Measure(t *testing.T, page string, width int, expression string) string {
	t.Helper()
	folder := t.TempDir()
	page = policy.ReplaceAllString(page, "")
	page = strings.Replace(page, "</body>", "<script>parent.postMessage(String("+expression+`), "*")</script></body>`, 1)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "page.html"), []byte(page), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "frame.html"), fmt.Appendf(nil, frame, width), 0o600))
	out, err := exec.CommandContext(t.Context(), string(c), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--user-data-dir="+filepath.Join(folder, "profile"), "--virtual-time-budget=5000", "--dump-dom",
		"file://"+filepath.Join(folder, "frame.html")).Output()
	require.NoError(t, err)
	found := measured.FindSubmatch(out)
	require.NotNil(t, found, "the page has been measured")
	return html.UnescapeString(string(found[1]))
}
