package emulator_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

type team struct {
	ID             int64      `json:"id"`
	Name           string     `json:"name"`
	DefaultRole    string     `json:"default_role"`
	MembersCount   int        `json:"members_count"`
	Users          []teamUser `json:"users"`
	PendingInvites []teamUser `json:"pending_invites"`
}

type teamUser struct {
	ID       int64   `json:"id"`
	FullName string  `json:"full_name"`
	Email    string  `json:"email"`
	Role     *string `json:"role"`
	Status   string  `json:"status"`
	Primary  *bool   `json:"account_primary_user"`
}

// createTeam creates a team and returns the path of it.
func (s *service) createTeam(name string) string {
	s.t.Helper()
	return fmt.Sprintf("/v0/teams/%d", dataOf[team](s.post("/v0/teams", object{"name": name})).ID)
}

func (s *service) team(path string) team {
	s.t.Helper()
	return dataOf[team](s.get(path))
}

func TestTeams(t *testing.T) {
	s := startService(t)
	assert.JSONEq(t, `{"data": [], "error": null}`, string(s.get("/v0/teams").ok().body))

	created := dataOf[object](s.post("/v0/teams", object{"name": "Ünïx"}))
	id := int64(created["id"].(float64))
	assert.Equal(t, object{"id": float64(id), "name": "Ünïx", "default_role": "viewer", "members_count": 0.0}, created)
	other := s.team(s.createTeam("Payments"))

	teams := dataOf[[]team](s.get("/v0/teams"))
	require.Len(t, teams, 2)
	assert.Equal(t, team{ID: id, Name: "Ünïx", Users: []teamUser{}}, teams[0])
	assert.Equal(t, team{ID: other.ID, Name: "Payments", Users: []teamUser{}}, teams[1])
	path := fmt.Sprintf("/v0/teams/%d", id)
	assert.Equal(t, team{ID: id, Name: "Ünïx", DefaultRole: "viewer", Users: []teamUser{}, PendingInvites: []teamUser{}}, s.team(path))

	assert.NotEmpty(t, dataOf[map[string]string](s.delete(path))["message"])
	s.get(path).refused(http.StatusNotFound, "team")
	s.delete(path).refused(http.StatusNotFound, "team")
	assert.Len(t, dataOf[[]team](s.get("/v0/teams")), 1)

	for _, bad := range []string{`{}`, `{"name": ""}`, `{"name": "abc"}`, `{"name": "üüü"}`} {
		s.post("/v0/teams", bad).refused(http.StatusBadRequest, "name")
	}
}

func TestUnknownTeams(t *testing.T) {
	s := startService(t)
	for _, operation := range []struct {
		method, path string
		body         any
	}{
		{http.MethodGet, "", nil},
		{http.MethodDelete, "", nil},
		{http.MethodGet, "/endpoints", nil},
		{http.MethodPatch, "/endpoints", object{"endpoint_ids": []string{}}},
		{http.MethodPost, "/members", object{"email": "new@example.com", "full_name": "New User", "role": "viewer"}},
		{http.MethodDelete, "/members/1", nil},
		{http.MethodPost, "/members/1/resend_invite", nil},
	} {
		s.call(operation.method, "/v0/teams/999999"+operation.path, operation.body).refused(http.StatusNotFound, "team")
	}
}

func TestTeamEndpoints(t *testing.T) {
	s := startService(t)
	ids := s.CreateEndpoints(3)
	first, second := s.createTeam("First team"), s.createTeam("Second team")
	usable := func(team string) []string {
		var ids []string
		for _, endpoint := range dataOf[[]struct{ ID int64 }](s.get(team + "/endpoints")) {
			ids = append(ids, strconv.FormatInt(endpoint.ID, 10))
		}
		return ids
	}
	assert.Equal(t, ids, usable(first), "what is assigned to no team is open to all")

	set := s.patch(first+"/endpoints", object{"endpoint_ids": []string{ids[0], ids[2]}})
	assert.JSONEq(t, `{"data": {"success": true}, "error": null}`, string(set.ok().body))
	assert.Equal(t, ids, usable(first))
	assert.Equal(t, []string{ids[1]}, usable(second))

	s.patch(second+"/endpoints", object{"endpoint_ids": []string{ids[2], ids[1]}}).ok()
	assert.Equal(t, []string{ids[0], ids[2]}, usable(first))
	assert.Equal(t, []string{ids[1], ids[2]}, usable(second))

	s.patch(first+"/endpoints", object{"endpoint_ids": []string{ids[1], "unknown"}}).refused(http.StatusNotFound, "endpoint")
	s.patch(first+"/endpoints", object{}).refused(http.StatusBadRequest, "endpoint_ids")
	assert.Equal(t, []string{ids[0], ids[2]}, usable(first), "a refused change changes nothing")

	s.delete("/v0/endpoints/" + ids[0]).ok()
	assert.Equal(t, []string{ids[2]}, usable(first))
	s.patch(second+"/endpoints", object{"endpoint_ids": []string{}}).ok()
	assert.Equal(t, []string{ids[1], ids[2]}, usable(first))
	assert.Equal(t, []string{ids[1]}, usable(second))
	s.delete(first).ok()
	assert.Equal(t, []string{ids[1], ids[2]}, usable(second), "a deleted team has no endpoints")
}

func TestTeamEndpointRecord(t *testing.T) {
	s := startService(t)
	id := s.create().ID
	item := dataOf[[]object](s.get(s.createTeam("Payments") + "/endpoints"))
	require.Len(t, item, 1)
	number, err := strconv.ParseFloat(id, 64)
	require.NoError(t, err)
	name := s.list("").Data[0].Name
	assert.Equal(t, object{"id": number, "subdomain": name, "chain": "ethereum", "network": "ethereum-mainnet"}, item[0])
}

func TestDeterministicTeams(t *testing.T) {
	play := func() string {
		s := startService(t, emulator.WithSeed(3))
		path := s.createTeam("Payments")
		s.post(path+"/members", object{"email": "new@example.com", "full_name": "New User", "role": "viewer"}).ok()
		return string(s.get(path).ok().body)
	}
	assert.Equal(t, play(), play())
}
