package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/alertsapi"
)

// Populated has the ids of what Populate created, each list in the order of the fleet.
type Populated struct {
	// Endpoints, Destinations and Notifications are ids as the service writes them in paths.
	Endpoints, Destinations, Notifications []string
	// Users and Teams are numbers.
	Users, Teams []int64
}

// Populate adds a fleet to what the account has. The emulator makes ids, and what secrets the fleet does not give, from
// its seed. It adds all of the fleet, or nothing where a part breaks a rule: the error is then a [*fleet.Error], which
// names the place. The rules are those of the service's operations, and those of package fleet.
func (e *Emulator) Populate(given fleet.Fleet) (Populated, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := newPopulation(e.state)
	if err := p.build(given); err != nil {
		p.abandon()
		return Populated{}, fmt.Errorf("emulator: %w", err)
	}
	p.attach()
	return p.populated(), nil
}

// population is what is to be added to an account. It is built whole before any of it is attached.
type population struct {
	state *state
	// before is how ids were made before.
	before *ids

	account       fleet.Account
	tags          []string
	endpoints     []*endpoint
	labels        map[string][]*endpoint
	tagged        map[*endpoint][]string
	tallies       map[*endpoint][]*call
	users         []*user
	teams         []*team
	destinations  []*destination
	notifications []*notification
	graph         *fleet.Graph
}

func newPopulation(s *state) *population {
	return &population{
		state: s, before: s.ids.clone(), labels: make(map[string][]*endpoint), tagged: make(map[*endpoint][]string),
		tallies: make(map[*endpoint][]*call),
	}
}

// build makes everything, or says what is wrong and where. Things that name others come after them.
func (p *population) build(given fleet.Fleet) error {
	for i, label := range given.Tags {
		if err := checkTagLabel(label); err != nil {
			return fleet.Item("tags", i, err)
		}
	}
	p.account, p.tags = given.Account, given.Tags
	if err := buildEach("users", given.Users, p.buildUser); err != nil {
		return err
	}
	if err := buildEach("endpoints", given.Endpoints, p.buildEndpoint); err != nil {
		return err
	}
	if err := buildEach("teams", given.Teams, p.buildTeam); err != nil {
		return err
	}
	if err := buildEach("destinations", given.Destinations, p.buildDestination); err != nil {
		return err
	}
	if err := buildEach("notifications", given.Notifications, p.buildNotification); err != nil {
		return err
	}
	if err := p.buildGraph(given.Graph); err != nil {
		return fleet.At("graph", err)
	}
	return nil
}

// buildEach makes the items of a list.
func buildEach[T any](list string, items []T, build func(T) error) error {
	for i, item := range items {
		if err := build(item); err != nil {
			return fleet.Item(list, i, err)
		}
	}
	return nil
}

// abandon forgets what was built, so that the next ids are what they would have been.
func (p *population) abandon() { p.state.ids = p.before }

// attach makes everything a part of the account.
func (p *population) attach() {
	s := p.state
	p.attachAccount()
	for _, label := range p.tags {
		s.tagLabelled(label)
	}
	for _, added := range p.endpoints {
		s.attach(added)
		for _, label := range p.tagged[added] {
			added.addTag(s.tagLabelled(label))
		}
		if len(p.tallies[added]) > 0 {
			s.traffic.of(added).count(p.tallies[added])
		}
	}
	s.teams.users = append(s.teams.users, p.users...)
	s.teams.all = append(s.teams.all, p.teams...)
	s.alerts.destinations = append(s.alerts.destinations, p.destinations...)
	s.alerts.notifications = append(s.alerts.notifications, p.notifications...)
	if p.graph != nil {
		s.graph = graphState{given: *p.graph}
	}
}

func (p *population) attachAccount() {
	s := p.state
	if p.account.Name != "" {
		s.account.name = p.account.Name
	}
	if p.account.Plan != "" {
		s.account.plan = p.account.Plan
	}
	if p.account.ToolingAccess && s.tooling.enabledAt == nil {
		s.enableTooling()
	}
}

