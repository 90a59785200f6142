package emulator

import (
	"context"
	"fmt"
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

// billing is what the account was billed for, newest first.
type billing struct {
	invoices []adminapi.Invoice
	payments []adminapi.Payment
}

// The amounts are in cents, the smallest unit of the currency.
const (
	monthlyFee   = 49_900
	pastInvoices = 3
)

// newBilling makes up a paid invoice with its payment for each of the last months, and an open one for this month.
func newBilling(s *state) billing {
	var b billing
	for ago := range pastInvoices + 1 {
		start := billingPeriodStart(s.started, -ago)
		b.invoices = append(b.invoices, newInvoice(s.ids, start, ago > 0))
		if ago > 0 {
			b.payments = append(b.payments, newPayment(start, ago))
		}
	}
	return b
}

// billingPeriodStart is the start of the billing period that holds a time, or of one so many periods from it. The
// periods are the calendar months of UTC; the contract does not say.
func billingPeriodStart(at time.Time, periods int) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month()+time.Month(periods), 1, 0, 0, 0, 0, time.UTC)
}

func newInvoice(ids *ids, start time.Time, paid bool) adminapi.Invoice {
	status, amountPaid := "open", int64(0)
	if paid {
		status, amountPaid = "paid", monthlyFee
	}
	return adminapi.Invoice{
		ID:            new("in_" + ids.text(14)),
		Status:        &status,
		BillingReason: new("subscription_cycle"),
		Lines: []adminapi.InvoiceLine{{
			Description: new("Scale plan, " + start.Format("January 2006")),
			Amount:      new(int64(monthlyFee)),
		}},
		AmountDue:   new(int64(monthlyFee)),
		AmountPaid:  &amountPaid,
		Subtotal:    new(int64(monthlyFee)),
		PeriodStart: new(start.Unix()),
		PeriodEnd:   new(billingPeriodStart(start, 1).Unix()),
		Created:     new(start.Unix()),
	}
}

// newPayment makes up the payment of an invoice. Some payments have no amount for the marketplace, and the oldest was
// not made by card, so that a program meets the nulls that the service was seen to send.
func newPayment(start time.Time, ago int) adminapi.Payment {
	payment := adminapi.Payment{
		Amount:    new(fmt.Sprintf("%d.%02d", monthlyFee/100, monthlyFee%100)),
		CreatedAt: new(start.Add(time.Hour)),
		Currency:  new("usd"),
		Status:    new("succeeded"),
	}
	if ago%2 == 1 {
		payment.MarketplaceAmount = new("12.50")
	}
	if ago < pastInvoices {
		payment.CardLast4 = new("4242")
	}
	return payment
}

// ListInvoices is GET /v0/billing/invoices.
func (h adminHandlers) ListInvoices(context.Context, adminapi.ListInvoicesRequestObject) (adminapi.ListInvoicesResponseObject, error) {
	return adminapi.ListInvoices200JSONResponse{Data: adminapi.InvoiceList{Invoices: h.state.billing.invoices}}, nil
}

// ListPayments is GET /v0/billing/payments.
func (h adminHandlers) ListPayments(context.Context, adminapi.ListPaymentsRequestObject) (adminapi.ListPaymentsResponseObject, error) {
	return adminapi.ListPayments200JSONResponse{Data: adminapi.PaymentList{Payments: h.state.billing.payments}}, nil
}
