package main

import "time"

// The measured records as written by hand for encoding/json: the contract's fields in plain types, with a pointer for a
// value that may be null.

type envelope[T any] struct {
	Data       T `json:"data"`
	Pagination struct {
		Total  int `json:"total"`
		Limit  int `json:"limit"`
		Offset int `json:"offset"`
	} `json:"pagination"`
	NextAt string  `json:"next_at"`
	Error  *string `json:"error"`
}

// endpoint is an endpoint of a listing.
type endpoint struct {
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
	Tags         []tag   `json:"tags"`
}

type tag struct {
	ID    int64  `json:"tag_id"`
	Label string `json:"label"`
}

// singleEndpoint is an endpoint with its security settings and rate limits.
type singleEndpoint struct {
	ID           string      `json:"id"`
	Label        *string     `json:"label"`
	Status       string      `json:"status"`
	Chain        string      `json:"chain"`
	Network      string      `json:"network"`
	IsMultichain bool        `json:"is_multichain"`
	HTTPURL      string      `json:"http_url"`
	WSSURL       *string     `json:"wss_url"`
	Security     security    `json:"security"`
	RateLimits   *rateLimits `json:"rate_limits"`
	Tags         []tag       `json:"tags"`
}

type rateLimits struct {
	ByIP    *bool `json:"rate_limit_by_ip"`
	Account *int  `json:"account"`
	RPS     *int  `json:"rps"`
	RPM     *int  `json:"rpm"`
	RPD     *int  `json:"rpd"`
}

type security struct {
	Options *struct {
		Tokens          bool `json:"tokens"`
		Referrers       bool `json:"referrers"`
		JWTs            bool `json:"jwts"`
		IPs             bool `json:"ips"`
		DomainMasks     bool `json:"domainMasks"`
		HSTS            bool `json:"hsts"`
		CORS            bool `json:"cors"`
		RequestFilters  bool `json:"requestFilters"`
		ResponseLogging bool `json:"responseLogging"`
		IPCustomHeader  *struct {
			Value *string `json:"value"`
		} `json:"ipCustomHeader"`
	} `json:"options"`
	Tokens []struct {
		ID    string `json:"id"`
		Token string `json:"token"`
	} `json:"tokens"`
	JWTs []struct {
		ID        string `json:"id"`
		PublicKey string `json:"public_key"`
		KID       string `json:"kid"`
		Name      string `json:"name"`
	} `json:"jwts"`
	Referrers []struct {
		ID       string `json:"id"`
		Referrer string `json:"referrer"`
	} `json:"referrers"`
	DomainMasks []struct {
		ID     string `json:"id"`
		Domain string `json:"domain"`
	} `json:"domain_masks"`
	IPs []struct {
		ID string `json:"id"`
		IP string `json:"ip"`
	} `json:"ips"`
	RequestFilters []struct {
		ID     string   `json:"id"`
		Method []string `json:"method"`
	} `json:"request_filters"`
}

// newEndpoint is the body of a create.
type newEndpoint struct {
	Chain   string `json:"chain"`
	Network string `json:"network"`
}

type logEntry struct {
	Timestamp  time.Time `json:"timestamp"`
	Method     string    `json:"method"`
	Network    string    `json:"network"`
	HTTPMethod string    `json:"http_method"`
	Status     int       `json:"status"`
	ErrorCode  *int      `json:"error_code"`
	URL        string    `json:"url"`
	RequestID  string    `json:"request_id"`
	Details    *struct {
		Request  string `json:"request"`
		Response string `json:"response"`
	} `json:"details"`
}

type usage struct {
	Methods []struct {
		MethodName  string `json:"method_name"`
		CreditsUsed int64  `json:"credits_used"`
		Archive     *bool  `json:"archive"`
		Network     string `json:"network"`
		Chain       string `json:"chain"`
	} `json:"methods"`
	StartTime int64 `json:"start_time"`
	EndTime   int64 `json:"end_time"`
}

type graphRequest struct {
	Query         string       `json:"query"`
	Variables     nftVariables `json:"variables"`
	OperationName string       `json:"operationName"`
}

type nftVariables struct {
	ContractAddress string  `json:"contractAddress"`
	First           int     `json:"first"`
	After           *string `json:"after"`
}

type graphResponse struct {
	Data struct {
		Chain struct {
			Collection *struct {
				Typename string  `json:"__typename"`
				NFTs     nftList `json:"nfts"`
			} `json:"collection"`
		} `json:"chain"`
	} `json:"data"`
	Errors []struct {
		Message string `json:"message"`
	} `json:"errors,omitempty"`
}

type nftList struct {
	Edges []struct {
		Cursor string `json:"cursor"`
		Node   *nft   `json:"node"`
	} `json:"edges"`
	PageInfo struct {
		EndCursor   *string `json:"endCursor"`
		HasNextPage bool    `json:"hasNextPage"`
	} `json:"pageInfo"`
	TotalCount *int `json:"totalCount"`
}

type nft struct {
	Typename        string  `json:"__typename"`
	ContractAddress string  `json:"contractAddress"`
	TokenID         string  `json:"tokenId"`
	Name            *string `json:"name"`
	CollectionSlug  *string `json:"collectionSlug"`
	Uploads         []struct {
		URL      string   `json:"url"`
		MimeType *string  `json:"mimeType"`
		Height   *float64 `json:"height"`
		Width    *float64 `json:"width"`
	} `json:"uploads"`
}
