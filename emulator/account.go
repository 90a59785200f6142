package emulator

import (
	"cmp"
	_ "embed" // For the catalogue.
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
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
// and an open invoice for this month. Some payments have no amount for the marketplace, and the oldest was not made by
// card: the service sends such nulls too (observed).
func (s *state) addAccount() {
	now, plan := s.now(), cmp.Or(s.settings.bucket.Name, "Scale")
	s.account = adminapi.AccountInfo{
		ID: s.ids.number(), Name: "Example Account", CreatedAt: now.Add(-accountAge), BillingVersion: "v3",
		Subscription: adminapi.Subscription{PlanName: &plan, Status: "active", Interval: "month"},
	}
	for ago := range pastInvoices + 1 {
		start, paid, status := billingPeriodStart(now, -ago), monthlyFee, "paid"
		if ago == 0 {
			paid, status = 0, "open"
		}
		s.invoices = append(s.invoices, adminapi.Invoice{
			ID: new("in_" + s.ids.text(14)), Status: &status, BillingReason: new("subscription_cycle"),
			Lines: []adminapi.InvoiceLine{
				{Description: new(plan + " plan, " + start.Format("January 2006")), Amount: new(monthlyFee)}},
			AmountDue: new(monthlyFee), AmountPaid: &paid, Subtotal: new(monthlyFee), Created: new(start.Unix()),
			PeriodStart: new(start.Unix()), PeriodEnd: new(billingPeriodStart(now, 1-ago).Unix()),
		})
		payment := adminapi.Payment{Amount: new("499.00"), Currency: new("usd"), CreatedAt: new(start.Add(time.Hour)),
			Status: new("succeeded"), MarketplaceAmount: new("12.50"), CardLast4: new("4242")}
		if ago > 0 {
			s.payments = append(s.payments, payment)
		}
	}
	s.payments[1].MarketplaceAmount, s.payments[2].CardLast4 = nil, nil
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

func (r *request) GetAccountInfo() (*adminapi.AccountInfo, error) { return &r.state.account, nil }

func (r *request) ListInvoices() (*adminapi.InvoiceList, error) {
	return &adminapi.InvoiceList{Invoices: r.state.invoices}, nil
}

func (r *request) ListPayments() (*adminapi.PaymentList, error) {
	return &adminapi.PaymentList{Payments: r.state.payments}, nil
}

//go:embed catalogue.json
var catalogueText []byte

// catalogue is the list of chains on which endpoints can be created, the names that other areas have for chains and
// networks, and the costs of methods. The slugs are the service's own: eth, matic, avax, arb, sol, base, mainnet, bsc,
// optimism, base-sepolia and arbitrum-mainnet are observed, and the others assumed. No two networks have the same slug.
// The costs are made up, of the magnitudes that such services charge. It never changes.
var catalogue = func() (read struct {
	Chains  []adminapi.ListedChain
	Names   map[string]string
	Credits map[string][]adminapi.APICredit
}) {
	if err := json.Unmarshal(catalogueText, &read); err != nil {
		panic(err)
	}
	return read
}()

// usualCost is the cost of one call of a method that is not listed.
const usualCost = int64(20)

// networks are the networks of the catalogue with their chains.
var networks = func() (all []struct{ chain, slug string }) {
	for _, chain := range catalogue.Chains {
		for _, network := range chain.Networks {
			all = append(all, struct{ chain, slug string }{*chain.Slug, *network.Slug})
		}
	}
	return all
}()

// chainOf returns the slug of the chain of a network, or "" if the network is not in the catalogue.
func chainOf(network string) string {
	for _, known := range networks {
		if known.slug == network {
			return known.chain
		}
	}
	return ""
}

// longName returns the name that other areas have for a network.
func longName(network string) string {
	for name, slug := range catalogue.Names {
		if slug == network && strings.Contains(name, "-") { // The others are names of chains.
			return name
		}
	}
	return network
}

// creditsOn returns the costs on a chain, or nil for an unknown chain.
func creditsOn(chain string) []adminapi.APICredit {
	known := slices.ContainsFunc(catalogue.Chains, func(c adminapi.ListedChain) bool { return *c.Slug == chain })
	if costs := catalogue.Credits[chain]; costs != nil || !known {
		return costs
	}
	return catalogue.Credits["evm"]
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

// checkNetwork rejects a network that is not on offer, or not one of the chain's. If a name is one of another area, the
// error has the right one.
func checkNetwork(chain, network string) error {
	var wrong []string
	for _, given := range [][2]string{{"chain", chain}, {"network", network}} {
		if slug := catalogue.Names[given[1]]; slug != "" {
			wrong = append(wrong, fmt.Sprintf("%s must be %q, not %q", given[0], slug, given[1]))
		}
	}
	switch {
	case wrong != nil:
		return serve.BadRequest(strings.Join(wrong, ", "))
	case creditsOn(chain) == nil:
		return serve.BadRequest("chain is not on offer")
	case chainOf(network) != chain:
		return serve.BadRequest("network is not one of the chain")
	}
	return nil
}

func (r *request) ListChains() ([]adminapi.ListedChain, error) { return catalogue.Chains, nil }

// ListAPICredits is GET /v0/api-credits/{chain}. It takes the names of other areas as well (observed).
func (r *request) ListAPICredits(chain string) ([]adminapi.APICredit, error) {
	found := creditsOn(cmp.Or(catalogue.Names[chain], chain))
	if found == nil {
		return nil, notFound("chain not found")
	}
	return found, nil
}

const tokenLifetime = 10 * time.Minute // Observed.

// toolingPath is the path of the tooling endpoint's data plane, without the endpoint's id.
const toolingPath = "/tooling/"

// toolingURL returns the address of the tooling endpoint for this caller, or nil while the access is off.
func (r *request) toolingURL() *string {
	if !r.state.tooling.Enabled {
		return nil
	}
	scheme := "http"
	if r.http.TLS != nil {
		scheme = "https"
	}
	return new(fmt.Sprintf("%s://%s%s%d", scheme, r.http.Host, toolingPath, *r.state.tooling.EndpointID))
}

// GetToolingAccess is GET /v0/tooling-access. While the access is off, the endpoint is not shown.
func (r *request) GetToolingAccess() (*adminapi.ToolingAccess, error) {
	if !r.state.tooling.Enabled {
		return &adminapi.ToolingAccess{}, nil
	}
	r.state.tooling.EndpointURL = r.toolingURL()
	return &r.state.tooling, nil
}

// UpdateToolingAccess is PATCH /v0/tooling-access. Enabling an enabled access changes nothing, and enabling it again
// keeps the endpoint.
func (r *request) UpdateToolingAccess(body *adminapi.UpdateToolingAccessRequest) (*adminapi.ToolingAccessUpdate, error) {
	tooling := &r.state.tooling
	if body.Enabled && !tooling.Enabled {
		tooling.EnabledAt = new(r.state.now())
		if tooling.EndpointID == nil {
			tooling.EndpointID = new(r.state.ids.number())
		}
	}
	tooling.Enabled = body.Enabled
	return &adminapi.ToolingAccessUpdate{Enabled: body.Enabled, EndpointURL: r.toolingURL()}, nil
}

// CreateToolingToken is POST /v0/tooling-access/token. While the access is off, it responds with 400 (assumed). A token
// has the form of a JWT. Its signature is made up, because only the emulator judges it.
func (r *request) CreateToolingToken() (*adminapi.ToolingToken, error) {
	address := r.toolingURL()
	if address == nil {
		return nil, serve.BadRequest("tooling access is off")
	}
	expires := r.state.now().Truncate(time.Second).Add(tokenLifetime)
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(`{"alg":"ES256","typ":"JWT"}`)) + "." +
		encode(fmt.Appendf(nil, `{"jti":%q,"sub":"%d","exp":%d}`, r.state.ids.uuid(), *r.state.tooling.EndpointID,
			expires.Unix())) + "." +
		r.state.ids.text(86)
	r.state.sessions[token] = expires
	return &adminapi.ToolingToken{EndpointURL: *address, Token: token, ExpiresAt: expires}, nil
}

// serveTooling serves the data plane of the tooling endpoint: JSON-RPC calls with a session token as bearer. The
// contract states no more than that.
func (r *request) serveTooling(w http.ResponseWriter) {
	scheme, token, _ := strings.Cut(r.http.Header.Get("Authorization"), " ")
	expires, known := r.state.sessions[token]
	switch {
	case !strings.EqualFold(scheme, "Bearer") || !known || !r.settings.clock().Before(expires) ||
		r.params["endpoint_id"] != fmt.Sprint(*r.state.tooling.EndpointID):
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "a session token is required that has not expired", http.StatusUnauthorized)
	case !r.state.tooling.Enabled:
		http.Error(w, "tooling access is off", http.StatusForbidden)
	default:
		writeJSON(w, http.StatusOK, respondRPC(r.body))
	}
}

// rejectTooling writes a failure that has nothing to do with the token.
func rejectTooling(w http.ResponseWriter, failed *serve.Error) {
	http.Error(w, failed.Reason, failed.Status)
}

// respondRPC makes the response to a JSON-RPC call. The chain has one block.
func respondRPC(text []byte) map[string]any {
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(text, &call) // Without a method, the call is rejected.
	if call.Method != "eth_blockNumber" && call.Method != "eth_chainId" {
		return map[string]any{"jsonrpc": "2.0", "id": call.ID,
			"error": map[string]any{"code": -32601, "message": "the method does not exist"}}
	}
	return map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": "0x1"}
}
