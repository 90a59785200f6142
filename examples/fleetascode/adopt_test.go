package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
	emulated "github.com/rpcfleet/rpcfleet-go/emulator/fleet"
)

// odd is an account with all that is odd: labels that are not there or not alone, entries that come twice.
var odd = emulated.Fleet{
	Users: []emulated.User{{Email: "jo@example.com", FullName: "Jo", Role: "viewer"}, {Email: "al@example.com", FullName: "Al", Role: "admin", Pending: true}},
	Endpoints: []emulated.Endpoint{
		{Chain: "ethereum", Network: "ethereum-mainnet", Label: "twice", Tokens: []string{"token-secret-1", "token-secret-2"}},
		{Chain: "ethereum", Network: "ethereum-mainnet", Label: "twice", Paused: true, Multichain: true},
		{Chain: "polygon", Network: "polygon-mainnet"},
		{Chain: "polygon", Network: "polygon-mainnet", Label: "full: \"quoted\"", Tags: []string{"a", "b"},
			Security: emulated.Security{
				Options: map[string]bool{"ips": true, "tokens": false}, IPCustomHeader: "X-IP", Referrers: []string{"r.example.com"},
				IPs: []string{"198.51.100.1"}, DomainMasks: []string{"d.example.com"}, RequestFilters: [][]string{{"eth_call"}},
				JWTs: []emulated.JWT{{PublicKey: "-----BEGIN\nkey\n", Kid: "k", Name: "n"}},
			},
			RateLimits:       emulated.RateLimits{RPS: 5},
			MethodRateLimits: []emulated.MethodRateLimit{{Interval: "day", Methods: []string{"eth_call"}, Rate: 3, Disabled: true}},
		},
	},
	Teams: []emulated.Team{
		{Name: "Team one", Members: []string{"jo@example.com", emulator.PrimaryUserEmail}, Endpoints: []string{"full: \"quoted\""}},
		{Name: "Team two", Members: []string{"al@example.com"}},
	},
	Destinations: []emulated.Destination{
		{Name: "on call", URL: "https://example.com/url-secret", Token: "destination-secret"},
		{Name: "on-call", URL: "https://example.com/url-secret", WebhookType: "GET", PayloadType: 7},
	},
	Notifications: []emulated.Notification{
		{Name: "n", Network: "ethereum-mainnet", Expression: "tx_to == '0x01'", Destinations: []string{"on call"}, Disabled: true},
	},
}

func TestWhatIsAdoptedIsSettled(t *testing.T) {
	s := newService(t)
	_, err := s.Populate(odd)
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.NoError(t, adopt(t.Context(), &s.planner(&fleet{}).reader, &out, &errs))
	assert.Empty(t, errs.String())
	assert.Empty(t, writes(s.Emulator))
	assert.NotContains(t, out.String(), "secret")
	assert.Contains(t, out.String(), "url_from: DESTINATION_ON_CALL_URL_2")
	assert.Contains(t, out.String(), "tokens: 2")
	assert.NotContains(t, out.String(), emulator.PrimaryUserEmail)

	f := declares(t, out.String())
	s.settled(t, f)
	assert.NotEmpty(t, f.Endpoints[0].ID)
	assert.Empty(t, f.Endpoints[3].ID)
	require.NoError(t, s.apply(t, f, true))
	assert.Empty(t, writes(s.Emulator))

	// On another account, what has no id is made.
	other := newService(t)
	content := strings.ReplaceAll(out.String(), "url_from: DESTINATION_", "url: https://example.com/DESTINATION_")
	for i, label := range []string{"one", "two", "three"} {
		content = strings.Replace(content, "id: \""+f.Endpoints[i].ID+"\"", "label: "+label, 1)
	}
	f = declares(t, content)
	require.NoError(t, other.apply(t, f, false))
	other.settled(t, f)
}

// What comes twice in the account cannot be said twice in a file, and one of the two is too many.
func TestEntriesThatComeTwice(t *testing.T) {
	s := newService(t)
	id := s.CreateEndpoints(1)[0]
	for range 2 {
		_, err := s.client.Security.AddIP(t.Context(), id, "198.51.100.1")
		require.NoError(t, err)
	}
	var out bytes.Buffer
	require.NoError(t, adopt(t.Context(), &s.planner(&fleet{}).reader, &out, &out))
	f := declares(t, out.String())
	steps, _ := s.plan(t, f)
	assert.Equal(t, []string{`remove endpoint "` + id + `" security.ips 198.51.100.1 > `}, steps)
	require.NoError(t, s.apply(t, f, true))
	s.settled(t, f)
}
