package fleet

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
