package alerts_test

import (
	"testing"

	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/internal/operation/operationtest"
)

// builders are all request builders, in the order of the operations.
var builders = []any{
	alerts.NewListDestinationsRequest,
	alerts.NewCreateDestinationRequest,
	alerts.NewDeleteDestinationRequest,
	alerts.NewGetDestinationRequest,
	alerts.NewListNotificationsRequest,
	alerts.NewCreateNotificationRequest,
	alerts.NewBacktestExpressionRequest,
	alerts.NewValidateExpressionRequest,
	alerts.NewDeleteNotificationRequest,
	alerts.NewGetNotificationRequest,
	alerts.NewUpdateNotificationRequest,
	alerts.NewDisableNotificationRequest,
	alerts.NewEnableNotificationRequest,
	alerts.NewListNotificationEventsRequest,
}

func TestBuilders(t *testing.T) { operationtest.Check(t, alerts.Operations, builders) }

func FuzzBuilders(f *testing.F) { operationtest.Fuzz(f, alerts.Operations, builders) }
