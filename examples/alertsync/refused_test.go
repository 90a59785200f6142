package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// inTheEnvironment is an account in the environment, and a function that runs the program with a file on it.
func inTheEnvironment(t *testing.T) (*emulator.Server, func(content string) (code int, out, errs string)) {
	t.Helper()
	server := emulator.Start()
	t.Cleanup(server.Close)
	t.Setenv("RPCFLEET_BASE_URL", server.URL)
	t.Setenv("RPCFLEET_API_KEY", server.APIKey)
	path := filepath.Join(t.TempDir(), "alerts.yaml")
	return server, func(content string) (int, string, string) {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"-file", path, "-apply"}, nil, &out, &errs)
		return code, out.String(), errs.String()
	}
}

// A service may refuse any request of a run that creates or updates. The next run goes on, and a third has nothing to do.
func TestTheServiceFailsAtAnyRequest(t *testing.T) {
	updated := strings.NewReplacer("19,", "18,", "enabled: false", "enabled: true").Replace(string(bundled))
	for name, files := range map[string][]string{"while it creates": {string(bundled)}, "while it updates": {string(bundled), updated}} {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for ended := false; !ended; failed++ {
				server, apply := inTheEnvironment(t)
				before, file := files[:len(files)-1], files[len(files)-1]
				for _, content := range before {
					code, _, errs := apply(content)
					require.Zero(t, code, errs)
				}
				injected, err := server.Inject(emulator.Fault{Status: http.StatusBadRequest, Times: 1, After: failed})
				require.NoError(t, err)
				code, out, errs := apply(file)
				server.RemoveFaults()
				if ended = injected.Fired() == 0; ended {
					require.Zero(t, code, errs)
				} else {
					assert.Equal(t, 1, code)
					assert.Regexp(t, `\Aalertsync: [^\n]*400 Bad Request[^\n]*\n\z`, errs)
					assert.NotContains(t, out, "Applied.")
					code, _, errs = apply(file)
					require.Zero(t, code, errs)
				}
				code, out, errs = apply(file)
				require.Zero(t, code, errs)
				assert.Contains(t, out, "No changes.\n", "after %d requests", failed)
			}
			assert.Greater(t, failed, 8)
		})
	}
}

// A wrong file, and half an account, are told before anything is asked.
func TestNothingIsAskedWhereTheFileOrTheAccountIsWrong(t *testing.T) {
	server, apply := inTheEnvironment(t)
	code, out, errs := apply("destinations: [{name: ''}]")
	assert.Equal(t, 1, code)
	assert.Equal(t, "alertsync: destination 1 has no name\n", errs)
	assert.Empty(t, out)
	t.Setenv("RPCFLEET_API_KEY", "")
	code, out, errs = apply(string(bundled))
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "RPCFLEET_API_KEY")
	assert.Empty(t, out)
	assert.Empty(t, server.Calls())

	t.Setenv("RPCFLEET_API_KEY", "wrong") // One line says it, and not one for each notification.
	code, _, errs = apply(string(bundled))
	assert.Equal(t, 1, code)
	assert.Regexp(t, `\Aalertsync: [^\n]*401 Unauthorized[^\n]*\n\z`, errs)
	assert.Len(t, server.Calls(), 1)
}

func TestTwoNotificationsOfOneName(t *testing.T) {
	client := account(t)
	_, err := apply(t, client)
	require.NoError(t, err)
	hook, err := client.Destinations.Create(t.Context(), alerts.CreateDestinationRequest{
		Name: "other", ToURL: scalar.NewSecretURL("https://other.example"), WebhookType: alerts.WebhookTypePOST,
		Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout2,
	})
	require.NoError(t, err)
	_, err = client.Notifications.Create(t.Context(), alerts.CreateNotificationRequest{
		Name: "Transfers to the treasury", Expression: "tx_to == 'a'", Network: alerts.AlertNetworkDogeMainnet, DestinationIDs: []string{hook.ID},
	})
	require.NoError(t, err)
	_, err = apply(t, client)
	require.ErrorContains(t, err, `the account has two notifications called "Transfers to the treasury"`)
}
