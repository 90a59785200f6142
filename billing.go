package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// BillingService lists what was billed and paid.
type BillingService struct{ client *Client }

// Invoices returns the account's invoices. Amounts are in the smallest unit of the currency, times in unix seconds
// (observed).
//
// GET /v0/billing/invoices
func (s *BillingService) Invoices(ctx context.Context, opts ...CallOption) ([]admin.Invoice, error) {
	list, err := fetch[admin.InvoiceList](ctx, s.client, call{
		op: admin.ListInvoicesOperation, build: admin.NewListInvoicesRequest, opts: opts,
	})
	return list.Invoices, err
}

// Payments returns the account's payments.
//
// GET /v0/billing/payments
func (s *BillingService) Payments(ctx context.Context, opts ...CallOption) ([]admin.Payment, error) {
	list, err := fetch[admin.PaymentList](ctx, s.client, call{
		op: admin.ListPaymentsOperation, build: admin.NewListPaymentsRequest, opts: opts,
	})
	return list.Payments, err
}
