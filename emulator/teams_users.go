package emulator

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// PrimaryUserEmail is the email address of the account's primary user, who is in no team until invited to one.
const PrimaryUserEmail = "owner@example.com"

// defaultMaxUsers is the most users that an account has unless WithMaxUsers says otherwise. The contract names none.
const defaultMaxUsers = 10

// WithMaxUsers sets how many users the account may have, the primary user included.
func WithMaxUsers(users int) Option { return func(s *settings) { s.maxUsers = max(users, 1) } }

// user is a user of the account, who may be a member of any number of teams.
type user struct {
	id        int64
	fullName  string
	email     string
	role      *adminapi.TeamRole
	createdAt time.Time
	// pending is true until the user accepts to join the account. A user who is in the account already joins further
	// teams at once.
	pending bool
	primary bool
}

// status is the user's status as a member. The contract names only the pending one.
func (u *user) status() string {
	if u.pending {
		return "pending"
	}
	return "active"
}

// record is the user as a team shows its members.
func (u *user) record() adminapi.TeamUser {
	return adminapi.TeamUser{
		ID:        u.id,
		FullName:  u.fullName,
		Email:     u.email,
		Role:      u.role,
		CreatedAt: u.createdAt,
		Status:    u.status(),
		PhotoURL:  fmt.Sprintf("https://images.%s/users/%d.png", host, u.id),
	}
}

// invite is the user as a team shows its pending invitations.
func (u *user) invite() adminapi.TeamInvite {
	return adminapi.TeamInvite{
		ID:        &u.id,
		FullName:  &u.fullName,
		Email:     &u.email,
		Role:      u.role,
		Status:    new(u.status()),
		CreatedAt: &u.createdAt,
	}
}

// byEmail finds a user of the account. Addresses that differ only in case are one.
func (t *teamState) byEmail(email string) (*user, bool) {
	at := slices.IndexFunc(t.users, func(u *user) bool { return strings.EqualFold(u.email, email) })
	if at < 0 {
		return nil, false
	}
	return t.users[at], true
}

// member finds a member of the team.
func (t *team) member(id int64) (*user, error) {
	at := slices.IndexFunc(t.members, func(u *user) bool { return u.id == id })
	if at < 0 {
		return nil, notFound("user not found in the team")
	}
	return t.members[at], nil
}

// remove takes a user out of the team.
func (t *team) remove(gone *user) {
	t.members = slices.DeleteFunc(t.members, func(other *user) bool { return other == gone })
}

// destroy deletes a user from the account, and so from every team.
func (t *teamState) destroy(gone *user) {
	for _, team := range t.all {
		team.remove(gone)
	}
	t.users = slices.DeleteFunc(t.users, func(other *user) bool { return other == gone })
}

// AcceptInvitation does what an invited user does with the link in the invitation: the user is pending no more, in any
// team. No operation of the service does this. The error says that there is no such user, or nothing to accept.
func (e *Emulator) AcceptInvitation(userID int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, user := range e.state.teams.users {
		if user.id != userID {
			continue
		}
		if !user.pending {
			return fmt.Errorf("emulator: user %d has no pending invitation", userID)
		}
		user.pending = false
		return nil
	}
	return fmt.Errorf("emulator: no user %d", userID)
}