func (p *population) populated() Populated {
	var made Populated
	for _, e := range p.endpoints {
		made.Endpoints = append(made.Endpoints, e.id)
	}
	for _, d := range p.destinations {
		made.Destinations = append(made.Destinations, d.id)
	}
	for _, n := range p.notifications {
		made.Notifications = append(made.Notifications, n.id)
	}
	for _, u := range p.users {
		made.Users = append(made.Users, u.id)
	}
	for _, t := range p.teams {
		made.Teams = append(made.Teams, t.id)
	}
	return made
}

// buildUser makes a user that the account does not have.
func (p *population) buildUser(given fleet.User) error {
	role := adminapi.TeamRole(given.Role)
	invitation := &adminapi.InviteTeamMemberRequest{Email: given.Email, FullName: &given.FullName, Role: &role}
	if err := checkInvitation(invitation); err != nil {
		return err
	}
	_, known := p.user(given.Email)
	switch limit := p.state.settings.maxUsers; {
	case given.FullName == "":
		return badRequest("full_name is required")
	case known:
		return fleet.At("email", errors.New("is that of another user"))
	case len(p.state.teams.users)+len(p.users) >= limit:
		return fmt.Errorf("the account has its maximum of %d users", limit)
	}
	built := p.state.newUser(invitation)
	built.pending = given.Pending
	p.users = append(p.users, built)
	return nil
}

// user finds a user of the account or the fleet.
func (p *population) user(email string) (*user, bool) {
	if known, found := p.state.teams.byEmail(email); found {
		return known, true
	}
	at := slices.IndexFunc(p.users, func(u *user) bool { return strings.EqualFold(u.email, email) })
	if at < 0 {
		return nil, false
	}
	return p.users[at], true
}

// buildTeam makes a team of users and endpoints that are there.
func (p *population) buildTeam(given fleet.Team) error {
	built, err := p.state.newTeam(given.Name)
	if err != nil {
		return err
	}
	for i, email := range given.Members {
		member, known := p.user(email)
		if !known {
			return fleet.Item("members", i, errors.New("there is no such user"))
		}
		if slices.Contains(built.members, member) {
			return fleet.Item("members", i, errors.New("the user is in the list already"))
		}
		built.members = append(built.members, member)
	}
	for i, label := range given.Endpoints {
		found := p.labels[label]
		if label == "" || len(found) != 1 {
			return fleet.Item("endpoints", i, errors.New("must be the label of exactly one endpoint of the fleet"))
		}
		built.endpoints[found[0].id] = true
	}
	p.teams = append(p.teams, built)
	return nil
}

// buildDestination makes a destination that no other of the fleet has the name of.
func (p *population) buildDestination(given fleet.Destination) error {
	if p.destination(given.Name) != nil {
		return fleet.At("name", errors.New("is that of another destination"))
	}
	built, err := p.state.newDestination(&alertsapi.CreateDestinationRequest{
		Name:        given.Name,
		ToURL:       given.URL,
		WebhookType: cmp.Or(alertsapi.WebhookType(given.WebhookType), alertsapi.WebhookTypePOST),
		Service:     alertsapi.DestinationServiceWebhook,
		PayloadType: cmp.Or(alertsapi.PayloadType(given.PayloadType), alertsapi.PayloadTypeLayout1),
	})
	if err != nil {
		return err
	}
	built.token = cmp.Or(given.Token, built.token)
	p.destinations = append(p.destinations, built)
	return nil
}

// destination finds a destination of the fleet, or returns nil.
func (p *population) destination(name string) *destination {
	for _, d := range p.destinations {
		if d.name == name {
			return d
		}
	}
	return nil
}

// buildNotification makes a notification to destinations of the fleet.
func (p *population) buildNotification(given fleet.Notification) error {
	network := alertsapi.AlertNetwork(given.Network)
	built := &notification{id: p.state.ids.uuid(), enabled: !given.Disabled}
	text := []byte(given.Expression)
	fields := &alertsapi.UpdateNotificationRequest{Name: &given.Name, Network: &network, Expression: &text}
	if err := built.change(p.state, fields); err != nil {
		return err
	}
	built.createdAt = built.updatedAt.Truncate(time.Millisecond)
	for i, name := range given.Destinations {
		to := p.destination(name)
		if to == nil {
			return fleet.Item("destinations", i, errors.New("there is no such destination in the fleet"))
		}
		if !slices.Contains(built.destinations, to) {
			built.destinations = append(built.destinations, to)
		}
	}
	p.notifications = append(p.notifications, built)
	return nil
}
