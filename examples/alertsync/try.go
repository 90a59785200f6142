package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// try validates and backtests every expression, so that a mistake in one of them is found before anything is changed.
func try(ctx context.Context, out *log.Logger, client *rpcfleet.Client, want *file) error {
	var failures []error
	for _, n := range want.Notifications {
		matched, err := tryOne(ctx, client, &n)
		if errors.Is(err, rpcfleet.ErrUnauthorized) {
			return err // So are all others.
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("notification %q: %w", n.Name, err))
			continue
		}
		out.Printf("Notification %q: its expression is valid and matches %d of the %d blocks up to %d",
			n.Name, matched, n.Backtest.Blocks, n.Backtest.Block)
	}
	return errors.Join(failures...)
}

// tryOne returns how many of the blocks matched.
func tryOne(ctx context.Context, client *rpcfleet.Client, n *notification) (int, error) {
	err := client.Expressions.Validate(ctx, alerts.ValidateExpressionRequest{Expression: n.Expression, Network: n.Network})
	if err != nil {
		return 0, err
	}
	blocks, err := client.Expressions.Backtest(ctx, alerts.BacktestExpressionRequest{
		Expression: n.Expression, Network: n.Network, BlockNumber: n.Backtest.Block, BacktestCount: n.Backtest.Blocks,
	})
	matched := 0
	for _, block := range blocks {
		if block.Evaluation {
			matched++
		}
	}
	return matched, err
}
