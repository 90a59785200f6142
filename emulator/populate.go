package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
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
	return e.state.populate(func(p *population) error { return p.add(given) })
}

// population is a copy of the state that a fleet is added to, and the new things by their names in the fleet. Adding
// must not change things that the state has already, so that a failure changes nothing.
type population struct {
	state
	labels       map[string][]*endpoint
	destinations map[string]string // The ids by name.
}

// populate runs add on a copy of the state, and keeps the copy if add succeeds.
func (s *state) populate(add func(*population) error) (PopulateResult, error) {
	p := &population{state: *s, labels: map[string][]*endpoint{}, destinations: map[string]string{}}
	p.IDs = s.IDs.clone()
	if err := add(p); err != nil {
		return PopulateResult{}, fmt.Errorf("emulator: %w", err)
	}
	var made PopulateResult
	for _, added := range p.Endpoints[len(s.Endpoints):] {
		s.endpoints[added.id()] = added
		made.Endpoints = append(made.Endpoints, added.id())
	}
	for _, added := range p.Destinations[len(s.Destinations):] {
		made.Destinations = append(made.Destinations, added.ID)
	}
	for _, added := range p.Notifications[len(s.Notifications):] {
		made.Notifications = append(made.Notifications, added.ID)
	}
	for _, added := range p.Users[len(s.Users):] {
		made.Users = append(made.Users, added.ID)
	}
	for _, added := range p.Teams[len(s.Teams):] {
		made.Teams = append(made.Teams, added.ID)
	}
	*s = p.state
	return made, nil
}

