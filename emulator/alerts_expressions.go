package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// checkExpression reads an expression that is to be tried on a network.
func checkExpression(expression []byte, network alertsapi.AlertNetwork) (condition, error) {
	if err := checkNetwork(network); err != nil {
		return nil, err
	}
	parsed, err := parseExpression(string(expression))
	if err != nil {
		return nil, badRequest(err.Error())
	}
	return parsed, nil
}

// ValidateExpression is POST /notifications/validate.
func (h alertsHandlers) ValidateExpression(_ context.Context, r alertsapi.ValidateExpressionRequestObject) (alertsapi.ValidateExpressionResponseObject, error) {
	if _, err := checkExpression(r.Body.Expression, r.Body.Network); err != nil {
		return nil, err
	}
	return alertsapi.ValidateExpression200Response{}, nil
}

// mostBacktests is how many blocks one backtest covers at most.
const mostBacktests = 20

// BacktestExpression is POST /notifications/backtest. It covers the given block and those before it, the newest first
// and none before block 0, which is assumed.
func (h alertsHandlers) BacktestExpression(ctx context.Context, r alertsapi.BacktestExpressionRequestObject) (alertsapi.BacktestExpressionResponseObject, error) {
	parsed, err := checkExpression(r.Body.Expression, r.Body.Network)
	if err != nil {
		return nil, err
	}
	body, err := sent[struct {
		BlockNumber *int64 `json:"block_number"`
	}](ctx)
	switch {
	case err != nil:
		return nil, err
	case body.BlockNumber == nil:
		return nil, badRequest("block_number is required")
	case *body.BlockNumber < 0:
		return nil, badRequest("block_number must not be negative")
	case r.Body.BacktestCount < 1 || r.Body.BacktestCount > mostBacktests:
		return nil, badRequest("backtest_count must be from 1 to 20")
	}
	result := alertsapi.BacktestExpression200JSONResponse{ExpressionResult: []alertsapi.BacktestBlock{}}
	first := max(r.Body.BlockNumber-int64(r.Body.BacktestCount)+1, 0)
	for number := r.Body.BlockNumber; number >= first; number-- {
		block := blockOf(string(r.Body.Network), number)
		outcome := alertsapi.BacktestBlock{BlockNumber: number, Network: string(r.Body.Network), MatchedHashes: []string{}}
		for _, place := range matches(parsed, block) {
			outcome.Evaluation = true
			outcome.MatchedHashes = append(outcome.MatchedHashes, block[place]["tx_hash"])
		}
		result.ExpressionResult = append(result.ExpressionResult, outcome)
	}
	return result, nil
}
