// Package fleet describes an account that an emulator is to begin with: its users, teams, tags, endpoints with what
// went through them, destinations, notifications and the data of the graph area. A program fills in a [Fleet] and hands
// it to Emulator.Populate, or reads one from a file of JSON with [Read]. The emulator's binary reads YAML as well.
//
// Things of a fleet name each other by what people call them: a team names its members by their email addresses and its
// endpoints by their labels, and a notification names its destinations by their names.
package fleet

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Fleet is what an account has. All of it is optional.
type Fleet struct {
	// Account is the account itself.
	Account Account `json:"account"`
	// Users are further users of the account. The primary user is there already.
	Users []User `json:"users"`
	// Tags are labels of tags that are to exist, on an endpoint or not. Those of endpoints need not be among them.
	Tags []string `json:"tags"`
	// Endpoints are created in this order.
	Endpoints []Endpoint `json:"endpoints"`
	// Teams are created in this order.
	Teams []Team `json:"teams"`
	// Destinations are webhooks of the alerts area. Each has a name of its own.
	Destinations []Destination `json:"destinations"`
	// Notifications are created in this order.
	Notifications []Notification `json:"notifications"`
	// Graph is about the data of the graph area.
	Graph Graph `json:"graph"`
}

// Account is the account itself. What is empty stays as it is.
type Account struct {
	// Name is the name of the account.
	Name string `json:"name"`
	// Plan is the name of the plan. It decides nothing.
	Plan string `json:"plan"`
	// ToolingAccess enables the access for tooling.
	ToolingAccess bool `json:"tooling_access"`
}

// User is a user of the account.
type User struct {
	// Email is an address that no other user has.
	Email string `json:"email"`
	// FullName is needed.
	FullName string `json:"full_name"`
	// Role is admin, viewer or billing, and needed.
	Role string `json:"role"`
	// Pending says that the user has not accepted the invitation.
	Pending bool `json:"pending"`
}

// Team is a team of the account.
type Team struct {
	// Name has at least four characters.
	Name string `json:"name"`
	// Members are the email addresses of users of the fleet or the account.
	Members []string `json:"members"`
	// Endpoints are the labels of endpoints of the fleet that are assigned to the team.
	Endpoints []string `json:"endpoints"`
}

// Endpoint is an endpoint of the account. Only the chain and the network are needed.
type Endpoint struct {
	// Chain and Network are slugs of the emulator's catalogue, such as "ethereum" and "ethereum-mainnet".
	Chain   string `json:"chain"`
	Network string `json:"network"`
	// Label is the label, or empty for none.
	Label string `json:"label"`
	// Tags are the labels of the tags to put on the endpoint.
	Tags []string `json:"tags"`
	// Paused creates the endpoint paused.
	Paused bool `json:"paused"`
	// Multichain switches multichain on.
	Multichain bool `json:"multichain"`
	// Dedicated and FlatRate are what a listing filters by. No operation of the service sets them.
	Dedicated bool `json:"dedicated"`
	FlatRate  bool `json:"flat_rate"`
	// Tokens are the secret parts of the endpoint's addresses, of letters, digits, - and _. The first is in the
	// addresses that the emulator shows. Without any, one is made up.
	Tokens []string `json:"tokens"`
	// Security is what else guards the endpoint.
	Security Security `json:"security"`
	// RateLimits take the place of those of the plan.
	RateLimits RateLimits `json:"rate_limits"`
	// MethodRateLimits are limits of single methods.
	MethodRateLimits []MethodRateLimit `json:"method_rate_limits"`
	// Usage is what went through the endpoint, counted and not logged.
	Usage []Usage `json:"usage"`
}

// Security is what guards an endpoint beside its tokens.
type Security struct {
	// Options switches options on and off by the names of the service, such as "referrers".
	Options map[string]bool `json:"options"`
	// IPCustomHeader names the request header that holds the caller's IP, and switches the option on.
	IPCustomHeader string `json:"ip_custom_header"`
	// Referrers, IPs and DomainMasks say where calls may come from.
	Referrers   []string `json:"referrers"`
	IPs         []string `json:"ips"`
	DomainMasks []string `json:"domain_masks"`
	// RequestFilters are lists of methods.
	RequestFilters [][]string `json:"request_filters"`
	// JWTs are the public keys that JWTs are checked with.
	JWTs []JWT `json:"jwts"`
}

// JWT is a public key. All of it is needed.
type JWT struct {
	PublicKey string `json:"public_key"`
	Kid       string `json:"kid"`
	Name      string `json:"name"`
}

