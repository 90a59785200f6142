package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// BillingService lists what was billed and paid.
type BillingService struct{ engine *engine }

// Invoices returns the account's invoices. Amounts are in the smallest unit of the currency, times in unix seconds
// (observed).
//
// GET /v0/billing/invoices
func (s *BillingService) Invoices(ctx context.Context, opts ...CallOption) ([]admin.Invoice, error) {
	list, err := fetch[admin.InvoiceList](ctx, s.engine.call(api.ListInvoices(), opts))
	return list.Invoices, err
}

// Payments returns the account's payments.
//
// GET /v0/billing/payments
func (s *BillingService) Payments(ctx context.Context, opts ...CallOption) ([]admin.Payment, error) {
	list, err := fetch[admin.PaymentList](ctx, s.engine.call(api.ListPayments(), opts))
	return list.Payments, err
}
