package emulator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// PopulateResult has the ids of all that Populate created, each list in the order of the fleet.
type PopulateResult struct {
	// Endpoints, Destinations and Notifications are ids as in the paths of the service.
	Endpoints, Destinations, Notifications []string
	// Users and Teams are numbers.
	Users, Teams []int64
}

// Populate adds a fleet to the account. The emulator makes the ids, and the secrets that the fleet does not contain,
// from its seed. If a part breaks a rule of the service's operations or of package fleet, Populate adds nothing, and
// the error is a [*fleet.Error], which names the place.
func (e *Emulator) Populate(given fleet.Fleet) (PopulateResult, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.populate(func(p *population) error { return p.add(given) })
}

// population adds a fleet by the operations of the service, if they can do it. It has the new things by their names in
// the fleet.
type population struct {
	*state

	admin        adminHandlers
	alerts       alertsHandlers
	labels       map[string][]*endpointData
	destinations map[string]string // The ids by name.
}

// populate runs add on a copy of the state, and keeps the copy if add succeeds. Adding must not change things that the
// state has already.
func (e *Emulator) populate(add func(*population) error) (PopulateResult, error) {
	before, copied := e.state, *e.state
	e.state = &copied
	p := &population{
		state: &copied, admin: adminHandlers{e}, alerts: alertsHandlers{e}, labels: map[string][]*endpointData{},
		destinations: map[string]string{},
	}
	if err := add(p); err != nil {
		e.state = before
		return PopulateResult{}, fmt.Errorf("emulator: %w", err)
	}
	for _, added := range p.Endpoints[len(before.Endpoints):] {
		p.endpoints[added.id()] = added
	}
	return PopulateResult{
		Endpoints:     each(p.Endpoints[len(before.Endpoints):], (*endpointData).id),
		Destinations:  each(p.Destinations[len(before.Destinations):], func(d *destination) string { return d.ID }),
		Notifications: each(p.Notifications[len(before.Notifications):], func(n *notification) string { return n.ID }),
		Users:         each(p.Users[len(before.Users):], func(u *user) int64 { return u.ID }),
		Teams:         each(p.Teams[len(before.Teams):], func(t *teamData) int64 { return t.ID }),
	}, nil
}

// each returns a value, such as the id, of each item of a list.
func each[T, V any](list []T, valueOf func(T) V) []V {
	values := make([]V, len(list))
	for i, item := range list {
		values[i] = valueOf(item)
	}
	return values
}

// do executes an operation on an endpoint, which may be nil, if its body breaks no rule of the contract.
func do[T, R any](on *endpointData, operation func(context.Context, *T) (R, error), body *T) error {
	if err := serve.Check(body); err != nil {
		return err
	}
	_, err := operation(context.WithValue(context.Background(), infoKey{}, &requestInfo{endpoint: on}), body)
	return err
}

func lastOf[T any](list []T) T { return list[len(list)-1] }

// add adds everything. Things that name others come after them.
func (p *population) add(given fleet.Fleet) error {
	p.Account.Name = cmp.Or(given.Account.Name, p.Account.Name)
	if given.Account.Plan != "" {
		p.Account.Subscription.PlanName = &given.Account.Plan
	}
	err := cmp.Or(
		addEach("tags", given.Tags, p.addTag),
		addEach("users", given.Users, p.addUser),
		addEach("endpoints", given.Endpoints, p.addEndpoint),
		addEach("teams", given.Teams, p.addTeam),
		addEach("destinations", given.Destinations, p.addDestination),
		addEach("notifications", given.Notifications, p.addNotification),
		p.addGraph(given.Graph),
	)
	if err == nil && given.Account.ToolingAccess {
		p.enableTooling()
	}
	return err
}

// addEach adds the items of a list. The error names the item.
func addEach[T any](list string, items []T, add func(T) error) error {
	for i, item := range items {
		if err := add(item); err != nil {
			return fleet.Item(list, i, err)
		}
	}
	return nil
}

func (p *population) addTag(label string) error {
	if err := serve.Check(&adminapi.AddEndpointTagRequest{Label: label}); err != nil {
		return err
	}
	p.tagLabelled(label)
	return nil
}

func (p *population) addUser(given fleet.User) error {
	role := adminapi.TeamRole(given.Role)
	invitation := &adminapi.InviteTeamMemberRequest{Email: given.Email, FullName: &given.FullName, Role: &role}
	if err := serve.Check(invitation); err != nil {
		return err
	}
	if p.user(given.Email) != nil {
		return fleet.At("email", errors.New("is used by another user"))
	}
	added, err := p.state.addUser(invitation)
	if err == nil && !given.Pending {
		added.Status = active
	}
	return err
}

