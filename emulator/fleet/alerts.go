package fleet

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
