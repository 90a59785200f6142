package emulator

import (
	"context"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// account is the account that the keys belong to.
type account struct {
	id        int64
	name      string
	createdAt time.Time
	plan      string
}

// accountAge is how long before the emulator's start the account was opened: long enough for some invoices.
const accountAge = 130 * 24 * time.Hour

func newAccount(s *state) account {
	return account{
		id:        s.ids.number(),
		name:      "Example Account",
		createdAt: s.started.Add(-accountAge).Truncate(time.Millisecond),
		plan:      "Scale",
	}
}

// GetAccountInfo is GET /v0/account/info.
func (h adminHandlers) GetAccountInfo(context.Context, adminapi.GetAccountInfoRequestObject) (adminapi.GetAccountInfoResponseObject, error) {
	account := h.state.account
	return adminapi.GetAccountInfo200JSONResponse{Data: adminapi.AccountInfo{
		ID:             account.id,
		Name:           account.name,
		CreatedAt:      account.createdAt,
		BillingVersion: "v3",
		Subscription: adminapi.Subscription{
			PlanName: &account.plan,
			Status:   "active",
			Interval: "month",
		},
	}}, nil
}