// addTeam adds a team of existing users and of endpoints of the fleet.
func (p *population) addTeam(given fleet.Team) error {
	if err := do(nil, p.admin.CreateTeam, &adminapi.CreateTeamRequest{Name: given.Name}); err != nil {
		return err
	}
	added := lastOf(p.Teams)
	for i, email := range given.Members {
		member := p.user(email)
		if member == nil {
			return fleet.Item("members", i, errors.New("unknown user"))
		}
		if slices.Contains(added.Members, member) {
			return fleet.Item("members", i, errors.New("the user is in the list already"))
		}
		added.Members = append(added.Members, member)
	}
	for i, label := range given.Endpoints {
		if label == "" || len(p.labels[label]) != 1 {
			return fleet.Item("endpoints", i, errors.New("must be the label of exactly one endpoint of the fleet"))
		}
		added.Endpoints[p.labels[label][0].id()] = true
	}
	return nil
}

func (p *population) addDestination(given fleet.Destination) error {
	if _, taken := p.destinations[given.Name]; taken {
		return fleet.At("name", errors.New("is used by another destination"))
	}
	if err := do(nil, p.alerts.CreateDestination, &alertsapi.CreateDestinationRequest{
		Name: given.Name, ToURL: given.URL, Service: alertsapi.DestinationServiceWebhook,
		WebhookType: cmp.Or(alertsapi.WebhookType(given.WebhookType), alertsapi.WebhookTypePOST),
		PayloadType: cmp.Or(alertsapi.PayloadType(given.PayloadType), alertsapi.PayloadTypeLayout1),
	}); err != nil {
		return err
	}
	added := lastOf(p.Destinations)
	added.Token = cmp.Or(given.Token, added.Token)
	p.destinations[given.Name] = added.ID
	return nil
}

func (p *population) addNotification(given fleet.Notification) error {
	ids := []string{}
	for i, name := range given.Destinations {
		id, known := p.destinations[name]
		if !known {
			return fleet.Item("destinations", i, errors.New("unknown destination"))
		}
		ids = append(ids, id)
	}
	err := do(nil, p.alerts.CreateNotification, &alertsapi.CreateNotificationRequest{
		Name: given.Name, Network: alertsapi.AlertNetwork(given.Network), Expression: []byte(given.Expression),
		DestinationIDs: ids,
	})
	if err == nil {
		lastOf(p.Notifications).Enabled = new(!given.Disabled)
	}
	return err
}

var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func (p *population) addEndpoint(spec fleet.Endpoint) error {
	request := &adminapi.CreateEndpointRequest{Chain: spec.Chain, Network: spec.Network}
	if err := cmp.Or(serve.Check(request), checkNetwork(spec.Chain, spec.Network)); err != nil {
		return err
	}
	added := p.newEndpoint(spec.Chain, spec.Network)
	if spec.Paused {
		added.Status = adminapi.EndpointStatusPaused
	}
	added.Label, added.Multichain = nonZero(spec.Label), spec.Multichain
	added.Dedicated, added.FlatRate = spec.Dedicated, spec.FlatRate
	if len(spec.Tokens) > 0 {
		added.Token, added.Security.Lists.Tokens = spec.Tokens[0], nil
	}
	p.labels[spec.Label] = append(p.labels[spec.Label], added)
	p.Endpoints = append(p.Endpoints, added)
	if err := p.addSecurity(added, spec.Security); err != nil {
		return fleet.At("security", err)
	}
	return cmp.Or(
		addEach("tokens", spec.Tokens, func(token string) error {
			if !tokenForm.MatchString(token) {
				return errors.New("must contain only letters, digits, - and _")
			}
			added.Security.addToken(&p.IDs, token)
			return nil
		}),
		p.addLimits(added, spec),
		p.addUsage(added, spec.Usage),
		addEach("tags", spec.Tags, func(label string) error {
			return do(added, p.admin.AddEndpointTag, &adminapi.AddEndpointTagRequest{Label: label})
		}),
	)
}

func (p *population) addSecurity(to *endpointData, given fleet.Security) error {
	for _, name := range slices.Sorted(maps.Keys(given.Options)) {
		option := adminapi.SecurityOptionName(name)
		if !option.Valid() {
			return fleet.At("options."+name, errors.New("unknown option"))
		}
		to.Security.On[option] = given.Options[name]
	}
	if given.IPCustomHeader != "" {
		header := &adminapi.SetIPCustomHeaderRequest{HeaderName: given.IPCustomHeader}
		if err := do(to, p.admin.SetIPCustomHeader, header); err != nil {
			return err
		}
	}
	return cmp.Or(
		addEach("referrers", given.Referrers, func(v string) error {
			return do(to, p.admin.AddReferrer, &adminapi.AddReferrerRequest{Referrer: v})
		}),
		addEach("ips", given.IPs, func(v string) error {
			return do(to, p.admin.AddIP, &adminapi.AddIPRequest{IP: v})
		}),
		addEach("domain_masks", given.DomainMasks, func(v string) error {
			return do(to, p.admin.AddDomainMask, &adminapi.AddDomainMaskRequest{DomainMask: v})
		}),
		addEach("request_filters", given.RequestFilters, func(v []string) error {
			return do(to, p.admin.AddRequestFilter, &adminapi.AddRequestFilterRequest{Method: v})
		}),
		addEach("jwts", given.JWTs, func(v fleet.JWT) error {
			return do(to, p.admin.AddJWT, &adminapi.AddJWTRequest{PublicKey: v.PublicKey, Kid: v.Kid, Name: v.Name})
		}),
	)
}

