package rpcfleet_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// TestContractRulesOfAlerts goes through what the contract states about the arguments of the alerts area.
func TestContractRulesOfAlerts(t *testing.T) {
	destination := func(body string) ask {
		return func(a asking) error {
			var destination alerts.CreateDestinationRequest
			require.NoError(t, json.Unmarshal([]byte(body), &destination))
			return second(a.Destinations.Create(a, destination, a.opts...))
		}
	}
	notification := func(name string, expression alerts.Expression, network alerts.AlertNetwork, ids []string) ask {
		return func(a asking) error {
			return second(a.Notifications.Create(a, alerts.CreateNotificationRequest{
				Name: name, Expression: expression, Network: network, DestinationIDs: ids,
			}, a.opts...))
		}
	}
	update := func(network alerts.AlertNetwork) ask {
		return func(a asking) error {
			return second(a.Notifications.Update(a, "n1", alerts.UpdateNotificationRequest{Network: &network}, a.opts...))
		}
	}
	validate := func(expression alerts.Expression, network alerts.AlertNetwork) ask {
		return func(a asking) error {
			return a.Expressions.Validate(a, alerts.ValidateExpressionRequest{Expression: expression, Network: network}, a.opts...)
		}
	}
	backtest := func(expression alerts.Expression, network alerts.AlertNetwork, count int) ask {
		return func(a asking) error {
			return second(a.Expressions.Backtest(a, alerts.BacktestExpressionRequest{
				Expression: expression, Network: network, BlockNumber: 17, BacktestCount: count,
			}, a.opts...))
		}
	}
	// good is a destination that breaks no rule, and with is the same with one field changed.
	good := map[string]any{
		"name": "n", "to_url": "https://hooks.example.com/", "webhook_type": "POST", "service": "webhook", "payload_type": 1,
	}
	with := func(field string, value any) ask {
		changed := map[string]any{}
		for name, old := range good {
			changed[name] = old
		}
		changed[field] = value
		body, err := json.Marshal(changed)
		require.NoError(t, err)
		return destination(string(body))
	}
	const e, network, other = alerts.Expression("tx_to == '0x0'"), alerts.AlertNetwork("ethereum-mainnet"), alerts.AlertNetwork("etherium-mainnet")
	const isAbsolute = "must be an absolute http or https URL"
	ids := []string{"d1"}
	testRules(t, []rule{
		{"createDestination", "name", isRequired, with("name", ""), with("name", "n")},
		{"createDestination", "to_url", isRequired, with("to_url", ""), with("to_url", "http://h")},
		{"createDestination", "to_url", isAbsolute, with("to_url", "/a"), with("to_url", "http://h/a")},
		{"createDestination", "to_url", isAbsolute, with("to_url", "ftp://hooks.example"), with("to_url", "https://hooks.example")},
		{"createDestination", "to_url", isAbsolute, with("to_url", "https://:80/a"), with("to_url", "https://h:80/a")},
		{"createDestination", "to_url", isAbsolute, with("to_url", "https://a b/%"), with("to_url", "https://a/%25")},
		{"createDestination", "webhook_type", isRequired, with("webhook_type", ""), with("webhook_type", "GET")},
		{"createDestination", "webhook_type", isDocumented, with("webhook_type", "PUT"), with("webhook_type", "POST")},
		{"createDestination", "service", isRequired, with("service", ""), with("service", "webhook")},
		{"createDestination", "service", isDocumented, with("service", "email"), with("service", "webhook")},
		{"createDestination", "payload_type", "must be from 1 to 7", with("payload_type", 0), with("payload_type", 1)},
		{"createDestination", "payload_type", "must be from 1 to 7", with("payload_type", 8), with("payload_type", 7)},

		{"createNotification", "name", isRequired, notification("", e, network, ids), notification("n", e, network, ids)},
		{"createNotification", "expression", isRequired, notification("n", "", network, ids), notification("n", "e", network, ids)},
		{"createNotification", "network", isRequired, notification("n", e, "", ids), notification("n", e, network, ids)},
		{"createNotification", "network", isDocumented, notification("n", e, other, ids), notification("n", e, "doge-mainnet", ids)},
		{"createNotification", "destinationIds", isRequired, notification("n", e, network, nil), notification("n", e, network, []string{})},
		{"updateNotification", "network", isRequired, update(""), update(network)},
		{"updateNotification", "network", isDocumented, update(other), update(network)},

		{"validateExpression", "expression", isRequired, validate("", network), validate("e", network)},
		{"validateExpression", "network", isRequired, validate(e, ""), validate(e, network)},
		{"validateExpression", "network", isDocumented, validate(e, other), validate(e, network)},
		{"backtestExpression", "expression", isRequired, backtest("", network, 1), backtest("e", network, 1)},
		{"backtestExpression", "network", isRequired, backtest(e, "", 1), backtest(e, network, 1)},
		{"backtestExpression", "network", isDocumented, backtest(e, other, 1), backtest(e, network, 1)},
		{"backtestExpression", "backtest_count", " 20", backtest(e, network, 21), backtest(e, network, 20)},
	})
}
