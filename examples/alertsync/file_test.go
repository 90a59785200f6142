package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	f, err := read(bundled)
	require.NoError(t, err)
	assert.Len(t, f.Destinations, 2)
	assert.Len(t, f.Notifications, 2)
	assert.True(t, f.Notifications[0].enabled())
	assert.False(t, f.Notifications[1].enabled())
	f, err = read(nil)
	require.NoError(t, err)
	assert.Empty(t, f.Destinations)
}

func TestReadRefuses(t *testing.T) {
	for name, test := range map[string]struct{ old, with, reason string }{
		"a misspelled key":           {"method: GET", "metod: GET", "metod"},
		"no YAML":                    {"destinations:", "destinations: [", "yaml"},
		"two documents":              {"notifications:", "---\nnotifications:", "one YAML document"},
		"a destination twice":        {"name: audit", "name: treasury", `destination "treasury" is there twice`},
		"a destination without name": {"name: audit", "name: ''", "destination 2 has no name"},
		"a relative url":             {"https://audit.example/hook", "/hook", `destination "audit": url`},
		"no url":                     {"https://audit.example/hook", "", `destination "audit": url`},
		"a method":                   {"method: GET", "method: PUT", "method must be POST or GET"},
		"a layout":                   {"payload_type: 1", "payload_type: 8", "payload_type must be from 1 to 7"},
		"a notification twice":       {"Large or from a watched address", "Transfers to the treasury", "is there twice"},
		"no destinations":            {"[audit]", "[]", "has no destinations"},
		"an unknown destination":     {"[audit]", "[auditors]", `no destination "auditors"`},
		"the same destination twice": {"[audit]", "[audit, audit]", `destination "audit" twice`},
	} {
		t.Run(name, func(t *testing.T) {
			content := strings.Replace(string(bundled), test.old, test.with, 1)
			require.NotEqual(t, string(bundled), content)
			_, err := read([]byte(content))
			assert.ErrorContains(t, err, test.reason)
		})
	}
}
