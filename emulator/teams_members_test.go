package emulator_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/emulator"
)

// newcomer is an invitation of somebody new to the account.
func newcomer(name string) object {
	return object{"email": name + "@example.com", "full_name": "User " + name, "role": "billing"}
}

func TestInvitations(t *testing.T) {
	s := startService(t)
	first, second := s.createTeam("First team"), s.createTeam("Second team")

	invited := dataOf[teamUser](s.post(first+"/members", newcomer("ada")))
	assert.NotZero(t, invited.ID)
	assert.Equal(t, teamUser{invited.ID, "User ada", "ada@example.com", new("billing"), "pending", nil}, invited)
	shown := invited
	shown.Primary = new(false)
	got := s.team(first)
	assert.Equal(t, 1, got.MembersCount)
	assert.Equal(t, []teamUser{shown}, got.Users)
	assert.Equal(t, []teamUser{invited}, got.PendingInvites)
	assert.Equal(t, []teamUser{invited}, dataOf[[]team](s.get("/v0/teams"))[0].Users)
	assert.Empty(t, s.team(second).Users)

	member := fmt.Sprintf("%s/members/%d", first, invited.ID)
	assert.NotEmpty(t, dataOf[map[string]string](s.post(member+"/resend_invite", nil))["message"])
	require.NoError(t, s.AcceptInvitation(invited.ID))
	shown.Status = "active"
	assert.Equal(t, []teamUser{shown}, s.team(first).Users)
	assert.Empty(t, s.team(first).PendingInvites)
	s.post(member+"/resend_invite", nil).refused(http.StatusBadRequest, "pending")
	require.ErrorContains(t, s.AcceptInvitation(invited.ID), "no pending invitation")
	require.ErrorContains(t, s.AcceptInvitation(999999), "no user 999999")

	// An existing user needs the email address only, in any case.
	again := dataOf[teamUser](s.post(second+"/members", object{"email": "Ada@example.com"}))
	assert.Equal(t, teamUser{invited.ID, "User ada", "ada@example.com", new("billing"), "active", nil}, again)
	s.post(second+"/members", object{"email": "ada@example.com"}).refused(http.StatusBadRequest, "member")
	assert.Len(t, s.team(second).Users, 1)
}

func TestInvitationRefusals(t *testing.T) {
	s := startService(t)
	path := s.createTeam("Payments")
	for _, bad := range []struct{ body, reason string }{
		{`{}`, "email"},
		{`{"email": "nobody", "full_name": "New User", "role": "viewer"}`, "email"},
		{`{"email": "New <new@example.com>", "full_name": "New User", "role": "viewer"}`, "email"},
		{`{"email": "new@example.com"}`, "full_name"},
		{`{"email": "new@example.com", "role": "viewer"}`, "full_name"},
		{`{"email": "new@example.com", "full_name": "", "role": "viewer"}`, "full_name"},
		{`{"email": "new@example.com", "full_name": "New User"}`, "role"},
		{`{"email": "new@example.com", "full_name": "New User", "role": "owner"}`, "role"},
	} {
		s.post(path+"/members", bad.body).refused(http.StatusBadRequest, bad.reason)
	}
	assert.Empty(t, s.team(path).Users)
}

func TestMaximumOfUsers(t *testing.T) {
	s := startService(t, emulator.WithMaxUsers(3))
	path := s.createTeam("Payments")
	first := dataOf[teamUser](s.post(path+"/members", newcomer("first")))
	s.post(path+"/members", newcomer("second")).ok()
	s.post(path+"/members", newcomer("third")).refused(http.StatusBadRequest, "maximum of 3 users")
	assert.Equal(t, 2, s.team(path).MembersCount)

	// Only deleting a user from the account makes room for another.
	member := fmt.Sprintf("%s/members/%d", path, first.ID)
	s.delete(member).ok()
	s.post(path+"/members", newcomer("third")).refused(http.StatusBadRequest, "maximum of 3 users")
	s.post(path+"/members", object{"email": "first@example.com"}).ok()
	s.call(http.MethodDelete, member, object{"destroy_user": true}).ok()
	s.post(path+"/members", newcomer("third")).ok()
}

func TestRemoveMembers(t *testing.T) {
	s := startService(t)
	first, second := s.createTeam("First team"), s.createTeam("Second team")
	user := dataOf[teamUser](s.post(first+"/members", newcomer("ada")))
	s.post(second+"/members", object{"email": user.Email}).ok()
	s.delete(first).refused(http.StatusBadRequest, "members")

	for _, body := range []any{nil, object{}, object{"destroy_user": false}} {
		assert.NotEmpty(t, dataOf[map[string]string](s.call(http.MethodDelete, fmt.Sprintf("%s/members/%d", first, user.ID), body))["message"])
		assert.Empty(t, s.team(first).Users)
		assert.Len(t, s.team(second).Users, 1, "the user stays in the other team")
		dataOf[teamUser](s.post(first+"/members", object{"email": user.Email}))
	}
	s.call(http.MethodDelete, fmt.Sprintf("%s/members/%d", first, user.ID), object{"destroy_user": true}).ok()
	assert.Empty(t, s.team(first).Users)
	assert.Empty(t, s.team(second).Users)
	s.post(first+"/members", object{"email": user.Email}).refused(http.StatusBadRequest, "full_name")

	member := fmt.Sprintf("%s/members/%d", first, user.ID)
	s.delete(member).refused(http.StatusNotFound, "user")
	s.post(member+"/resend_invite", nil).refused(http.StatusNotFound, "user")
	s.delete(first).ok()
}

func TestPrimaryUserStays(t *testing.T) {
	s := startService(t)
	path := s.createTeam("Payments")
	owner := dataOf[teamUser](s.post(path+"/members", object{"email": emulator.PrimaryUserEmail}))
	assert.Equal(t, "active", owner.Status)
	assert.Nil(t, owner.Role)
	assert.Equal(t, new(true), s.team(path).Users[0].Primary)
	member := fmt.Sprintf("%s/members/%d", path, owner.ID)
	s.delete(member).refused(http.StatusBadRequest, "primary user")
	s.call(http.MethodDelete, member, object{"destroy_user": true}).refused(http.StatusBadRequest, "primary user")
	s.post(member+"/resend_invite", nil).refused(http.StatusBadRequest, "pending")
	assert.Len(t, s.team(path).Users, 1)
}
