package emulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAccountInfo(t *testing.T) {
	account := dataOf[struct {
		ID             int64     `json:"id"`
		Name           string    `json:"name"`
		CreatedAt      time.Time `json:"created_at"`
		BillingVersion string    `json:"billing_version"`
		Subscription   struct {
			PlanName *string `json:"plan_name"`
			Status   string  `json:"status"`
			Interval string  `json:"interval"`
		} `json:"subscription"`
	}](startService(t).get("/v0/account/info"))

	assert.Positive(t, account.ID)
	assert.NotEmpty(t, account.Name)
	assert.True(t, account.CreatedAt.Before(start))
	assert.NotEmpty(t, account.BillingVersion)
	require.NotNil(t, account.Subscription.PlanName)
	assert.Equal(t, "active", account.Subscription.Status)
	assert.Equal(t, "month", account.Subscription.Interval)
}

func TestInvoices(t *testing.T) {
	invoices := dataOf[struct {
		Invoices []struct {
			ID     string `json:"id"`
			Status string `json:"status"`
			Lines  []struct {
				Amount int64 `json:"amount"`
			} `json:"lines"`
			AmountDue   int64 `json:"amount_due"`
			AmountPaid  int64 `json:"amount_paid"`
			Subtotal    int64 `json:"subtotal"`
			PeriodStart int64 `json:"period_start"`
			PeriodEnd   int64 `json:"period_end"`
		} `json:"invoices"`
	}](startService(t).get("/v0/billing/invoices")).Invoices
	require.Len(t, invoices, 4)

	assert.Equal(t, "open", invoices[0].Status)
	assert.Zero(t, invoices[0].AmountPaid)
	assert.Equal(t, time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC).Unix(), invoices[0].PeriodStart)
	assert.Equal(t, time.Date(2026, time.April, 1, 0, 0, 0, 0, time.UTC).Unix(), invoices[0].PeriodEnd)
	for i, invoice := range invoices {
		assert.NotEmpty(t, invoice.ID)
		require.Len(t, invoice.Lines, 1)
		assert.Equal(t, invoice.Subtotal, invoice.Lines[0].Amount)
		if i > 0 {
			assert.Equal(t, "paid", invoice.Status)
			assert.Equal(t, invoice.AmountDue, invoice.AmountPaid)
			assert.Equal(t, invoices[i-1].PeriodStart, invoice.PeriodEnd, "one period follows the other")
		}
	}
}

func TestPayments(t *testing.T) {
	payments := dataOf[struct {
		Payments []struct {
			Amount            string    `json:"amount"`
			CardLast4         *string   `json:"card_last_4"`
			CreatedAt         time.Time `json:"created_at"`
			Currency          string    `json:"currency"`
			Status            string    `json:"status"`
			MarketplaceAmount *string   `json:"marketplace_amount"`
		} `json:"payments"`
	}](startService(t).get("/v0/billing/payments")).Payments
	require.Len(t, payments, 3)

	assert.Equal(t, "499.00", payments[0].Amount)
	assert.Equal(t, "usd", payments[0].Currency)
	assert.Equal(t, "succeeded", payments[0].Status)
	assert.NotNil(t, payments[0].CardLast4)
	assert.Nil(t, payments[2].CardLast4)
	assert.NotNil(t, payments[0].MarketplaceAmount)
	assert.Nil(t, payments[1].MarketplaceAmount)
	assert.Equal(t, time.Date(2026, time.February, 1, 1, 0, 0, 0, time.UTC), payments[0].CreatedAt)
}

type chainRecord struct {
	Slug          string `json:"slug"`
	IsSelectChain bool   `json:"is_select_chain"`
	Networks      []struct {
		Slug    string `json:"slug"`
		Name    string `json:"name"`
		ChainID *int64 `json:"chain_id"`
	} `json:"networks"`
}

func TestChains(t *testing.T) {
	s := startService(t)
	chains := dataOf[[]chainRecord](s.get("/v0/chains"))

	chainIDs := make(map[string]*int64)
	for _, chain := range chains {
		require.NotEmpty(t, chain.Networks, chain.Slug)
		for _, network := range chain.Networks {
			assert.NotContains(t, chainIDs, network.Slug, "the slug of a network is unique")
			assert.NotEmpty(t, network.Name)
			chainIDs[network.Slug] = network.ChainID
		}
	}
	assert.Equal(t, new(int64(1)), chainIDs["ethereum-mainnet"])
	assert.Equal(t, new(int64(137)), chainIDs["polygon-mainnet"])
	assert.Contains(t, chainIDs, "solana-mainnet")
	assert.Nil(t, chainIDs["solana-mainnet"], "Solana has no chain id")
}

func TestAPICredits(t *testing.T) {
	s := startService(t)
	for _, chain := range dataOf[[]chainRecord](s.get("/v0/chains")) {
		credits := dataOf[[]struct {
			Method  string `json:"method"`
			Credits int64  `json:"credits"`
		}](s.get("/v0/api-credits/" + chain.Slug))
		require.NotEmpty(t, credits, chain.Slug)
		for _, cost := range credits {
			assert.NotEmpty(t, cost.Method)
			assert.Positive(t, cost.Credits)
		}
	}
	s.get("/v0/api-credits/no-such-chain").refused(http.StatusNotFound, "chain")
}
