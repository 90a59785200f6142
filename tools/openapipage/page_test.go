package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func rendered(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	if err := write(&out, []string{"../../openapi/admin.yaml", "../../openapi/alerts.yaml"}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPageHasAll looks for every operation and every record of the files, and for the end of every link.
func TestPageHasAll(t *testing.T) {
	page := rendered(t)
	for _, area := range []string{"admin", "alerts"} {
		file, err := os.ReadFile("../../openapi/" + area + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		paths, records, _ := strings.Cut(string(file), "\n  schemas:\n")
		names := regexp.MustCompile(`(?m)^      operationId: (\w+)$`).FindAllStringSubmatch(paths, -1)
		names = append(names, regexp.MustCompile(`(?m)^    (\w+):`).FindAllStringSubmatch(records, -1)...)
		if len(names) < 20 {
			t.Error(area, "has few names: ", len(names))
		}
		for _, name := range names {
			if strings.Count(page, `id="`+area+"-"+name[1]+`"`) != 1 {
				t.Error(area, name[1], "is not on the page once")
			}
		}
	}
	for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+strings.TrimPrefix(link[1], "#")+`"`) {
			t.Error("a link leads nowhere: ", link[1])
		}
	}
	for _, said := range []string{"one of &#34;second&#34;", "at most 20", "list of ", "or null", ">observed<", "ZgotmplZ"} {
		if strings.Contains(page, said) == (said == "ZgotmplZ") {
			t.Error("the page says it wrongly: ", said)
		}
	}
}

// TestPageFitsTheWindow lays the page out in a browser. A window has a least width there: the page is in a frame.
func TestPageFitsTheWindow(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed: the layout of the page is not tested")
	}
	policy := regexp.MustCompile(`<meta http-equiv[^>]*>`) // It allows no scripts.
	script := `<script>parent.postMessage(innerWidth + " of " + document.documentElement.scrollWidth + ";", "*")</script></body>`
	page := strings.Replace(policy.ReplaceAllString(rendered(t), ""), "</body>", script, 1)
	frames := `<!doctype html><body><script>onmessage = e => document.body.dataset.seen = (document.body.dataset.seen || "") + e.data</script>` +
		`<iframe src="page.html" width="390" height="900" style="border: 0"></iframe>` +
		`<iframe src="page.html" width="1280" height="900" style="border: 0"></iframe></body>`
	folder := t.TempDir()
	for name, text := range map[string]string{"page.html": page, "frames.html": frames} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--user-data-dir="+filepath.Join(folder, "profile"), "--virtual-time-budget=10000", "--dump-dom",
		"file://"+filepath.Join(folder, "frames.html")).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, fits := range []string{"390 of 390;", "1280 of 1280;"} {
		if !strings.Contains(string(out), fits) {
			t.Error("no frame with ", fits, regexp.MustCompile(`data-seen="[^"]*"`).FindString(string(out)))
		}
	}
}
