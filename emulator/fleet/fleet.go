// Package fleet describes an account for an emulator: its users, teams, tags, endpoints with their usage, destinations,
// notifications and the data of the graph area. A program passes a [Fleet] to Emulator.Populate, or reads one from JSON
// with [Read]. The emulator's program reads YAML as well.
//
// A team names its members by their email addresses and its endpoints by their labels. A notification names its
// destinations by their names.
package fleet

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"

	"github.com/rpcfleet/rpcfleet-go/internal/redact"
)

// Fleet is an account. All of it is optional.
type Fleet struct {
	// Account is the account itself.
	Account Account `json:"account"`
	// Users are further users of the account, which has its primary user already.
	Users []User `json:"users"`
	// Tags are labels of tags. The tags of endpoints need not be listed.
	Tags []string `json:"tags"`
	// Endpoints, Teams, Destinations and Notifications are created in their order.
	Endpoints     []Endpoint     `json:"endpoints"`
	Teams         []Team         `json:"teams"`
	Destinations  []Destination  `json:"destinations"`
	Notifications []Notification `json:"notifications"`
	// Graph is the data of the graph area.
	Graph Graph `json:"graph"`
}

// Account is the account itself. An empty field changes nothing.
type Account struct {
	Name string `json:"name"`
	// Plan is the name of the plan. It has no effect.
	Plan string `json:"plan"`
	// ToolingAccess enables the access for tooling.
	ToolingAccess bool `json:"tooling_access"`
}

