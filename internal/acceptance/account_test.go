package acceptance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// present is the time at which the emulators of these tests stand still, if the time matters.
var present = time.Date(2026, time.March, 10, 9, 30, 0, 0, time.UTC)

func still() time.Time { return present }

func TestAccount(t *testing.T) {
	b := start(t, emulator.WithClock(still))
	info := must(b.Account.Info(t.Context()))(t)
	assert.NotZero(t, info.ID)
	assert.NotEmpty(t, info.Name)
	assert.NotEmpty(t, info.BillingVersion)
	assert.True(t, info.CreatedAt.Before(present), "the account is older than its service: %v", info.CreatedAt)
	require.NotNil(t, info.Subscription.PlanName)
	assert.NotEmpty(t, *info.Subscription.PlanName)
	assert.Equal(t, "active", info.Subscription.Status)
	assert.Equal(t, "month", info.Subscription.Interval)
}

func TestBilling(t *testing.T) {
	b := start(t, emulator.WithClock(still))
	invoices := must(b.Billing.Invoices(t.Context()))(t)
	require.NotEmpty(t, invoices)
	newest := invoices[0]
	assert.Equal(t, "open", *newest.Status)
	assert.Zero(t, *newest.AmountPaid)
	assert.Positive(t, *newest.AmountDue)
	assert.Equal(t, time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC).Unix(), *newest.PeriodStart)
	paid := 0
	for _, invoice := range invoices[1:] {
		assert.Equal(t, "paid", *invoice.Status)
		assert.Equal(t, *invoice.AmountDue, *invoice.AmountPaid)
		require.NotEmpty(t, invoice.Lines)
		paid++
	}

	payments := must(b.Billing.Payments(t.Context()))(t)
	require.Len(t, payments, paid)
	withCard, forMarketplace := 0, 0
	for _, payment := range payments {
		assert.Equal(t, "usd", *payment.Currency)
		if payment.CardLast4 != nil {
			withCard++
		}
		if payment.MarketplaceAmount != nil {
			forMarketplace++
		}
	}
	assert.Less(t, withCard, len(payments), "a null stays distinguishable")
	assert.Less(t, forMarketplace, len(payments), "a null stays distinguishable")
	assert.Positive(t, withCard)
	assert.Positive(t, forMarketplace)
}

func TestChains(t *testing.T) {
	b := start(t)
	chains := must(b.Chains.List(t.Context()))(t)
	require.NotEmpty(t, chains)
	for _, chain := range chains {
		require.NotEmpty(t, chain.Networks)
		credits := must(b.Chains.APICredits(t.Context(), *chain.Slug))(t)
		require.NotEmpty(t, credits)
		assert.NotEmpty(t, *credits[0].Method)
		assert.Positive(t, *credits[0].Credits)
	}
}

func TestAWrongKeyIsUnauthorized(t *testing.T) {
	b := start(t)
	stranger := b.client(t, rpcfleet.WithAPIKey("made-up-wrong-key"))
	_, err := stranger.Account.Info(t.Context())
	require.ErrorIs(t, err, rpcfleet.ErrUnauthorized)
	assert.NotContains(t, err.Error(), "made-up-wrong-key")
	require.ErrorIs(t, second(stranger.Teams.List(t.Context())), rpcfleet.ErrUnauthorized)
}
