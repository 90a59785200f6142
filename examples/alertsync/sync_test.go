package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/emulator"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// account is an emulator with a client.
func account(t *testing.T) *rpcfleet.Client {
	t.Helper()
	server := emulator.Start()
	t.Cleanup(server.Close)
	client, err := rpcfleet.New(rpcfleet.WithBaseURL(server.URL), rpcfleet.WithAPIKey(server.APIKey))
	require.NoError(t, err)
	return client
}

// apply applies the bundled file with some texts replaced, and returns what was printed.
func apply(t *testing.T, client *rpcfleet.Client, replace ...string) (string, error) {
	t.Helper()
	want, err := read([]byte(strings.NewReplacer(replace...).Replace(string(bundled))))
	require.NoError(t, err)
	var out bytes.Buffer
	_, err = reconcile(t.Context(), log.New(&out, "", 0), client, want, true)
	return out.String(), err
}

// contents returns everything that the account has.
func contents(t *testing.T, client *rpcfleet.Client) ([]alerts.Destination, []alerts.Notification) {
	t.Helper()
	destinations, err := collect(client.Destinations.All(t.Context(), alerts.ListDestinationsParams{}))
	require.NoError(t, err)
	notifications, err := collect(client.Notifications.All(t.Context(), alerts.ListNotificationsParams{}))
	require.NoError(t, err)
	return destinations, notifications
}

func TestWithoutAnEnvironment(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	var out bytes.Buffer
	require.NoError(t, synchronize(t.Context(), log.New(&out, "", 0), "", false))
	first, second, found := strings.Cut(out.String(), "Once more:")
	require.True(t, found)
	assert.Contains(t, first, `Notification "Transfers to the treasury": its expression is valid and matches 4 of the 10 blocks up to 19000010`)
	assert.Contains(t, first, `+ create destination "treasury"`)
	assert.Contains(t, first, "4 to create, 0 to update, 0 unchanged\nApplied.")
	assert.Contains(t, second, `= keep notification "Transfers to the treasury"`)
	assert.True(t, strings.HasSuffix(second, "No changes.\n"), second)
}

// TestTheProgram runs it as a command line does.
func TestTheProgram(t *testing.T) {
	t.Setenv("RPCFLEET_BASE_URL", "")
	for name, c := range map[string]struct {
		args      []string
		code      int
		out, errs string
	}{
		"without flags":    {nil, 0, "No changes.\n", ""},
		"help":             {[]string{"-help"}, 0, "create and update what differs", ""},
		"an unknown flag":  {[]string{"-aply"}, 2, "", "flag provided but not defined: -aply"},
		"an argument":      {[]string{"-apply", "alerts.yaml"}, 2, "", `alertsync: unexpected argument "alerts.yaml"`},
		"a file not there": {[]string{"-file", "none.yaml"}, 1, "", "alertsync: open none.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			assert.Equal(t, c.code, run(t.Context(), c.args, nil, &out, &errs))
			assert.Contains(t, out.String(), c.out)
			assert.Contains(t, errs.String(), c.errs)
			assert.Equal(t, c.errs == "", errs.Len() == 0, "%s", &errs)
		})
	}
}

func TestARealAccountNeedsAFile(t *testing.T) {
	server := emulator.Start()
	t.Cleanup(server.Close)
	t.Setenv("RPCFLEET_BASE_URL", server.URL)
	t.Setenv("RPCFLEET_API_KEY", server.APIKey)
	var out bytes.Buffer
	require.ErrorContains(t, synchronize(t.Context(), log.New(&out, "", 0), "", true), "-file")
	path := filepath.Join(t.TempDir(), "alerts.yaml")
	require.ErrorIs(t, synchronize(t.Context(), log.New(&out, "", 0), path, true), os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, bundled, 0o600))
	for _, want := range []struct {
		apply bool
		text  string
	}{
		{false, "4 to create, 0 to update, 0 unchanged\n"},
		{true, "4 to create, 0 to update, 0 unchanged\nApplied.\n"},
		{true, "No changes.\n"},
	} {
		out.Reset()
		require.NoError(t, synchronize(t.Context(), log.New(&out, "", 0), path, want.apply))
		assert.True(t, strings.HasSuffix(out.String(), want.text), out.String())
	}
}

