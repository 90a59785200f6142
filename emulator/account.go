package emulator

import (
	_ "embed" // For the catalogue.
	"encoding/json"
	"fmt"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// The account is old enough for some invoices. Amounts are in cents, the smallest unit of the currency.
const (
	accountAge   = 130 * 24 * time.Hour
	pastInvoices = 3
	monthlyFee   = int64(49_900)
)

// addAccount makes up the account and its primary user, a paid invoice with its payment for each of the last months,
// and an open invoice for this month.
func (s *state) addAccount() {
	now := s.now()
	s.account = adminapi.AccountInfo{
		ID: s.ids.number(), Name: "Example Account", CreatedAt: now.Add(-accountAge).Truncate(time.Millisecond),
		BillingVersion: "v3",
		Subscription:   adminapi.Subscription{PlanName: new(s.settings.plan()), Status: "active", Interval: "month"},
	}
	for ago := range pastInvoices + 1 {
		start, end := billingPeriodStart(now, -ago), billingPeriodStart(now, 1-ago)
		invoice := adminapi.Invoice{
			ID: new("in_" + s.ids.text(14)), Status: new("open"), BillingReason: new("subscription_cycle"),
			Lines: []adminapi.InvoiceLine{
				{Description: new(s.settings.plan() + " plan, " + start.Format("January 2006")), Amount: new(monthlyFee)}},
			AmountDue: new(monthlyFee), AmountPaid: new(int64(0)), Subtotal: new(monthlyFee),
			PeriodStart: new(start.Unix()), PeriodEnd: new(end.Unix()), Created: new(start.Unix()),
		}
		if ago > 0 {
			invoice.Status, invoice.AmountPaid = new("paid"), new(monthlyFee)
			s.payments = append(s.payments, newPayment(start, ago))
		}
		s.invoices = append(s.invoices, invoice)
	}
	owner := s.newUser("Example Owner", PrimaryUserEmail, nil)
	owner.Status, owner.CreatedAt, owner.AccountPrimaryUser = active, s.account.CreatedAt, new(true)
	s.users = []*adminapi.TeamUser{owner}
}

// billingPeriodStart returns the start of the billing period of a time, or of one that is periods away from it. A
// billing period is a calendar month in UTC (assumed).
func billingPeriodStart(at time.Time, periods int) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month()+time.Month(periods), 1, 0, 0, 0, 0, time.UTC)
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

func (r *request) GetAccountInfo() (*adminapi.AccountInfo, error) { return &r.state.account, nil }

func (r *request) ListInvoices() (*adminapi.InvoiceList, error) {
	return &adminapi.InvoiceList{Invoices: r.state.invoices}, nil
}

func (r *request) ListPayments() (*adminapi.PaymentList, error) {
	return &adminapi.PaymentList{Payments: r.state.payments}, nil
}

//go:embed catalogue.json
var catalogueText []byte

// catalogue is the list of chains on which endpoints can be created, and the costs of methods. The slug of a network
// names its chain as well, so that no two networks have the same. The costs are made up, of the magnitudes that such
// services charge. It never changes.
var catalogue = func() (read struct {
	Chains  []adminapi.ListedChain
	Credits map[string][]adminapi.APICredit
}) {
	if err := json.Unmarshal(catalogueText, &read); err != nil {
		panic(err)
	}
	return read
}()

// usualCost is the cost of one call of a method that is not listed.
const usualCost = int64(20)

// chainOf returns the slug of the chain of a network, or "" if the network is not in the catalogue.
func chainOf(network string) string {
	for _, chain := range catalogue.Chains {
		for _, n := range chain.Networks {
			if *n.Slug == network {
				return *chain.Slug
			}
		}
	}
	return ""
}

// creditsOn returns the costs on a chain, or nil for an unknown chain.
func creditsOn(chain string) []adminapi.APICredit {
	for _, c := range catalogue.Chains {
		switch {
		case *c.Slug != chain:
		case catalogue.Credits[chain] != nil:
			return catalogue.Credits[chain]
		default:
			return catalogue.Credits["evm"]
		}
	}
	return nil
}

// creditsOf returns the cost of one call of a method.
func creditsOf(chain, method string) int64 {
	for _, cost := range creditsOn(chain) {
		if *cost.Method == method {
			return *cost.Credits
		}
	}
	return usualCost
}

// checkNetwork rejects a network that is not on offer, or not one of the chain's.
func checkNetwork(chain, network string) error {
	switch {
	case creditsOn(chain) == nil:
		return serve.BadRequest("chain is not on offer")
	case chainOf(network) != chain:
		return serve.BadRequest("network is not one of the chain")
	}
	return nil
}

func (r *request) ListChains() ([]adminapi.ListedChain, error) { return catalogue.Chains, nil }

func (r *request) ListAPICredits(chain string) ([]adminapi.APICredit, error) {
	found := creditsOn(chain)
	if found == nil {
		return nil, notFound("chain not found")
	}
	return found, nil
}
