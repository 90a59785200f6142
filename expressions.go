package rpcfleet

import (
	"context"
	"net/http"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// ExpressionsService tries an expression before a notification uses it. Expressions are written in plain text; see
// alerts.Expression.
type ExpressionsService struct{ client *Client }

// Validate asks whether the expression can be evaluated on the network. It returns nil where it can, and otherwise an
// *Error of ErrInvalidRequest whose Message is the service's reason. The route is observed.
//
// POST /alerts/rest/v1/notifications/validate
func (s *ExpressionsService) Validate(ctx context.Context, trial alerts.ValidateExpressionRequest, opts ...CallOption) error {
	return confirm(ctx, s.client, call{
		op:    alerts.ValidateExpressionOperation,
		build: func(base string) (*http.Request, error) { return alerts.NewValidateExpressionRequest(base, trial) },
		checks: []*ValidationError{
			required("expression", string(trial.Expression)),
			s.client.network("network", trial.Network, opts),
		},
		opts: opts,
	})
}

// Backtest evaluates the expression on past blocks, at most 20, and tells for each whether and what it matched. An
// expression that is not valid is ErrInvalidRequest. The route and the answer are observed.
//
// POST /alerts/rest/v1/notifications/backtest
func (s *ExpressionsService) Backtest(ctx context.Context, trial alerts.BacktestExpressionRequest, opts ...CallOption) ([]alerts.BacktestBlock, error) {
	result, err := fetch[alerts.BacktestResult](ctx, s.client, call{
		op:    alerts.BacktestExpressionOperation,
		build: func(base string) (*http.Request, error) { return alerts.NewBacktestExpressionRequest(base, trial) },
		checks: []*ValidationError{
			required("expression", string(trial.Expression)),
			s.client.network("network", trial.Network, opts),
			atMost("backtest_count", 20, trial.BacktestCount),
		},
		opts: opts,
	})
	return result.ExpressionResult, err
}

// network checks that a network is a documented one, or one that WithUnlistedNetworks named.
func (c *Client) network(field string, value alerts.AlertNetwork, opts []CallOption) *ValidationError {
	if settings, err := c.callSettings(opts); err == nil && slices.Contains(settings.networks, value) {
		return nil
	}
	return oneOf(field, value)
}