func TestWhatIsCreated(t *testing.T) {
	client := account(t)
	_, err := apply(t, client)
	require.NoError(t, err)
	destinations, notifications := contents(t, client)
	require.Len(t, destinations, 2)
	require.Len(t, notifications, 2)
	assert.Equal(t, "https://hooks.treasury.example/alerts", destinations[0].To.Reveal())
	assert.Equal(t, alerts.WebhookTypeGET, destinations[1].WebhookType)
	assert.Equal(t, []string{destinations[0].ID, destinations[1].ID}, notifications[0].DestinationIDs)
	assert.Equal(t, new(true), notifications[0].Enabled)
	assert.Equal(t, new(false), notifications[1].Enabled)
	assert.Equal(t, alerts.Expression("tx_value =~ '^[0-9]{19,}$'\n|| tx_from =~ '10[0-4]$'"), notifications[1].Expression)
}

func TestUpdates(t *testing.T) {
	const head = `~ update notification "Large or from a watched address": `
	for name, test := range map[string]struct {
		replace []string
		line    string
		check   func(t *testing.T, n alerts.Notification, d []alerts.Destination)
	}{
		"expression": {[]string{"19,", "18,"}, head + "expression\n", func(t *testing.T, n alerts.Notification, _ []alerts.Destination) {
			assert.Contains(t, n.Expression, "18,")
		}},
		"network": {[]string{"polygon-mainnet", "celo-mainnet"}, head + "network\n", func(t *testing.T, n alerts.Notification, _ []alerts.Destination) {
			assert.Equal(t, alerts.AlertNetworkCeloMainnet, n.Network)
		}},
		"enabled": {[]string{"enabled: false", "enabled: true"}, head + "enabled\n", func(t *testing.T, n alerts.Notification, _ []alerts.Destination) {
			assert.Equal(t, new(true), n.Enabled)
		}},
		"destinations": {[]string{"[audit]", "[treasury]"}, head + "destinations\n", func(t *testing.T, n alerts.Notification, d []alerts.Destination) {
			assert.Equal(t, []string{d[0].ID}, n.DestinationIDs)
		}},
		"several": {[]string{"19,", "18,", "enabled: false", "enabled: true"}, head + "enabled, expression\n", func(t *testing.T, n alerts.Notification, _ []alerts.Destination) {
			assert.Contains(t, n.Expression, "18,")
			assert.Equal(t, new(true), n.Enabled)
		}},
		"a destination that is new": {[]string{"name: audit", "name: auditors", "audit]", "auditors]"}, head + "destinations\n", func(t *testing.T, n alerts.Notification, d []alerts.Destination) {
			require.Len(t, d, 3, "the old one stays")
			assert.Equal(t, []string{d[2].ID}, n.DestinationIDs)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			client := account(t)
			_, err := apply(t, client)
			require.NoError(t, err)
			out, err := apply(t, client, test.replace...)
			require.NoError(t, err)
			assert.Contains(t, out, test.line)
			destinations, notifications := contents(t, client)
			require.Len(t, notifications, 2)
			test.check(t, notifications[1], destinations)
			out, err = apply(t, client, test.replace...)
			require.NoError(t, err)
			assert.Contains(t, out, "No changes.")
		})
	}
}

func TestTheOrderOfDestinationsDoesNotMatter(t *testing.T) {
	asIs, reversed := []string{}, []string{"[treasury, audit]", "[audit, treasury]"}
	for _, order := range [][2][]string{{asIs, reversed}, {reversed, asIs}} {
		client := account(t)
		_, err := apply(t, client, order[0]...)
		require.NoError(t, err)
		out, err := apply(t, client, order[1]...)
		require.NoError(t, err)
		assert.Contains(t, out, "No changes.")
	}
}

