package emulator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// eventful is an account with something of everything, and with the traces that only a history leaves: archived
// endpoints with tags that are gone, events of destinations that are gone, users who left.
func eventful(t *testing.T) *service {
	t.Helper()
	s := startService(t, emulator.WithSeed(11))
	made := must(s.Populate(wholeFleet()))(t)
	id := made.Endpoints[0]
	code := -32000
	s.log(id,
		emulator.LoggedCall{Method: "eth_call", ResponseTime: 12 * time.Millisecond},
		emulator.LoggedCall{Method: "eth_call", ResponseTime: 15 * time.Millisecond, Timestamp: start.Add(-time.Hour),
			ErrorCode: &code},
		emulator.LoggedCall{Method: "eth_getLogs", Network: "base-mainnet", Archive: true, Request: "asked",
			Response: "told"})
	gone := s.create().ID
	s.tag(gone, "short-lived")
	s.log(gone, emulator.LoggedCall{Method: "eth_call"})
	s.delete("/v0/endpoints/" + gone).ok()
	for _, tag := range s.tags() {
		if tag.Label == "short-lived" {
			s.delete(fmt.Sprintf("/v0/endpoints/tags/%d", tag.ID)).ok()
		}
	}
	require.NoError(t, errOf(s.Deliver(stopped(t), made.Notifications[0], 7)))
	s.delete(alertsPath + "/destinations/" + made.Destinations[0])
	return s
}

// stopped is a context that lets nothing be sent.
func stopped(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

var parameterRE = regexp.MustCompile(`\{[a-z_]+\}`)

// reads lists a request for every GET operation of the OpenAPI files and each thing that the account has.
func reads(t *testing.T, s *service) []string {
	t.Helper()
	var found []string
	for _, area := range []struct{ name, prefix string }{{"admin", ""}, {"alerts", alertsPath}} {
		text := must(os.ReadFile("../openapi/" + area.name + ".yaml"))(t)
		for _, match := range regexp.MustCompile(`(?m)^  (/\S+):\n(?:    .*\n)*?    get:`).FindAllStringSubmatch(string(text),
			-1) {
			found = append(found, area.prefix+match[1])
		}
	}
	require.GreaterOrEqual(t, len(found), 28)
	var paths []string
	for _, path := range found {
		ids := []string{""}
		switch {
		case strings.Contains(path, "{chain}"):
			ids = []string{"ethereum", "solana"}
		case strings.HasPrefix(path, "/v0/endpoints/{"):
			ids = s.list("limit=100").ids()
		case strings.HasPrefix(path, "/v0/teams/{"):
			ids = idsIn(s.get("/v0/teams"))
		case strings.Contains(path, "/destinations/{"):
			ids = idsIn(s.get(alertsPath + "/destinations"))
		case strings.Contains(path, "/notifications/{"):
			ids = idsIn(s.get(alertsPath + "/notifications"))
		}
		for _, id := range ids {
			paths = append(paths, parameterRE.ReplaceAllString(path, id)+queryOf(path))
		}
	}
	return paths
}

// queryOf returns the query that an operation needs beside its path.
func queryOf(path string) string {
	switch {
	case strings.HasSuffix(path, "/logs"):
		return "?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z&include_details=true"
	case strings.HasSuffix(path, "/log_details"):
		return "?request_id=00000000-0000-1000-8000-000000000000"
	case strings.HasSuffix(path, "{id}/metrics"):
		return "?period=month&metric=method_calls_over_time"
	case strings.HasSuffix(path, "/metrics"):
		return "?period=month&metric=credits_over_time"
	case strings.Contains(path, "/usage/"):
		return "?start_time=0"
	}
	return ""
}

// idsIn finds the ids of a list, in an envelope or bare.
func idsIn(a responseBuffer) []string {
	var list []struct{ ID json.RawMessage }
	if json.Unmarshal(a.ok().body, &list) != nil {
		list = dataOf[[]struct{ ID json.RawMessage }](a)
	}
	var ids []string
	for _, item := range list {
		ids = append(ids, strings.Trim(string(item.ID), `"`))
	}
	return ids
}

// TestSnapshot_roundTrips asks an emulator that was restored for everything that can be read, and goes on with it.
func TestSnapshot_roundTrips(t *testing.T) {
	s := eventful(t)
	file := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, s.SaveSnapshot(file))
	other := startService(t, emulator.WithSeed(12))
	other.create() // The earlier records are gone.
	require.NoError(t, other.RestoreSnapshot(file))

	play := func(s *service) []string {
		var played []string
		note := func(request string, a responseBuffer) {
			body := strings.ReplaceAll(string(a.body), s.URL, "http://emulator")
			played = append(played, fmt.Sprintf("%s %d %s", request, a.status, body))
		}
		for _, path := range reads(t, s) {
			note(path, s.get(path))
		}
		note("graph",
			s.post("/graphql",
				object{
					"query": `{polygon {collections(first: 10) {edges {node {name address}}} walletByAddress(address: "0x00000000000000000000000000000000000000aa") {ensName}}}`}))
		note("create", s.post("/v0/endpoints", object{"chain": "base", "network": "base-mainnet"}))
		note("token", s.post("/v0/tooling-access/token", object{}))
		note("tag", s.post("/v0/endpoints/bulk/tags", object{"ids": s.list("").ids(), "label": "late"}))
		note("usage", s.get("/v0/usage/rpc/by-tag?start_time=0"))
		return played
	}
	want := play(s)
	require.GreaterOrEqual(t, len(want), 50)
	assert.NotContains(t, strings.Join(want, "\n"), " 500 ")
	assert.Equal(t, want, play(other))

	again := filepath.Join(t.TempDir(), "again.json")
	require.NoError(t, other.SaveSnapshot(again))
	require.NoError(t, s.SaveSnapshot(file))
	assert.Equal(t, read(t, file), read(t, again), "what was restored is saved as the same bytes")
}

