package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// endpointModel is what an endpoint should be like.
type endpointModel struct {
	id, chain, network, label string
	status                    admin.EndpointStatus
	multichain                bool
	tags                      map[string]bool
	// guards are the entries of the security lists, by the name of the list and the id of the entry.
	guards  map[string]map[string]string
	options map[admin.SecurityOptionName]bool
	header  string
	// limits are the overrides, by bucket, and methodLimits the limits of methods, by id.
	limits       map[admin.RateLimitBucket]int
	methodLimits map[string]string
}

func newEndpointModel(id string, on *soakNetwork) *endpointModel {
	model := &endpointModel{
		id: id, chain: on.chain, network: on.network, status: admin.EndpointStatusActive, tags: map[string]bool{},
		guards: map[string]map[string]string{}, options: map[admin.SecurityOptionName]bool{admin.SecurityOptionNameTokens: true},
		limits: map[admin.RateLimitBucket]int{}, methodLimits: map[string]string{},
	}
	for _, guard := range soakGuards {
		model.guards[guard.name] = map[string]string{}
	}
	return model
}

// view is the model as a text that can be compared with that of a record.
func (m *endpointModel) view() string {
	tags := slices.Sorted(maps.Keys(m.tags))
	return fmt.Sprint(m.id, " ", m.chain, " ", m.network, " ", m.label, " ", m.status, " ", m.multichain, " ", tags, m.security())
}

// viewOf is the record of an endpoint in the same form.
func viewOf(record *admin.SingleEndpoint) string {
	var tags []string
	for _, tag := range record.Tags {
		tags = append(tags, valueOf(tag.Label))
	}
	slices.Sort(tags)
	return fmt.Sprint(record.ID, " ", record.Chain, " ", record.Network, " ", valueOf(record.Label), " ", valueOf(record.Status),
		" ", record.IsMultichain, " ", tags, securityOf(&record.Security))
}

// security is what guards the endpoint, as a text.
func (m *endpointModel) security() string {
	on := slices.DeleteFunc(slices.Sorted(maps.Keys(m.options)), func(name admin.SecurityOptionName) bool { return !m.options[name] })
	return fmt.Sprint(m.guards, on, m.header)
}

func securityOf(record *admin.EndpointSecurity) string {
	guards := map[string]map[string]string{}
	for _, guard := range soakGuards {
		guards[guard.name] = guard.entries(record)
	}
	var on []admin.SecurityOptionName
	options := rpcfleet.SecurityOptionsOf(record.Options)
	for _, name := range soakSwitches {
		if enabled, _ := options.Enabled(name); enabled {
			on = append(on, name)
		}
	}
	slices.Sort(on)
	header, _ := options.IPCustomHeader()
	return fmt.Sprint(guards, on, header)
}

// methodLimitView is a limit of methods as a text.
func methodLimitView(limit admin.MethodRateLimiter) string {
	return fmt.Sprint(limit.Interval, " ", strings.Join(limit.Methods, ","), " ", limit.Rate, " ", limit.Status)
}

// overridesOf are the overrides among limits, and whether a bucket has more than one.
func overridesOf(limits rpcfleet.RateLimits) (overrides map[admin.RateLimitBucket]int, doubled bool) {
	overrides = map[admin.RateLimitBucket]int{}
	for _, limit := range limits {
		if limit.OverrideID == "" {
			continue
		}
		_, there := overrides[limit.Bucket]
		doubled = doubled || there
		overrides[limit.Bucket] = valueOf(limit.Requests)
	}
	return overrides, doubled
}
