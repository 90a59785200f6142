package record

// Endpoint is an endpoint of a listing.
type Endpoint struct {
	ID           string  `json:"id"`
	Name         string  `json:"name"`
	Label        *string `json:"label"`
	Status       string  `json:"status"`
	Chain        string  `json:"chain"`
	Network      string  `json:"network"`
	IsDedicated  bool    `json:"is_dedicated"`
	IsFlatRate   bool    `json:"is_flat_rate"`
	IsMultichain bool    `json:"is_multichain"`
	HTTPURL      string  `json:"http_url"`
	WSSURL       *string `json:"wss_url"`
	Tags         []Tag   `json:"tags"`
}

// Tag is a tag of an endpoint.
type Tag struct {
	ID    int64  `json:"tag_id"`
	Label string `json:"label"`
}

// SingleEndpoint is an endpoint with its security settings and rate limits.
type SingleEndpoint struct {
	ID           string      `json:"id"`
	Label        *string     `json:"label"`
	Status       string      `json:"status"`
	Chain        string      `json:"chain"`
	Network      string      `json:"network"`
	IsMultichain bool        `json:"is_multichain"`
	HTTPURL      string      `json:"http_url"`
	WSSURL       *string     `json:"wss_url"`
	Security     Security    `json:"security"`
	RateLimits   *RateLimits `json:"rate_limits"`
	Tags         []Tag       `json:"tags"`
}

// RateLimits are the limits of an endpoint.
type RateLimits struct {
	ByIP    *bool `json:"rate_limit_by_ip"`
	Account *int  `json:"account"`
	RPS     *int  `json:"rps"`
	RPM     *int  `json:"rpm"`
	RPD     *int  `json:"rpd"`
}

// NewEndpoint is the request body of a create.
type NewEndpoint struct {
	Chain   string `json:"chain"`
	Network string `json:"network"`
}
