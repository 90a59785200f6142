package record

// Security holds the security settings of an endpoint.
type Security struct {
	Options        *SecurityOptions `json:"options"`
	Tokens         []Token          `json:"tokens"`
	JWTs           []JWT            `json:"jwts"`
	Referrers      []Referrer       `json:"referrers"`
	DomainMasks    []DomainMask     `json:"domain_masks"`
	IPs            []IP             `json:"ips"`
	RequestFilters []RequestFilter  `json:"request_filters"`
}

// SecurityOptions reports which settings are on.
type SecurityOptions struct {
	Tokens          bool            `json:"tokens"`
	Referrers       bool            `json:"referrers"`
	JWTs            bool            `json:"jwts"`
	IPs             bool            `json:"ips"`
	DomainMasks     bool            `json:"domainMasks"`
	HSTS            bool            `json:"hsts"`
	CORS            bool            `json:"cors"`
	RequestFilters  bool            `json:"requestFilters"`
	ResponseLogging bool            `json:"responseLogging"`
	IPCustomHeader  *IPCustomHeader `json:"ipCustomHeader"`
}

// IPCustomHeader names the header that holds the caller's IP.
type IPCustomHeader struct {
	Value *string `json:"value"`
}

// Token is a token of an endpoint's addresses.
type Token struct {
	ID    string `json:"id"`
	Token string `json:"token"`
}

// JWT is a public key whose JWTs are accepted.
type JWT struct {
	ID        string `json:"id"`
	PublicKey string `json:"public_key"`
	KID       string `json:"kid"`
	Name      string `json:"name"`
}

// Referrer is a referrer that may use an endpoint.
type Referrer struct {
	ID       string `json:"id"`
	Referrer string `json:"referrer"`
}

// DomainMask is a domain under which an endpoint can be reached.
type DomainMask struct {
	ID     string `json:"id"`
	Domain string `json:"domain"`
}

// IP is an IP that may use an endpoint.
type IP struct {
	ID string `json:"id"`
	IP string `json:"ip"`
}

// RequestFilter is a list of methods that may be called.
type RequestFilter struct {
	ID     string   `json:"id"`
	Method []string `json:"method"`
}
