package acceptance

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// soakState is what the emulator holds in the end, as a client reads it, and as a snapshot has it.
type soakState struct {
	endpoints     map[string]*admin.SingleEndpoint
	tags          []admin.Tag
	teams         []admin.Team
	destinations  []alerts.Destination
	notifications []alerts.Notification

	snapshot soakSnapshot
	// users are the addresses of the account's users by id, and teamEndpoints the ids of the endpoints of teams.
	users         map[int64]string
	teamEndpoints map[int64][]string
}

// soakSnapshot is what no listing tells.
type soakSnapshot struct {
	Endpoints []struct {
		Number   int64
		Network  string
		Archived bool
	}
	Tags []struct {
		ID    int64
		Label string
	}
	Users []struct {
		ID      int64
		Email   string
		Primary bool
	}
	Teams []struct {
		ID        int64
		Endpoints []string
	}

	// created are the ids of all endpoints that there have ever been, by network; archived those that are no more.
	created  map[string]map[string]bool
	archived map[string]bool
}

// state reads what the emulator holds.
func (run *soak) state() *soakState {
	t, ctx := run.t, run.t.Context()
	state := &soakState{
		endpoints: map[string]*admin.SingleEndpoint{}, users: map[int64]string{}, teamEndpoints: map[int64][]string{},
		snapshot: run.snapshot(),
	}
	for _, endpoint := range everyOf(t, run.clean.Endpoints.All(ctx, admin.ListEndpointsParams{})) {
		record, err := run.clean.Endpoints.Get(ctx, endpoint.ID)
		require.NoError(t, err)
		require.Nil(t, state.endpoints[endpoint.ID], "an endpoint comes twice")
		state.endpoints[endpoint.ID] = record
	}
	var err error
	state.tags, err = run.clean.Tags.List(ctx)
	require.NoError(t, err)
	state.teams, err = run.clean.Teams.List(ctx)
	require.NoError(t, err)
	state.destinations = everyOf(t, run.clean.Destinations.All(ctx, alerts.ListDestinationsParams{}))
	state.notifications = everyOf(t, run.clean.Notifications.All(ctx, alerts.ListNotificationsParams{}))
	for _, user := range state.snapshot.Users {
		state.users[user.ID] = user.Email
	}
	for _, team := range state.snapshot.Teams {
		state.teamEndpoints[team.ID] = team.Endpoints
	}
	return state
}

// snapshot reads the snapshot that the emulator saves.
func (run *soak) snapshot() (taken soakSnapshot) {
	file := filepath.Join(run.t.TempDir(), "snapshot.json")
	require.NoError(run.t, run.service.SaveSnapshot(file))
	text, err := os.ReadFile(file)
	require.NoError(run.t, err)
	require.NoError(run.t, json.Unmarshal(text, &taken))
	taken.created, taken.archived = map[string]map[string]bool{}, map[string]bool{}
	for _, endpoint := range taken.Endpoints {
		id := fmt.Sprint(endpoint.Number)
		if taken.created[endpoint.Network] == nil {
			taken.created[endpoint.Network] = map[string]bool{}
		}
		taken.created[endpoint.Network][id] = true
		taken.archived[id] = endpoint.Archived
	}
	return taken
}

// verifyTotals looks for what no player owns: what was doubled, or made by nobody.
func (state *soakState) verifyTotals(run *soak) {
	labels, expected := map[string]int{}, map[string]int{}
	for _, tag := range state.tags {
		labels[tag.Label]++
		expected[tag.Label] = 1
	}
	run.tally.same("tags of each label", expected, labels)
	owned := soakCounts{"endpoints": run.fixed}
	for _, player := range run.players {
		if owner, is := player.(interface{ owns() soakCounts }); is {
			for what, n := range owner.owns() {
				owned[what] += n
			}
		}
	}
	shared := 0
	for _, label := range sharedTags {
		shared += labels[label]
	}
	run.tally.same("all that there is", owned, soakCounts{
		"endpoints": len(state.endpoints), "tags": len(state.tags) - shared, "teams": len(state.teams),
		"users": len(state.users) - 1, "destinations": len(state.destinations), "notifications": len(state.notifications),
	})
}

// everyOf reads a listing to its end.
func everyOf[T any](t *testing.T, listing iter.Seq2[T, error]) (items []T) {
	for item, err := range listing {
		require.NoError(t, err)
		items = append(items, item)
	}
	return items
}
