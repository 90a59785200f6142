package examples

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// bigReport writes the page about 2,000 endpoints and one with a long and hostile label.
func bigReport(t *testing.T) (page string) {
	t.Helper()
	service := account(t)
	service.CreateEndpoints(1999)
	must(service.AddEndpoint(emulator.EndpointSpec{Chain: "base", Network: "base-mainnet",
		Label: "</script><script>document.title='hostile'</script>" + strings.Repeat("W", 150), Paused: true,
		Usage: []emulator.LoggedCall{{Method: "eth_call", Requests: 750}}}))(t)
	file := filepath.Join(t.TempDir(), "report.html")
	done := run(t, of(service), "report", "-out", file)
	require.Equal(t, 0, done.code, "%s", done.stderr)
	return string(must(os.ReadFile(file))(t))
}

// frame holds the page, since a window of a browser has a least width.
const frame = `<!doctype html><body><script>onmessage = e => document.body.dataset.measured = e.data</script>` +
	`<iframe src="page.html" width="%d" height="900" style="border: 0"></iframe></body>`

var measured = regexp.MustCompile(`data-measured="([^"]*)"`)

// measure returns the value of an expression in the page in a window of this width.
func measure(t *testing.T, chromium, page string, width int, expression string) string {
	t.Helper()
	folder := t.TempDir()
	page = strings.Replace(page, "</body>", "<script>let said; try { said = "+expression+
		`} catch (e) { said = e } parent.postMessage(String(said), "*")</script></body>`, 1)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "page.html"), []byte(page), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "frame.html"), fmt.Appendf(nil, frame, width), 0o600))
	out := must(exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu",
		"--hide-scrollbars",
		"--user-data-dir="+filepath.Join(folder, "profile"), "--virtual-time-budget=5000", "--dump-dom",
		"file://"+filepath.Join(folder, "frame.html")).Output())(t)
	found := measured.FindSubmatch(out)
	require.NotNil(t, found, "the page has been measured: %s", out)
	return html.UnescapeString(string(found[1]))
}

// TestReport_worksInBrowser uses the page as people do.
func TestReport_worksInBrowser(t *testing.T) {
	page := bigReport(t)
	assert.NotContains(t, page, "</script><script>document")
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed: the page is not used")
	}
	const helpers = `const $ = s => document.querySelector(s), all = s => document.querySelectorAll(s), ` +
		`rows = () => all("tbody tr").length, press = (s, e) => $(s).dispatchEvent(new Event(e)); `
	for _, width := range []int{390, 1280} {
		said := measure(t, chromium, page, width, `(() => { `+helpers+`
			const said = [document.title, document.documentElement.scrollWidth, document.documentElement.scrollHeight < 20000,
				all("*").length < 2000, rows()];
			one("next").click(); said.push($("#place").textContent);
			one("search").value = "hostile"; press("#search", "input"); said.push(rows());
			one("search").value = ""; press("#search", "input");
			$("th:nth-child(1) button").click(); said.push($("th").getAttribute("aria-sort"));
			[...all(".findings button")].find(b => b.textContent === "1 endpoint: paused").click(); said.push(rows());
			$("td button").click(); said.push($(".open").textContent.includes("id "), getComputedStyle($(".open")).overflowWrap);
			one("all").click(); said.push($("#place").textContent);
			const bar = $("#days g"); bar.dispatchEvent(new Event("pointerdown"));
			said.push(bar.tabIndex, $("output").textContent === bar.getAttribute("aria-label"), /: [\d,]+ credits?$/.test($("output").textContent));
			dispatchEvent(new Event("beforeprint")); said.push(rows());
			dispatchEvent(new Event("afterprint")); said.push(rows());
			return said.join("|"); })()`)
		assert.Equal(t, fmt.Sprintf("Fleet report|%d|true|true|50|2,000 endpoints, page 2 of 40|1|ascending|1|true|normal|"+
			"2,000 endpoints, page 1 of 40|0|true|true|2000|50", width), said)
	}
}