func read(t *testing.T, file string) string {
	t.Helper()
	return string(must(os.ReadFile(file))(t))
}

// TestSaveSnapshot_fileIsPrivateAndAtomic: the file names its content, no other user can read it, and if a save fails
// the one before is left.
func TestSaveSnapshot_fileIsPrivateAndAtomic(t *testing.T) {
	s := eventful(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "state.json")
	require.NoError(t, s.SaveSnapshot(file))
	text := read(t, file)
	assert.Contains(t, text[:400], "It holds the secrets of that emulator")
	assert.Contains(t, text, "first-made-up-token")
	assert.NotContains(t, text, s.APIKey, "keys are options")
	assert.Equal(t, os.FileMode(0o600), must(os.Stat(file))(t).Mode().Perm())

	require.Error(t, s.SaveSnapshot(filepath.Join(folder, "missing", "state.json")))
	taken := filepath.Join(folder, "taken")
	require.NoError(t, os.MkdirAll(filepath.Join(taken, "inside"), 0o700))
	require.Error(t, s.SaveSnapshot(taken), "a folder is in the way")
	assert.Len(t, must(os.ReadDir(folder))(t), 2, "nothing is left over")
}

// TestRestoreSnapshot_refusesInvalidFiles files that are not snapshots, or were changed. It changes nothing then.
func TestRestoreSnapshot_refusesInvalidFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, eventful(t).SaveSnapshot(file))
	text := read(t, file)
	s := startService(t)
	id := s.create().ID
	require.ErrorIs(t, s.RestoreSnapshot(filepath.Join(t.TempDir(), "none")), os.ErrNotExist)
	for want, broken := range map[string]string{
		"not a snapshot:":        text[:len(text)/2],
		"version 0":              `{}`,
		"version 3 instead of 4": strings.Replace(text, `"Version":4`, `"Version":3`, 1),
		"was changed":            strings.Replace(text, `"Chain":"ethereum"`, `"Chain":"mars"`, 1),
		"not a snapshot: json:":  `{"Version":4,"Sum":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","State":[]}`,
	} {
		require.NotEqual(t, text, broken, want)
		require.NoError(t, os.WriteFile(file, []byte(broken), 0o600))
		require.ErrorContains(t, s.RestoreSnapshot(file), want, want)
	}
	assert.Equal(t, http.StatusOK, s.get("/v0/endpoints/"+id).status)
}
