package emulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// TestPage reads the page of an account that has something of everything.
func TestPage(t *testing.T) {
	s := startService(t, emulator.WithStatusPage())
	made, err := s.Populate(wholeFleet())
	require.NoError(t, err)
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
		"https://pager.example/***", "archive, pager", "tx_to =~ &#39;^0x&#39;", "&lt;script&gt;",
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

// TestPageOfMany: a page stays small however much there is.
func TestPageOfMany(t *testing.T) {
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
