package emulator

import (
	"context"
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// The account is old enough for some invoices. Amounts are in cents, the smallest unit of the currency.
const (
	accountAge   = 130 * 24 * time.Hour
	monthlyFee   = 49_900
	pastInvoices = 3
)

// addAccount makes up the account and its primary user, a paid invoice with its payment for each of the last months,
// and an open invoice for this month.
func (s *state) addAccount() {
	s.Account = adminapi.AccountInfo{
		ID: s.IDs.number(), Name: "Example Account", CreatedAt: s.Started.Add(-accountAge).Truncate(time.Millisecond),
		BillingVersion: "v3",
		Subscription:   adminapi.Subscription{PlanName: new("Scale"), Status: "active", Interval: "month"},
	}
	for ago := range pastInvoices + 1 {
		start := billingPeriodStart(s.Started, -ago)
		s.Invoices = append(s.Invoices, newInvoice(&s.IDs, start, ago > 0))
		if ago > 0 {
			s.Payments = append(s.Payments, newPayment(start, ago))
		}
	}
	owner := s.newUser("Example Owner", PrimaryUserEmail, nil)
	owner.Status, owner.CreatedAt, owner.AccountPrimaryUser = active, s.Account.CreatedAt, new(true)
	s.Users = []*user{owner}
}

// billingPeriodStart returns the start of the billing period of a time, or of one that is periods away from it. A
// billing period is a calendar month in UTC (assumed).
func billingPeriodStart(at time.Time, periods int) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month()+time.Month(periods), 1, 0, 0, 0, 0, time.UTC)
}

func newInvoice(ids *ids, start time.Time, paid bool) adminapi.Invoice {
	status, amountPaid := "open", int64(0)
	if paid {
		status, amountPaid = "paid", monthlyFee
	}
	line := adminapi.InvoiceLine{Description: new("Scale plan, " + start.Format("January 2006")),
		Amount: new(int64(monthlyFee))}
	return adminapi.Invoice{
		ID: new("in_" + ids.text(14)), Status: &status, BillingReason: new("subscription_cycle"),
		Lines:     []adminapi.InvoiceLine{line},
		AmountDue: new(int64(monthlyFee)), AmountPaid: &amountPaid, Subtotal: new(int64(monthlyFee)),
		PeriodStart: new(start.Unix()), PeriodEnd: new(billingPeriodStart(start, 1).Unix()), Created: new(start.Unix()),
	}
}

// newPayment makes up the payment of an invoice. Some payments have no amount for the marketplace, and the oldest was
// not made by card: the service sends such nulls too (observed).
func newPayment(start time.Time, ago int) adminapi.Payment {
	payment := adminapi.Payment{
		Amount: new(fmt.Sprintf("%d.%02d", monthlyFee/100, monthlyFee%100)), Currency: new("usd"),
		CreatedAt: new(start.Add(time.Hour)), Status: new("succeeded"),
	}
	if ago%2 == 1 {
		payment.MarketplaceAmount = new("12.50")
	}
	if ago < pastInvoices {
		payment.CardLast4 = new("4242")
	}
	return payment
}

// GetAccountInfo is GET /v0/account/info.
func (h adminHandlers) GetAccountInfo(context.Context) (*adminapi.AccountInfo, error) {
	return &h.state.Account, nil
}

// ListInvoices is GET /v0/billing/invoices.
func (h adminHandlers) ListInvoices(context.Context) (*adminapi.InvoiceList, error) {
	return &adminapi.InvoiceList{Invoices: h.state.Invoices}, nil
}

// ListPayments is GET /v0/billing/payments.
func (h adminHandlers) ListPayments(context.Context) (*adminapi.PaymentList, error) {
	return &adminapi.PaymentList{Payments: h.state.Payments}, nil
}