// RateLimits are limits of an endpoint as a whole. One that is 0 is left to the plan.
type RateLimits struct {
	// RPS, RPM and RPD are in requests per second, minute and day.
	RPS int `json:"rps"`
	RPM int `json:"rpm"`
	RPD int `json:"rpd"`
}

// MethodRateLimit is a limit of some methods together.
type MethodRateLimit struct {
	// Interval is second, minute or day.
	Interval string `json:"interval"`
	// Methods has at least one name.
	Methods []string `json:"methods"`
	// Rate is in requests per interval, and at least 1.
	Rate int `json:"rate"`
	// Disabled creates the limit disabled.
	Disabled bool `json:"disabled"`
}

// Usage is a number of calls of one method on one day. It is counted in metrics and in reports of usage as if all calls
// came in at the first moment of the day, in UTC; no listing of logs has them. A million calls take as little room as
// one. Metrics of response times leave them out.
type Usage struct {
	// Day is a date such as "2026-03-09". It is as many days ago as DaysAgo says where it is empty.
	Day string `json:"day"`
	// DaysAgo counts back from the emulator's present day, which is 0.
	DaysAgo int `json:"days_ago"`
	// Method is the RPC method, which also decides what a call costs.
	Method string `json:"method"`
	// Requests is the number of calls, at least 1 and at most 10^12.
	Requests int64 `json:"requests"`
	// Bytes is the data that all calls together are metered with, at most 10^15.
	Bytes int64 `json:"bytes"`
	// Network is the slug of the network that was called. It is the endpoint's own where it is empty.
	Network string `json:"network"`
	// Archive says that the calls were on archived state.
	Archive bool `json:"archive"`
	// Status is the HTTP status of the responses, and 200 where it is 0.
	Status int `json:"status"`
	// ErrorCode is the error code of the RPC calls, or nil where they succeeded.
	ErrorCode *int `json:"error_code"`
}

// Format prints the record.
func (u Usage) Format(state fmt.State, _ rune) { redact.Record(state, u) }

// Destination is a webhook.
type Destination struct {
	// Name is a name that no other destination of the fleet has.
	Name string `json:"name"`
	// URL is an absolute http or https URL.
	URL string `json:"url"`
	// WebhookType is POST or GET, and POST where it is empty.
	WebhookType string `json:"webhook_type"`
	// PayloadType is from 1 to 7, and 1 where it is 0.
	PayloadType int `json:"payload_type"`
	// Token is what payloads are signed with. It is made up where it is empty.
	Token string `json:"token"`
}

// Notification is an expression on a network, and where its matches go.
type Notification struct {
	// Name is needed.
	Name string `json:"name"`
	// Network is one of the alerts area, such as "ethereum-mainnet".
	Network string `json:"network"`
	// Expression is the expression as people write it, not encoded.
	Expression string `json:"expression"`
	// Destinations are names of destinations of the fleet.
	Destinations []string `json:"destinations"`
	// Disabled creates the notification off.
	Disabled bool `json:"disabled"`
}

// Graph is about the data of the graph area, which are made up from a seed. What a fleet gives is there as well, under
// its own addresses, and has its part in what is made up: wallets hold tokens, and events move them.
type Graph struct {
	// Seed is what the data are made up from. Where it is 0, it is the seed of the emulator.
	Seed uint64 `json:"seed"`
	// Ethereum, EthereumSepolia and Polygon are the chains.
	Ethereum        GraphChain `json:"ethereum"`
	EthereumSepolia GraphChain `json:"ethereum_sepolia"`
	Polygon         GraphChain `json:"polygon"`
}

// GraphChain is what a chain of the graph area has beside what is made up. Addresses are 0x and 40 hexadecimal digits.
type GraphChain struct {
	Wallets     []GraphWallet     `json:"wallets"`
	Collections []GraphCollection `json:"collections"`
	Tokens      []GraphToken      `json:"tokens"`
}

// GraphWallet is a wallet.
type GraphWallet struct {
	Address string `json:"address"`
	// ENSName is empty for none.
	ENSName string `json:"ens_name"`
}

// GraphCollection is an NFT collection.
type GraphCollection struct {
	Address string `json:"address"`
	Name    string `json:"name"`
	// Standard is ERC721 or ERC1155, and ERC721 where it is empty.
	Standard string `json:"standard"`
	// Size is the number of tokens, whose ids count from 1. It is from 1 to 100,000.
	Size int `json:"size"`
}

// GraphToken is an ERC-20 token.
type GraphToken struct {
	Address string `json:"address"`
	Name    string `json:"name"`
	Symbol  string `json:"symbol"`
	// Decimals is from 0 to 36.
	Decimals int `json:"decimals"`
}
