package rpcfleet

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// ExpressionsService tries an expression before a notification uses it. Expressions are written in plain text; see
// [alerts.Expression].
type ExpressionsService struct{ engine *engine }

// Validate asks whether the expression can be evaluated on the network. It returns nil where it can, and otherwise an
// [*Error] of [ErrInvalidRequest] whose Message is the service's reason. The route is observed.
//
// POST /alerts/rest/v1/notifications/validate
func (s *ExpressionsService) Validate(ctx context.Context, trial alerts.ValidateExpressionRequest, opts ...CallOption) error {
	with := s.engine.with(opts)
	return confirm(ctx, with.call(api.ValidateExpression(trial), with.network("network", trial.Network)))
}

// Backtest evaluates the expression on past blocks, at most 20, and reports for each whether and what it matched. An
// expression that is not valid is [ErrInvalidRequest]. The route and the response are observed.
//
// POST /alerts/rest/v1/notifications/backtest
func (s *ExpressionsService) Backtest(ctx context.Context, trial alerts.BacktestExpressionRequest, opts ...CallOption) ([]alerts.BacktestBlock, error) {
	with := s.engine.with(opts)
	result, err := fetch[alerts.BacktestResult](ctx, with.call(api.BacktestExpression(trial), with.network("network", trial.Network)))
	return result.ExpressionResult, err
}

// network checks that a network is a documented one, or one that WithUnlistedNetworks named.
func (c *caller) network(field string, value alerts.AlertNetwork) *ValidationError {
	if slices.Contains(c.settings.networks, value) {
		return nil
	}
	return oneOf(field, value)
}