func (p *population) addLimits(to *endpointData, spec fleet.Endpoint) error {
	if given := spec.RateLimits; given != (fleet.RateLimits{}) {
		overrides := adminapi.RateLimitOverrides{
			RPS: nonZero(given.RPS), RPM: nonZero(given.RPM), RPD: nonZero(given.RPD),
		}
		if err := do(to, p.admin.UpdateRateLimits, &adminapi.UpdateRateLimitsRequest{RateLimits: overrides}); err != nil {
			return err
		}
	}
	return addEach("method_rate_limits", spec.MethodRateLimits, func(given fleet.MethodRateLimit) error {
		err := do(to, p.admin.CreateMethodRateLimit, &adminapi.CreateMethodRateLimitRequest{
			Interval: adminapi.RateLimitInterval(given.Interval), Methods: slices.Clone(given.Methods), Rate: given.Rate,
		})
		if err == nil {
			to.Methods[len(to.Methods)-1].Status = switchOf(!given.Disabled)
		}
		return err
	})
}

// addGraph adds data to the graph area, which makes all of its data anew when it is asked.
func (p *population) addGraph(given fleet.Graph) error {
	p.Graph.Seed, p.graph = cmp.Or(given.Seed, p.Graph.Seed), nil
	for _, chain := range []struct {
		name  string
		given fleet.GraphChain
		into  *fleet.GraphChain
	}{
		{"ethereum", given.Ethereum, &p.Graph.Ethereum},
		{"ethereum_sepolia", given.EthereumSepolia, &p.Graph.EthereumSepolia},
		{"polygon", given.Polygon, &p.Graph.Polygon},
	} {
		chain.into.Wallets = slices.Concat(chain.into.Wallets, chain.given.Wallets)
		chain.into.Collections = slices.Concat(chain.into.Collections, chain.given.Collections)
		chain.into.Tokens = slices.Concat(chain.into.Tokens, chain.given.Tokens)
		if err := checkGraphChain(chain.given, *chain.into); err != nil {
			return fleet.At("graph", fleet.At(chain.name, err))
		}
	}
	return nil
}

// maxNFTs bounds a given collection, because some queries visit all of its tokens.
const maxNFTs = 100_000

var addressForm = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)

// checkGraphChain checks the given data of a chain. No address may be there twice in all of its data.
func checkGraphChain(given, all fleet.GraphChain) error {
	taken := map[string]int{}
	for _, address := range slices.Concat(
		each(all.Wallets, func(w fleet.GraphWallet) string { return w.Address }),
		each(all.Collections, func(c fleet.GraphCollection) string { return c.Address }),
		each(all.Tokens, func(t fleet.GraphToken) string { return t.Address }),
	) {
		taken[strings.ToLower(address)]++
	}
	checkAddress := func(address string) error {
		switch {
		case !addressForm.MatchString(address):
			return fleet.At("address", errors.New("must be 0x and 40 hexadecimal digits"))
		case taken[strings.ToLower(address)] > 1:
			return fleet.At("address", errors.New("must be unique"))
		}
		return nil
	}
	return cmp.Or(
		addEach("wallets", given.Wallets, func(w fleet.GraphWallet) error { return checkAddress(w.Address) }),
		addEach("collections", given.Collections, func(c fleet.GraphCollection) error {
			switch {
			case strings.TrimSpace(c.Name) == "":
				return errors.New("name is required")
			case c.Standard != "" && c.Standard != "ERC721" && c.Standard != "ERC1155":
				return fleet.At("standard", errors.New("must be ERC721 or ERC1155"))
			case c.Size < 1 || c.Size > maxNFTs:
				return fleet.At("size", errors.New("must be from 1 to 100000"))
			}
			return checkAddress(c.Address)
		}),
		addEach("tokens", given.Tokens, func(t fleet.GraphToken) error {
			switch {
			case t.Name == "" || t.Symbol == "":
				return errors.New("name and symbol are required")
			case t.Decimals < 0 || t.Decimals > 36:
				return fleet.At("decimals", errors.New("must be from 0 to 36"))
			}
			return checkAddress(t.Address)
		}),
	)
}
