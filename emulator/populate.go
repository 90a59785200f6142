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
// the error names the place, such as "endpoints[2]: network is not one of the chain".
func (e *Emulator) Populate(given fleet.Fleet) (PopulateResult, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.populate(func(p *population) error { return p.add(given) })
}

// population adds a fleet by the operations of the service, if they can do it.
type population struct {
	*state

	admin  adminHandlers
	alerts alertsHandlers
	first  int // The index of the first endpoint of the fleet.
}

// populate runs add on a copy of the state, and keeps the copy if add succeeds. Adding must not change things that the
// state has already.
func (e *Emulator) populate(add func(*population) error) (PopulateResult, error) {
	before, copied := e.state, *e.state
	e.state = &copied
	p := &population{&copied, adminHandlers{e}, alertsHandlers{e}, len(before.endpoints)}
	if err := add(p); err != nil {
		e.state = before
		return PopulateResult{}, fmt.Errorf("emulator: %w", err)
	}
	return PopulateResult{
		Endpoints:     each(p.endpoints[p.first:], func(e *endpointData) string { return e.ID }),
		Destinations:  each(p.destinations[len(before.destinations):], func(d *destination) string { return d.ID }),
		Notifications: each(p.notifications[len(before.notifications):], func(n *notification) string { return n.ID }),
		Users:         each(p.users[len(before.users):], func(u *user) int64 { return u.ID }),
		Teams:         each(p.teams[len(before.teams):], func(t *teamData) int64 { return t.ID }),
	}, nil
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

// addEach adds the items of a list. The error names the item.
func addEach[T any](list string, items []T, add func(T) error) error {
	for i, item := range items {
		if err := add(item); err != nil {
			return fmt.Errorf("%s[%d]: %w", list, i, err)
		}
	}
	return nil
}

// add adds everything. Things that name others come after them.
func (p *population) add(given fleet.Fleet) error {
	p.account.Name = cmp.Or(given.Account.Name, p.account.Name)
	if given.Account.Plan != "" {
		p.account.Subscription.PlanName = &given.Account.Plan
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
		return errors.New("email is used by another user")
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
	added := lastOf(p.teams)
	added.endpoints = map[string]bool{}
	return cmp.Or(
		addEach("members", given.Members, func(email string) error {
			member := p.user(email)
			if member == nil || slices.Contains(added.members, member) {
				return errors.New("must be a user who is not in the list already")
			}
			added.members = append(added.members, member)
			return nil
		}),
		addEach("endpoints", given.Endpoints, func(label string) error {
			found := slices.DeleteFunc(slices.Clone(p.endpoints[p.first:]),
				func(e *endpointData) bool { return e.Label == nil || *e.Label != label })
			if len(found) != 1 {
				return errors.New("must be the label of exactly one endpoint of the fleet")
			}
			added.endpoints[found[0].ID] = true
			return nil
		}),
	)
}

func (p *population) addDestination(given fleet.Destination) error {
	if err := do(nil, p.alerts.CreateDestination, &alertsapi.CreateDestinationRequest{
		Name: given.Name, ToURL: given.URL, Service: alertsapi.DestinationServiceWebhook,
		WebhookType: alertsapi.WebhookTypePOST, PayloadType: alertsapi.PayloadTypeLayout1,
	}); err != nil {
		return err
	}
	added := lastOf(p.destinations)
	added.Token = cmp.Or(given.Token, added.Token)
	return nil
}

func (p *population) addNotification(given fleet.Notification) error {
	ids := []string{}
	if err := addEach("destinations", given.Destinations, func(name string) error {
		found, err := byID(p.destinations, "destination", name, func(d *destination) string { return d.Name })
		if err == nil {
			ids = append(ids, found.ID)
		}
		return err
	}); err != nil {
		return err
	}
	return do(nil, p.alerts.CreateNotification, &alertsapi.CreateNotificationRequest{
		Name: given.Name, Network: alertsapi.AlertNetwork(given.Network), Expression: []byte(given.Expression),
		DestinationIDs: ids,
	})
}

var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func (p *population) addEndpoint(spec fleet.Endpoint) error {
	request := &adminapi.CreateEndpointRequest{Chain: spec.Chain, Network: spec.Network}
	if err := cmp.Or(serve.Check(request), checkNetwork(spec.Chain, spec.Network)); err != nil {
		return err
	}
	added := p.newEndpoint(spec.Chain, spec.Network, strings.Join(spec.Tokens[:min(len(spec.Tokens), 1)], ""))
	if spec.Paused {
		added.Status = adminapi.EndpointStatusPaused
	}
	added.Label, added.IsMultichain = nonZero(spec.Label), spec.Multichain
	added.IsDedicated, added.IsFlatRate = spec.Dedicated, spec.FlatRate
	for _, name := range slices.Sorted(maps.Keys(spec.Security.Options)) {
		option := added.security.option(adminapi.SecurityOptionName(name))
		switch {
		case option == nil:
			return fmt.Errorf("security: options: unknown option %q", name)
		case spec.Security.Options[name]:
			option.Status = adminapi.SwitchEnabled
		default:
			option.Status = adminapi.SwitchDisabled
		}
	}
	if err := p.addSecurity(added, spec.Security); err != nil {
		return fmt.Errorf("security: %w", err)
	}
	return cmp.Or(
		addEach("tokens", spec.Tokens, func(token string) error {
			switch {
			case !tokenForm.MatchString(token):
				return errors.New("must contain only letters, digits, - and _")
			case token != added.token:
				added.security.addToken(&p.ids, token)
			}
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
		return do(to, p.admin.CreateMethodRateLimit, &adminapi.CreateMethodRateLimitRequest{
			Interval: adminapi.RateLimitInterval(given.Interval), Methods: slices.Clone(given.Methods), Rate: given.Rate,
		})
	})
}

// addGraph adds data to the graph area, which makes all of its data anew when it is asked.
func (p *population) addGraph(added fleet.Graph) error {
	p.given.Seed, p.graph = cmp.Or(added.Seed, p.given.Seed), nil
	return cmp.Or(
		addGraphChain("ethereum", &p.given.Ethereum, added.Ethereum),
		addGraphChain("ethereum_sepolia", &p.given.EthereumSepolia, added.EthereumSepolia),
		addGraphChain("polygon", &p.given.Polygon, added.Polygon),
	)
}

// maxNFTs bounds a given collection, because some queries visit all of its tokens.
const maxNFTs = 100_000

var addressForm = regexp.MustCompile(`^0x[0-9a-f]{40}$`)

// addGraphChain adds the data of a chain, and checks all of it.
func addGraphChain(name string, to *fleet.GraphChain, added fleet.GraphChain) error {
	to.Wallets = slices.Concat(to.Wallets, added.Wallets)
	to.Collections = slices.Concat(to.Collections, added.Collections)
	to.Tokens = slices.Concat(to.Tokens, added.Tokens)
	taken := map[string]bool{}
	check := func(address string, valid bool, rule string) error {
		address = strings.ToLower(address)
		switch {
		case !addressForm.MatchString(address) || taken[address]:
			return errors.New("address must be 0x and 40 hexadecimal digits, and unique")
		case !valid:
			return errors.New(rule)
		}
		taken[address] = true
		return nil
	}
	err := cmp.Or(
		addEach("wallets", to.Wallets, func(w fleet.GraphWallet) error { return check(w.Address, true, "") }),
		addEach("collections", to.Collections, func(c fleet.GraphCollection) error {
			return check(c.Address, strings.TrimSpace(c.Name) != "" && c.Size >= 1 && c.Size <= maxNFTs &&
				slices.Contains([]string{"", "ERC721", "ERC1155"}, c.Standard),
				"must have a name, a size from 1 to 100000, and no standard or ERC721 or ERC1155")
		}),
		addEach("tokens", to.Tokens, func(t fleet.GraphToken) error {
			return check(t.Address, t.Name != "" && t.Symbol != "" && t.Decimals >= 0 && t.Decimals <= 36,
				"must have a name, a symbol, and decimals from 0 to 36")
		}),
	)
	if err != nil {
		return fmt.Errorf("graph.%s: %w", name, err)
	}
	return nil
}
