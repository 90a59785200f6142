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

// TestStatusPage_showsAccount reads the page of an account that has something of everything.
func TestStatusPage_showsAccount(t *testing.T) {
	s := startService(t, emulator.WithStatusPage())
	made := must(s.Populate(wholeFleet()))(t)
	s.log(made.Endpoints[0], emulator.LoggedCall{Method: "eth_call"})
	s.patch("/v0/endpoints/"+made.Endpoints[1], object{"label": "<script>alert(1)</script>"}).ok()
	s.get("/v0/endpoints/7?token=first-made-up-token&key=" + s.APIKey)

	got := s.withKey("").get("/").ok()
	page := string(got.body)
	assert.Equal(t, "text/html; charset=utf-8", got.header.Get("Content-Type"))
	assert.Contains(t, got.header.Get("Content-Security-Policy"), "default-src 'none'")
	for _, part := range []string{
		"<h1>Sample Bridge</h1>", "Plan Build, tooling access on", "2026-03-10 09:30:00",
		"<dt>Endpoints</dt><dd>2</dd>", "<dt>Users</dt><dd>3</dd>", "<dt>RPC requests</dt><dd>101501</dd>",
		`data-name="Label">checkout<`, "production, eu", `data-name="Credits" class="number">2112520<`,
		".emulator.example/***/",
		`data-name="Status">paused<`, `data-name="Label">idle<`, "ana@example.com, owner@example.com",
		"https://pager.example/[masked]", "archive, pager", "tx_to =~ &#39;^0x&#39;", "&lt;script&gt;",
		"/v0/endpoints/7?key=[masked]&amp;token=[masked]", `class="number failed">404<`, ">PATCH<",
	} {
		assert.Contains(t, page, part)
	}
	for _, secret := range []string{
		s.APIKey, s.ViewerKey, "first-made-up-token", "second_made_up_token", "made-up-signing-token", "pager.example/hook",
		"<script",
	} {
		assert.NotContains(t, page, secret)
	}
	assert.Less(t, strings.Index(page, ">/v0/endpoints/7?"), strings.Index(page, ">PATCH<"), "the newest call comes first")
	calls := len(s.Calls())
	s.get("/").ok()
	assert.Len(t, s.Calls(), calls, "to look is no call")
	assert.Equal(t, http.StatusMethodNotAllowed, s.post("/", nil).status)
}

// TestStatusPage_boundsLists: a page stays small however much there is.
func TestStatusPage_boundsLists(t *testing.T) {
	s := startService(t, emulator.WithStatusPage())
	assert.Equal(t, http.StatusNotFound, startService(t).get("/").status, "only with the option")
	assert.Contains(t, string(s.get("/").ok().body), "None yet.")
	s.CreateEndpoints(1000)
	for i := range 250 {
		s.get(fmt.Sprintf("/v0/endpoints/%d", i))
	}
	page := string(s.get("/").ok().body)
	assert.Contains(t, page, "and 800 more")
	assert.Contains(t, page, "and 50 more")
	assert.Contains(t, page, "<dt>Calls recorded</dt><dd>250</dd>")
	assert.Contains(t, page, "/v0/endpoints/249<")
	assert.NotContains(t, page, "/v0/endpoints/49<")
}

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

// TestStatusPage_fitsPhoneAndDesktop lays the page out as wide as a phone and as a desktop. Nothing reaches over the
// edge, and a table on the desktop is a list on the phone.
func TestStatusPage_fitsPhoneAndDesktop(t *testing.T) {
	race.Skip(t)
	chromium := browser(t)
	s := startService(t, emulator.WithStatusPage())
	must(s.Populate(wholeFleet()))(t)
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
