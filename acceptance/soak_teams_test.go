package acceptance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// teamModel is what a team should be like.
type teamModel struct {
	id   int64
	name string
	// members are the addresses of its members, by their ids.
	members   map[int64]string
	endpoints []string
}

func (m *teamModel) view() string { return fmt.Sprint(m.id, " ", m.name, " ", m.members) }

// teamView is a record in the form of the model's view.
func teamView(id int64, name string, count int64, users []admin.TeamUser) string {
	members := map[int64]string{}
	for _, user := range users {
		members[user.ID] = user.Email
	}
	if int(count) != len(users) || len(users) != len(members) {
		return fmt.Sprint("a team of ", count, " with ", len(users), " users, ", len(members), " different")
	}
	return fmt.Sprint(id, " ", name, " ", members)
}

// teamPlayer creates, changes and deletes teams of its own.
type teamPlayer struct {
	*soaker
	models []*teamModel
	// endpoints are what its teams can have: nobody archives them.
	endpoints []string
	// users are the addresses of the account's users that are this player's.
	users map[int64]string
}

func newTeamPlayer(w *soaker, endpoints []string) *teamPlayer {
	return &teamPlayer{soaker: w, endpoints: endpoints, users: map[int64]string{}}
}

// maxTeams is how many teams a player has at a time.
const maxTeams = 3

func (p *teamPlayer) play() {
	if len(p.models) == 0 || len(p.models) < maxTeams && p.IntN(8) == 0 {
		p.found()
		return
	}
	model := p.models[p.IntN(len(p.models))]
	moves := []func(*teamModel){p.read, p.read, p.list, p.invite, p.invite, p.resend, p.leave, p.assign, p.assigned, p.dissolve}
	moves[p.IntN(len(moves))](model)
}

// found creates a team, now and then one of a name that is taken.
func (p *teamPlayer) found() {
	ctx, name := p.t.Context(), fmt.Sprintf("%s-%d", p.name, p.IntN(2))
	var known []string
	for _, model := range p.models {
		known = append(known, fmt.Sprint(model.id))
	}
	id := p.create("createTeam", func() (string, error) {
		team, err := p.client.Teams.Create(ctx, name)
		return idOf(team, err, func(t *admin.CreatedTeam) *string { return new(fmt.Sprint(t.ID)) })
	}, func() (found, error) {
		lookup, err := p.client.Teams.FindCreated(ctx, name)
		return lookedUp(lookup, err, known)
	})
	if id != "" {
		model := &teamModel{name: name, members: map[int64]string{}}
		_, _ = fmt.Sscan(id, &model.id)
		p.models = append(p.models, model)
	}
}

func (p *teamPlayer) read(model *teamModel) {
	team, err := p.client.Teams.Get(p.t.Context(), model.id)
	if p.came("getTeam", err) {
		p.same("team", model.view(), teamView(team.ID, team.Name, team.MembersCount, team.Users))
	}
}

// list finds the player's teams among those of the account.
func (p *teamPlayer) list(*teamModel) {
	teams, err := p.client.Teams.List(p.t.Context())
	if p.came("listTeams", err) {
		p.sameList("teams", p.views(), p.teamsOf(teams))
	}
}

func (p *teamPlayer) views() (views []string) {
	for _, model := range p.models {
		views = append(views, model.view())
	}
	slices.Sort(views)
	return views
}

// teamsOf picks the player's teams out of those of the account.
func (p *teamPlayer) teamsOf(teams []admin.Team) (views []string) {
	for _, team := range teams {
		if team.Name == p.name+"-0" || team.Name == p.name+"-1" {
			views = append(views, teamView(team.ID, team.Name, team.MembersCount, team.Users))
		}
	}
	slices.Sort(views)
	return views
}

// dissolve deletes a team that has no members.
func (p *teamPlayer) dissolve(model *teamModel) {
	if len(model.members) > 0 {
		return
	}
	p.remove("deleteTeam", func() error { return p.client.Teams.Delete(p.t.Context(), model.id) })
	p.models = slices.DeleteFunc(p.models, func(other *teamModel) bool { return other == model })
}

// assign gives the team some of the endpoints.
func (p *teamPlayer) assign(model *teamModel) {
	ids := slices.Clone(p.endpoints[:p.IntN(len(p.endpoints)+1)])
	p.set("setTeamEndpoints", func() error { return p.client.Teams.SetEndpoints(p.t.Context(), model.id, ids) }, nil)
	model.endpoints = ids
}

// assigned finds each endpoint of the team once among those that it may use.
func (p *teamPlayer) assigned(model *teamModel) {
	endpoints, err := p.client.Teams.Endpoints(p.t.Context(), model.id)
	if !p.came("listTeamEndpoints", err) {
		return
	}
	times := map[string]int{}
	for _, endpoint := range endpoints {
		times[fmt.Sprint(endpoint.ID)]++
	}
	want := map[string]int{}
	for _, id := range model.endpoints {
		want[id] = 1
	}
	maps.DeleteFunc(times, func(id string, n int) bool { return want[id] == 0 && n == 1 })
	p.same("endpoints of a team", want, times)
}
