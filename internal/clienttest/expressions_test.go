package clienttest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// validate and backtest try a good expression with a change.
func validate(change func(*alerts.ValidateExpressionRequest), opts ...rpcfleet.CallOption) use {
	trial := alerts.ValidateExpressionRequest{Expression: "tx_to == '0x1'", Network: alerts.AlertNetworkEthereumMainnet}
	change(&trial)
	return func(ctx context.Context, c *rpcfleet.Client) error {
		return c.Expressions.Validate(ctx, trial, opts...)
	}
}

func backtest(change func(*alerts.BacktestExpressionRequest), opts ...rpcfleet.CallOption) use {
	trial := alerts.BacktestExpressionRequest{
		Expression: "tx_to == '0x1'", Network: alerts.AlertNetworkEthereumMainnet, BlockNumber: 19000001, BacktestCount: 20,
	}
	change(&trial)
	return func(ctx context.Context, c *rpcfleet.Client) error {
		_, err := c.Expressions.Backtest(ctx, trial, opts...)
		return err
	}
}

func TestExpressions(t *testing.T) {
	const base = "/alerts/rest/v1/notifications"
	testSends(t, says(200, `{"expression_result":[]}`), map[string]sent{
		"validate": {validate(func(*alerts.ValidateExpressionRequest) {}), "POST", base + "/validate",
			`{"expression":"dHhfdG8gPT0gJzB4MSc=","network":"ethereum-mainnet"}`},
		"backtest": {backtest(func(*alerts.BacktestExpressionRequest) {}), "POST", base + "/backtest",
			`{"expression":"dHhfdG8gPT0gJzB4MSc=","network":"ethereum-mainnet","block_number":19000001,"backtest_count":20}`},
		"backtest of the first block": {backtest(func(r *alerts.BacktestExpressionRequest) { r.BlockNumber, r.BacktestCount = 0, 1 }),
			"POST", base + "/backtest",
			`{"expression":"dHhfdG8gPT0gJzB4MSc=","network":"ethereum-mainnet","block_number":0,"backtest_count":1}`},
		"backtest of what no rule forbids": {backtest(func(r *alerts.BacktestExpressionRequest) { r.BlockNumber, r.BacktestCount = -1, 0 }),
			"POST", base + "/backtest",
			`{"expression":"dHhfdG8gPT0gJzB4MSc=","network":"ethereum-mainnet","block_number":-1,"backtest_count":0}`},
	})
}

func TestValidate(t *testing.T) {
	asIs := validate(func(*alerts.ValidateExpressionRequest) {})
	for name, line := range map[string]responder{
		"an empty 200": says(200, ``), "a 201 with a record": says(201, `{"valid":true}`), "a 204": says(204, ``),
		"plain text": saysAs("text/plain", 200, "valid"),
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, line)
			require.NoError(t, asIs(t.Context(), client))
		})
	}
	const reason = "expression: unexpected end of text after =="
	for name, line := range map[string]responder{
		"a message":       says(400, `{"message":"`+reason+`","error":"Bad Request"}`),
		"a list of them":  says(400, `{"message":["`+reason+`"]}`),
		"only an error":   says(400, `{"error":"`+reason+`"}`),
		"plain text":      saysAs("text/plain", 400, reason),
		"a quoted reason": says(400, `"`+reason+`"`),
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := scripted(t, line)
			err := asIs(t.Context(), client)
			require.ErrorIs(t, err, rpcfleet.ErrInvalidRequest)
			var fault *rpcfleet.Error
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, reason, fault.Message)
			assert.Contains(t, err.Error(), reason)
		})
	}
}

func TestBacktest(t *testing.T) {
	client, _ := scripted(t, says(200, `{"expression_result":[
		{"block_number":19000001,"evaluation":true,"network":"ethereum-mainnet","matched_hashes":["0x11"]},
		{"block_number":"19000000","evaluation":false,"network":"ethereum-mainnet","matched_hashes":null}]}`))
	blocks, err := client.Expressions.Backtest(t.Context(), alerts.BacktestExpressionRequest{
		Expression: "tx_to == '0x1'", Network: alerts.AlertNetworkEthereumMainnet, BlockNumber: 19000001, BacktestCount: 2,
	})
	require.NoError(t, err)
	assert.Equal(t, []alerts.BacktestBlock{
		{BlockNumber: "19000001", Evaluation: true, Network: "ethereum-mainnet", MatchedHashes: []string{"0x11"}},
		{BlockNumber: "19000000", Network: "ethereum-mainnet"},
	}, blocks)
}

func TestUnlistedNetworksOfExpressions(t *testing.T) {
	client, server := scripted(t, says(200, `{"expression_result":[]}`))
	newer := rpcfleet.WithUnlistedNetworks("newer-mainnet")
	require.NoError(t, validate(func(r *alerts.ValidateExpressionRequest) { r.Network = "newer-mainnet" }, newer)(t.Context(), client))
	require.NoError(t, backtest(func(r *alerts.BacktestExpressionRequest) { r.Network = "newer-mainnet" }, newer)(t.Context(), client))
	assert.Len(t, server.Requests(), 2)
}
