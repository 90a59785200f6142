package main

import (
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// fleet is what a file declares. What the file leaves out is left alone: a section, a setting or a list that is not there
// says nothing, and a list that is there says all, also where it is empty.
type fleet struct {
	Endpoints     list[endpoint]     `yaml:"endpoints,omitempty"`
	Teams         list[team]         `yaml:"teams,omitempty"`
	Destinations  list[destination]  `yaml:"destinations,omitempty"`
	Notifications list[notification] `yaml:"notifications,omitempty"`
}

// list is a list that is written where it is empty, and left out where it is nil.
type list[T any] []T

// IsZero implements yaml.IsZeroer.
func (l list[T]) IsZero() bool { return l == nil }

// endpoint is identified by its label, or by its id where that is given.
type endpoint struct {
	ID         string               `yaml:"id,omitempty"`
	Label      string               `yaml:"label,omitempty"`
	Chain      string               `yaml:"chain"`
	Network    string               `yaml:"network"`
	Status     admin.EndpointStatus `yaml:"status,omitempty"`
	Multichain *bool                `yaml:"multichain,omitempty"`
	Tags       list[string]         `yaml:"tags,omitempty,flow"`
	Security   *security            `yaml:"security,omitempty"`
	RateLimits *rateLimits          `yaml:"rate_limits,omitempty,flow"`
	// MethodRateLimits are identified by interval and methods.
	MethodRateLimits list[methodRateLimit] `yaml:"method_rate_limits,omitempty"`
}

// name is what people and the rest of the file call an endpoint.
func (e *endpoint) name() string {
	if e.Label == "" {
		return e.ID
	}
	return e.Label
}

// security is what guards an endpoint. No token is in it: the file says how many there are to be at least.
type security struct {
	Tokens         *int                              `yaml:"tokens,omitempty"`
	Options        map[admin.SecurityOptionName]bool `yaml:"options,omitempty"`
	IPCustomHeader *string                           `yaml:"ip_custom_header,omitempty"`
	Referrers      list[string]                      `yaml:"referrers,omitempty,flow"`
	IPs            list[string]                      `yaml:"ips,omitempty,flow"`
	DomainMasks    list[string]                      `yaml:"domain_masks,omitempty,flow"`
	RequestFilters list[[]string]                    `yaml:"request_filters,omitempty"`
	JWTs           list[jwt]                         `yaml:"jwts,omitempty"`
}

// jwt is a public key, which is no secret.
type jwt struct {
	Name      string `yaml:"name"`
	Kid       string `yaml:"kid"`
	PublicKey string `yaml:"public_key"`
}

// rateLimits override those of the plan.
type rateLimits struct {
	RPS *int `yaml:"rps,omitempty"`
	RPM *int `yaml:"rpm,omitempty"`
	RPD *int `yaml:"rpd,omitempty"`
}

type methodRateLimit struct {
	Interval admin.RateLimitInterval `yaml:"interval"`
	Methods  []string                `yaml:"methods,flow"`
	Rate     int                     `yaml:"rate"`
	// Enabled is true unless the file says otherwise.
	Enabled *bool `yaml:"enabled,omitempty"`
}

// team is identified by its name.
type team struct {
	Name string `yaml:"name"`
	// Endpoints are labels of endpoints of the file, or ids.
	Endpoints list[string] `yaml:"endpoints,omitempty,flow"`
	Members   list[member] `yaml:"members,omitempty"`
}

// member is identified by the email address. Name and role are for the invitation of a user who is new to the account:
// the service has no operation that changes them.
type member struct {
	Email    string         `yaml:"email"`
	FullName string         `yaml:"full_name,omitempty"`
	Role     admin.TeamRole `yaml:"role,omitempty"`
}

// destination is identified by its name. Its URL may hold a secret, and is never printed; it can come from the
// environment.
type destination struct {
	Name        string             `yaml:"name"`
	URL         scalar.SecretURL   `yaml:"url,omitempty"`
	URLFrom     string             `yaml:"url_from,omitempty"`
	Method      alerts.WebhookType `yaml:"method"`
	PayloadType alerts.PayloadType `yaml:"payload_type"`
}

// notification is identified by its name.
type notification struct {
	Name       string              `yaml:"name"`
	Network    alerts.AlertNetwork `yaml:"network"`
	Expression alerts.Expression   `yaml:"expression"`
	// Destinations are names of destinations of the file.
	Destinations []string `yaml:"destinations,flow"`
	// Enabled is true unless the file says otherwise.
	Enabled *bool `yaml:"enabled,omitempty"`
}

// on reports whether something is on that is on unless the file says otherwise.
func on(enabled *bool) bool { return enabled == nil || *enabled }