// User is a user of the account. All but Pending is required.
type User struct {
	// Email is an address that no other user has.
	Email    string `json:"email"`
	FullName string `json:"full_name"`
	// Role is admin, viewer or billing.
	Role string `json:"role"`
	// Pending is set if the user has not accepted the invitation.
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

// Endpoint is an endpoint of the account. Only the chain and the network are required.
type Endpoint struct {
	// Chain and Network are slugs of the emulator's catalogue, such as "ethereum" and "ethereum-mainnet".
	Chain   string `json:"chain"`
	Network string `json:"network"`
	// Label is the label, or empty for none.
	Label string `json:"label"`
	// Tags are the labels of the endpoint's tags.
	Tags []string `json:"tags"`
	// Paused creates the endpoint paused.
	Paused bool `json:"paused"`
	// Multichain enables multichain.
	Multichain bool `json:"multichain"`
	// Dedicated and FlatRate are for the filters of listings. No operation of the service sets them.
	Dedicated bool `json:"dedicated"`
	FlatRate  bool `json:"flat_rate"`
	// Tokens are the secret parts of the endpoint's addresses, of letters, digits, - and _. The addresses in records
	// have the first one. If there is none, one is made up.
	Tokens []string `json:"tokens"`
	// Security protects the endpoint beside its tokens.
	Security Security `json:"security"`
	// RateLimits replace limits of the plan.
	RateLimits RateLimits `json:"rate_limits"`
	// MethodRateLimits are limits of single methods.
	MethodRateLimits []MethodRateLimit `json:"method_rate_limits"`
	// Usage is the endpoint's usage, without log entries.
	Usage []Usage `json:"usage"`
}

// Security protects an endpoint beside its tokens.
type Security struct {
	// Options enables and disables options by the names of the service, such as "referrers".
	Options map[string]bool `json:"options"`
	// IPCustomHeader is the name of the request header with the caller's IP. It enables the option as well.
	IPCustomHeader string `json:"ip_custom_header"`
	// Referrers, IPs and DomainMasks restrict the callers.
	Referrers   []string `json:"referrers"`
	IPs         []string `json:"ips"`
	DomainMasks []string `json:"domain_masks"`
	// RequestFilters are lists of methods.
	RequestFilters [][]string `json:"request_filters"`
	// JWTs are the public keys that verify JWTs.
	JWTs []JWT `json:"jwts"`
}

// JWT is a public key. All of it is required.
type JWT struct {
	PublicKey string `json:"public_key"`
	Kid       string `json:"kid"`
	Name      string `json:"name"`
}

// RateLimits are limits of an endpoint, in requests per second, minute and day. 0 leaves a limit to the plan.
type RateLimits struct {
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
}

// Usage is a number of calls of one method on one day. Metrics and reports of usage count them at the beginning of the
// day, in UTC. They are in no log, and metrics of response times leave them out. A million calls take as little memory
// as one.
type Usage struct {
	// DaysAgo counts back from the emulator's present day, which is 0.
	DaysAgo int `json:"days_ago"`
	// Method is the RPC method. It also decides the cost of a call.
	Method string `json:"method"`
	// Requests is the number of calls, from 1 to 10^12.
	Requests int64 `json:"requests"`
	// Bytes is the metered data of all calls together, at most 10^15.
	Bytes int64 `json:"bytes"`
	// Network is the slug of the network that was called. The default is the endpoint's own.
	Network string `json:"network"`
	// Archive is set for calls on archived state.
	Archive bool `json:"archive"`
	// Status is the HTTP status of the responses, and 200 by default.
	Status int `json:"status"`
	// ErrorCode is the error code of the RPC calls, or nil if they succeeded.
	ErrorCode *int `json:"error_code"`
}

// Format prints the record.
func (u Usage) Format(state fmt.State, _ rune) { redact.Record(state, u) }

// Destination is a webhook.
type Destination struct {
	// Name is the name by which notifications of the fleet find it.
	Name string `json:"name"`
	// URL is an absolute http or https URL.
	URL string `json:"url"`
	// Token signs the payloads. If it is empty, one is made up.
	Token string `json:"token"`
}

// Notification is an expression on a network with the destinations of its matches.
type Notification struct {
	// Name is required.
	Name string `json:"name"`
	// Network is a network of the alerts area, such as "ethereum-mainnet".
	Network string `json:"network"`
	// Expression is the expression as text, not encoded.
	Expression string `json:"expression"`
	// Destinations are names of destinations of the fleet.
	Destinations []string `json:"destinations"`
}

// Graph is the data of the graph area. Most are made up from a seed. The given wallets, collections and tokens keep
// their addresses and are part of the made-up holdings and events.
type Graph struct {
	// Seed is the seed of the made-up data. 0 is the seed of the emulator.
	Seed            uint64     `json:"seed"`
	Ethereum        GraphChain `json:"ethereum"`
	EthereumSepolia GraphChain `json:"ethereum_sepolia"`
	Polygon         GraphChain `json:"polygon"`
}

// GraphChain is the given data of one chain. Addresses are 0x and 40 hexadecimal digits.
type GraphChain struct {
	Wallets     []GraphWallet     `json:"wallets"`
	Collections []GraphCollection `json:"collections"`
	Tokens      []GraphToken      `json:"tokens"`
}

// GraphWallet is a wallet. An empty ENSName is none.
type GraphWallet struct {
	Address string `json:"address"`
	ENSName string `json:"ens_name"`
}

// GraphCollection is an NFT collection.
type GraphCollection struct {
	Address string `json:"address"`
	Name    string `json:"name"`
	// Standard is ERC721 or ERC1155, and ERC721 by default.
	Standard string `json:"standard"`
	// Size is the number of tokens, from 1 to 100,000. Their ids count from 1.
	Size int `json:"size"`
}

// GraphToken is an ERC-20 token with 0 to 36 decimals.
type GraphToken struct {
	Address  string `json:"address"`
	Name     string `json:"name"`
	Symbol   string `json:"symbol"`
	Decimals int    `json:"decimals"`
}

// Read reads a fleet from JSON. An unknown field, a duplicate one, and one of the wrong type are errors, which name the
// place as a JSON pointer.
func Read(from io.Reader) (Fleet, error) {
	var read Fleet
	if err := json.UnmarshalRead(from, &read, json.RejectUnknownMembers(true)); err != nil {
		return Fleet{}, fmt.Errorf("fleet: %w", err)
	}
	return read, nil
}
