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
	pastInvoices = 3
	monthlyFee   = int64(49_900)
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

func newInvoice(ids *idSource, start time.Time, paid bool) adminapi.Invoice {
	status, amountPaid := "open", int64(0)
	if paid {
		status, amountPaid = "paid", monthlyFee
	}
	line := adminapi.InvoiceLine{Description: new("Scale plan, " + start.Format("January 2006")), Amount: new(monthlyFee)}
	return adminapi.Invoice{
		ID: new("in_" + ids.text(14)), Status: &status, BillingReason: new("subscription_cycle"),
		Lines: []adminapi.InvoiceLine{line}, AmountDue: new(monthlyFee), AmountPaid: &amountPaid, Subtotal: new(monthlyFee),
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

func (h adminHandlers) GetAccountInfo(context.Context) (*adminapi.AccountInfo, error) {
	return &h.state.Account, nil
}

func (h adminHandlers) ListInvoices(context.Context) (*adminapi.InvoiceList, error) {
	return &adminapi.InvoiceList{Invoices: h.state.Invoices}, nil
}

func (h adminHandlers) ListPayments(context.Context) (*adminapi.PaymentList, error) {
	return &adminapi.PaymentList{Payments: h.state.Payments}, nil
}

// chainData is a blockchain on offer.
type chainData struct {
	slug     string
	selected bool
	networks []*networkData
	costs    []cost // In the order in which they are listed.
}

// networkData is one network of a chain.
type networkData struct {
	slug, name string
	// chainID is 0 if the chain has no such number.
	chainID int64
	// plainHTTP is set for a network without a WebSocket address.
	plainHTTP bool
}

// cost is the cost of one call of a method, in API credits.
type cost struct {
	method  string
	credits int64
}

// The costs are made up, of the magnitudes that such services charge.
const usualCost = 20

var (
	evmCosts = []cost{
		{"eth_blockNumber", usualCost}, {"eth_call", usualCost}, {"eth_chainId", usualCost}, {"eth_estimateGas", usualCost},
		{"eth_gasPrice", usualCost}, {"eth_getBalance", usualCost}, {"eth_getBlockByNumber", usualCost},
		{"eth_getLogs", 75}, {"eth_getTransactionReceipt", usualCost}, {"eth_sendRawTransaction", 50},
		{"debug_traceTransaction", 160}, {"trace_block", 80},
	}
	solanaCosts = []cost{
		{"getAccountInfo", 30}, {"getBalance", 30}, {"getBlock", 30}, {"getProgramAccounts", 300}, {"getSlot", 30},
		{"sendTransaction", 30},
	}
	bitcoinCosts = []cost{
		{"getblock", usualCost}, {"getblockchaininfo", usualCost}, {"getblockcount", usualCost},
		{"getrawtransaction", usualCost},
	}
)

// catalogue is the list of chains on which endpoints can be created. The slug of a network names its chain as well, so
// that no two networks have the same. It never changes.
var catalogue = []*chainData{
	{slug: "ethereum", selected: true, costs: evmCosts, networks: []*networkData{
		{slug: "ethereum-mainnet", name: "Ethereum Mainnet", chainID: 1},
		{slug: "ethereum-sepolia", name: "Ethereum Sepolia", chainID: 11155111},
		{slug: "ethereum-hoodi", name: "Ethereum Hoodi", chainID: 560048},
	}},
	{slug: "polygon", selected: true, costs: evmCosts, networks: []*networkData{
		{slug: "polygon-mainnet", name: "Polygon Mainnet", chainID: 137},
		{slug: "polygon-amoy", name: "Polygon Amoy", chainID: 80002},
	}},
	{slug: "base", selected: true, costs: evmCosts, networks: []*networkData{
		{slug: "base-mainnet", name: "Base Mainnet", chainID: 8453},
		{slug: "base-sepolia", name: "Base Sepolia", chainID: 84532},
	}},
	{slug: "arbitrum", selected: true, costs: evmCosts, networks: []*networkData{
		{slug: "arbitrum-mainnet", name: "Arbitrum One", chainID: 42161},
		{slug: "arbitrum-sepolia", name: "Arbitrum Sepolia", chainID: 421614},
	}},
	{slug: "optimism", costs: evmCosts, networks: []*networkData{
		{slug: "optimism-mainnet", name: "OP Mainnet", chainID: 10},
		{slug: "optimism-sepolia", name: "OP Sepolia", chainID: 11155420},
	}},
	{slug: "avalanche", costs: evmCosts, networks: []*networkData{
		{slug: "avalanche-mainnet", name: "Avalanche C-Chain", chainID: 43114},
		{slug: "avalanche-fuji", name: "Avalanche Fuji", chainID: 43113},
	}},
	{slug: "gnosis", costs: evmCosts,
		networks: []*networkData{{slug: "gnosis-mainnet", name: "Gnosis Mainnet", chainID: 100}}},
	{slug: "solana", selected: true, costs: solanaCosts, networks: []*networkData{
		{slug: "solana-mainnet", name: "Solana Mainnet"}, {slug: "solana-devnet", name: "Solana Devnet"},
	}},
	{slug: "bitcoin", costs: bitcoinCosts, networks: []*networkData{
		{slug: "bitcoin-mainnet", name: "Bitcoin Mainnet", plainHTTP: true},
	}},
}

// everyNetwork iterates over the networks of all chains.
func everyNetwork(yield func(*chainData, *networkData) bool) {
	for _, chain := range catalogue {
		for _, network := range chain.networks {
			if !yield(chain, network) {
				return
			}
		}
	}
}

// networkBySlug finds a network of the catalogue, and its chain. Both are nil for an unknown slug.
func networkBySlug(slug string) (*chainData, *networkData) {
	for chain, network := range everyNetwork {
		if network.slug == slug {
			return chain, network
		}
	}
	return nil, nil
}

// checkNetwork rejects a network that is not on offer, or not one of the chain's.
func checkNetwork(chainSlug, networkSlug string) error {
	if _, err := chainBySlug(chainSlug); err != nil {
		return badRequest("chain is not on offer")
	}
	if chain, _ := networkBySlug(networkSlug); chain == nil || chain.slug != chainSlug {
		return badRequest("network is not one of the chain")
	}
	return nil
}

func chainBySlug(slug string) (*chainData, error) {
	return byID(catalogue, "chain", slug, func(c *chainData) string { return c.slug })
}

// creditsOf returns the cost of one call of a method. A method that is not listed costs the usual.
func (c *chainData) creditsOf(method string) int64 {
	for _, cost := range c.costs {
		if cost.method == method {
			return cost.credits
		}
	}
	return usualCost
}

func (n *networkData) listed() adminapi.ChainNetwork {
	return adminapi.ChainNetwork{Slug: &n.slug, Name: &n.name, ChainID: nonZero(n.chainID)}
}

func (h adminHandlers) ListChains(context.Context) ([]adminapi.ListedChain, error) {
	return each(catalogue, func(c *chainData) adminapi.ListedChain {
		return adminapi.ListedChain{
			Slug: &c.slug, IsSelectChain: &c.selected, Networks: each(c.networks, (*networkData).listed)}
	}), nil
}

func (h adminHandlers) ListAPICredits(_ context.Context, chain string) ([]adminapi.APICredit, error) {
	found, err := chainBySlug(chain)
	if err != nil {
		return nil, err
	}
	return each(found.costs, func(c cost) adminapi.APICredit {
		return adminapi.APICredit{Method: &c.method, Credits: &c.credits}
	}), nil
}