func TestWhatTheFileDoesNotNameIsLeftAlone(t *testing.T) {
	client := account(t)
	foreign, err := client.Destinations.Create(t.Context(), alerts.CreateDestinationRequest{
		Name: "by hand", ToURL: scalar.NewSecretURL("https://other.example"), WebhookType: alerts.WebhookTypePOST,
		Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout2,
	})
	require.NoError(t, err)
	other, err := client.Notifications.Create(t.Context(), alerts.CreateNotificationRequest{
		Name: "by hand", Expression: "tx_to == 'a'", Network: alerts.AlertNetworkDogeMainnet, DestinationIDs: []string{foreign.ID},
	})
	require.NoError(t, err)
	out, err := apply(t, client)
	require.NoError(t, err)
	assert.NotContains(t, out, "by hand")
	destinations, notifications := contents(t, client)
	assert.Equal(t, *foreign, destinations[0])
	assert.Equal(t, *other, notifications[0])
	assert.Len(t, destinations, 3)
}

func TestNothingIsChangedWhereSomethingIsWrong(t *testing.T) {
	for name, test := range map[string]struct {
		replace []string
		reason  string
	}{
		"an expression":              {[]string{"||", "or"}, `notification "Large or from a watched address": rpcfleet: validateExpression: 400`},
		"a network":                  {[]string{"polygon-mainnet", "poligon-mainnet"}, "network must be one of the documented values"},
		"a backtest":                 {[]string{"blocks: 10", "blocks: 21"}, "backtest_count must be at most 20"},
		"a destination that differs": {[]string{"audit.example/hook", "audit.example/other", "method: GET", "method: POST"}, `destination "audit" is there with another method, url`},
	} {
		t.Run(name, func(t *testing.T) {
			client := account(t)
			_, err := apply(t, client)
			require.NoError(t, err)
			destinations, notifications := contents(t, client)
			_, err = apply(t, client, append(test.replace, "[treasury, audit]", "[treasury]")...)
			require.ErrorContains(t, err, test.reason)
			after, afterwards := contents(t, client)
			assert.Equal(t, destinations, after)
			assert.Equal(t, notifications, afterwards)
		})
	}
}

func TestTwoOfOneNameOnTheAccount(t *testing.T) {
	client := account(t)
	for range 2 {
		_, err := client.Destinations.Create(t.Context(), alerts.CreateDestinationRequest{
			Name: "audit", ToURL: scalar.NewSecretURL("https://other.example"), WebhookType: alerts.WebhookTypePOST,
			Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout2,
		})
		require.NoError(t, err)
	}
	_, err := apply(t, client)
	require.ErrorContains(t, err, `the account has two destinations called "audit"`)
}

// TestNoURLIsPrinted has a webhook's secret in every situation in which the program prints something about it.
func TestNoURLIsPrinted(t *testing.T) {
	client := account(t)
	secret := []string{"https://audit.example/hook", "https://audit.example/s3cr3t"}
	var printed strings.Builder
	for _, replace := range [][]string{secret, secret, {}, {"https://audit.example/hook", "https://audit.example/s3cr3t-too"}} {
		out, err := apply(t, client, replace...)
		fmt.Fprintf(&printed, "%s%v", out, err)
	}
	assert.Contains(t, printed.String(), `destination "audit" is there with another url`)
	destinations, _ := contents(t, client)
	assert.Equal(t, "https://audit.example/s3cr3t", destinations[1].To.Reveal(), "the account has it")

	for _, url := range []string{"ftp://audit.example/s3cr3t", "s3cr3t", "[s3cr3t]", "https://a b/s3cr3t"} {
		content := strings.Replace(string(bundled), secret[0], url, 1)
		f, err := read([]byte(content))
		require.Error(t, err)
		fmt.Fprintf(&printed, "%+v %v", f, err)
	}
	f, err := read([]byte(strings.NewReplacer(secret...).Replace(string(bundled))))
	require.NoError(t, err)
	fmt.Fprintf(&printed, "%+v", f)
	assert.NotContains(t, printed.String(), "s3cr3t")
}