// add adds everything. Things that name others come after them.
func (p *population) add(given fleet.Fleet) error {
	p.Account.Name = cmp.Or(given.Account.Name, p.Account.Name)
	if given.Account.Plan != "" {
		p.Account.Subscription.PlanName = &given.Account.Plan
	}
	return cmp.Or(
		addEach("tags", given.Tags, p.addTag),
		addEach("users", given.Users, p.addFleetUser),
		addEach("endpoints", given.Endpoints, p.addEndpoint),
		addEach("teams", given.Teams, p.addFleetTeam),
		addEach("destinations", given.Destinations, p.addFleetDestination),
		addEach("notifications", given.Notifications, p.addFleetNotification),
		p.addGraph(given.Graph),
		p.addTooling(given.Account.ToolingAccess),
	)
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

func (p *population) addTooling(access bool) error {
	if access {
		p.enableTooling()
	}
	return nil
}

func (p *population) addTag(label string) error {
	if err := checkTagLabel(label); err != nil {
		return err
	}
	p.tagLabelled(label)
	return nil
}

func (p *population) addFleetUser(given fleet.User) error {
	role := adminapi.TeamRole(given.Role)
	invitation := &adminapi.InviteTeamMemberRequest{Email: given.Email, FullName: &given.FullName, Role: &role}
	if err := checkInvitation(invitation); err != nil {
		return err
	}
	if p.user(given.Email) != nil {
		return fleet.At("email", errors.New("is that of another user"))
	}
	added, err := p.addUser(invitation)
	if err == nil && !given.Pending {
		added.Status = active
	}
	return err
}

// addFleetTeam adds a team of existing users and of endpoints of the fleet.
func (p *population) addFleetTeam(given fleet.Team) error {
	added, err := p.addTeam(given.Name)
	if err != nil {
		return err
	}
	for i, email := range given.Members {
		member := p.user(email)
		if member == nil {
			return fleet.Item("members", i, errors.New("there is no such user"))
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

func (p *population) addFleetDestination(given fleet.Destination) error {
	if _, taken := p.destinations[given.Name]; taken {
		return fleet.At("name", errors.New("is that of another destination"))
	}
	added, err := p.addDestination(&alertsapi.CreateDestinationRequest{
		Name: given.Name, ToURL: given.URL, Service: alertsapi.DestinationServiceWebhook,
		WebhookType: cmp.Or(alertsapi.WebhookType(given.WebhookType), alertsapi.WebhookTypePOST),
		PayloadType: cmp.Or(alertsapi.PayloadType(given.PayloadType), alertsapi.PayloadTypeLayout1),
	})
	if err != nil {
		return err
	}
	added.Token = cmp.Or(given.Token, added.Token)
	p.destinations[given.Name] = added.ID
	return nil
}

func (p *population) addFleetNotification(given fleet.Notification) error {
	fields := &alertsapi.UpdateNotificationRequest{
		Name: &given.Name, Network: new(alertsapi.AlertNetwork(given.Network)), Expression: new([]byte(given.Expression)),
	}
	for i, name := range given.Destinations {
		id, known := p.destinations[name]
		if !known {
			return fleet.Item("destinations", i, errors.New("there is no such destination in the fleet"))
		}
		fields.DestinationIDs = append(fields.DestinationIDs, id)
	}
	_, err := p.addNotification(fields, !given.Disabled)
	return err
}

var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func (p *population) addEndpoint(spec fleet.Endpoint) error {
	if err := checkNetwork(spec.Chain, spec.Network); err != nil {
		return err
	}
	if err := addEach("tags", spec.Tags, checkTagLabel); err != nil {
		return err
	}
	if err := addEach("tokens", spec.Tokens, func(token string) error {
		if !tokenForm.MatchString(token) {
			return errors.New("must have letters, digits, - and _ alone")
		}
		return nil
	}); err != nil {
		return err
	}
	added := p.newEndpoint(spec.Chain, spec.Network)
	if spec.Label != "" {
		added.Label = &spec.Label
	}
	if spec.Paused {
		added.Status = adminapi.EndpointStatusPaused
	}
	added.Multichain, added.Dedicated, added.FlatRate = spec.Multichain, spec.Dedicated, spec.FlatRate
	if len(spec.Tokens) > 0 {
		added.Token, added.Security.Lists.Tokens = spec.Tokens[0], nil
		for _, token := range spec.Tokens {
			added.Security.addToken(&p.IDs, token)
		}
	}
	if err := p.addSecurity(&added.Security, spec.Security); err != nil {
		return fleet.At("security", err)
	}
	if err := p.addLimits(added, spec); err != nil {
		return err
	}
	if err := p.addUsage(added, spec.Usage); err != nil {
		return err
	}
	for _, label := range spec.Tags {
		added.addTag(p.tagLabelled(label))
	}
	p.labels[spec.Label] = append(p.labels[spec.Label], added)
	p.Endpoints = append(p.Endpoints, added)
	return nil
}

func (p *population) addSecurity(to *security, given fleet.Security) error {
	for _, name := range slices.Sorted(maps.Keys(given.Options)) {
		option := adminapi.SecurityOptionName(name)
		if !option.Valid() {
			return fleet.At("options."+name, errors.New("there is no such option"))
		}
		to.On[option] = given.Options[name]
	}
	if given.IPCustomHeader != "" {
		to.setIPHeader(given.IPCustomHeader)
	}
	ids := &p.IDs
	return cmp.Or(
		addEach("referrers", given.Referrers, func(v string) error { _, err := to.addReferrer(ids, v); return err }),
		addEach("ips", given.IPs, func(v string) error { _, err := to.addIP(ids, v); return err }),
		addEach("domain_masks", given.DomainMasks, func(v string) error { _, err := to.addDomainMask(ids, v); return err }),
		addEach("request_filters", given.RequestFilters,
			func(v []string) error { _, err := to.addRequestFilter(ids, v); return err }),
		addEach("jwts", given.JWTs, func(v fleet.JWT) error {
			_, err := to.addJWT(ids, adminapi.AddJWTRequest{PublicKey: v.PublicKey, Kid: v.Kid, Name: v.Name})
			return err
		}),
	)
}

func (p *population) addLimits(to *endpoint, spec fleet.Endpoint) error {
	if given := spec.RateLimits; given != (fleet.RateLimits{}) {
		pointer := func(limit int) *int {
			if limit == 0 {
				return nil // Left out.
			}
			return &limit
		}
		overrides := adminapi.RateLimitOverrides{RPS: pointer(given.RPS), RPM: pointer(given.RPM), RPD: pointer(given.RPD)}
		if err := to.setLimits(&p.IDs, overrides); err != nil {
			return err
		}
	}
	return addEach("method_rate_limits", spec.MethodRateLimits, func(given fleet.MethodRateLimit) error {
		interval := adminapi.RateLimitInterval(given.Interval)
		added, err := p.addMethodLimit(to, interval, slices.Clone(given.Methods), given.Rate)
		if err == nil && given.Disabled {
			added.Status = adminapi.SwitchDisabled
		}
		return err
	})
}

// addGraph adds data to the graph area, which makes all of its data anew.
func (p *population) addGraph(given fleet.Graph) error {
	if given.Seed != 0 {
		p.Graph.Seed, p.graph = given.Seed, nil
	}
	for _, chain := range []struct {
		name  string
		given fleet.GraphChain
		into  *fleet.GraphChain
	}{
		{"ethereum", given.Ethereum, &p.Graph.Ethereum},
		{"ethereum_sepolia", given.EthereumSepolia, &p.Graph.EthereumSepolia},
		{"polygon", given.Polygon, &p.Graph.Polygon},
	} {
		if len(chain.given.Wallets)+len(chain.given.Collections)+len(chain.given.Tokens) == 0 {
			continue
		}
		p.graph = nil
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
	for _, w := range all.Wallets {
		taken[strings.ToLower(w.Address)]++
	}
	for _, c := range all.Collections {
		taken[strings.ToLower(c.Address)]++
	}
	for _, t := range all.Tokens {
		taken[strings.ToLower(t.Address)]++
	}
	checkAddress := func(address string) error {
		switch {
		case !addressForm.MatchString(address):
			return fleet.At("address", errors.New("must be 0x and 40 hexadecimal digits"))
		case taken[strings.ToLower(address)] > 1:
			return fleet.At("address", errors.New("is there twice"))
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
