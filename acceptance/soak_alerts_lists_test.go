package acceptance

import (
	"iter"
	"slices"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// list finds what is the player's in the lists of the account, while others change theirs: each once. What a deletion
// meanwhile has hidden may be missing, unless nobody deletes.
func (p *alertPlayer) list() {
	whole := p.IntN(2) == 0
	if whole {
		p.deleting.RLock()
		defer p.deleting.RUnlock()
	}
	size := rpcfleet.WithPageSize([]int{3, 10, 250}[p.IntN(3)])
	if p.IntN(2) == 0 {
		compare(p, "destinations in a list", whole, p.destinations,
			p.client.Destinations.All(p.t.Context(), alerts.ListDestinationsParams{}, size),
			func(d alerts.Destination) (string, string) { return d.ID, d.Name })
		return
	}
	views := map[string]string{}
	for _, model := range p.notifications {
		views[model.id] = model.view()
	}
	compare(p, "notifications in a list", whole, views,
		p.client.Notifications.All(p.t.Context(), alerts.ListNotificationsParams{}, size),
		func(n alerts.Notification) (string, string) { return n.ID, notificationView(n) })
}

// compare reads a listing and holds what is the player's in it against the model.
func compare[T any](p *alertPlayer, what string, whole bool, want map[string]string, listing iter.Seq2[T, error], view func(T) (id, text string)) {
	got, times := map[string]string{}, map[string]int{}
	for item, err := range listing {
		if !p.came(what, err) {
			return
		}
		id, text := view(item)
		if times[id]++; times[id] > 1 {
			p.tally.mismatch("%s: %s: %s comes %d times", p.name, what, id, times[id])
		}
		if _, own := want[id]; own {
			got[id] = text
		}
	}
	if !whole {
		expected := map[string]string{}
		for id := range got {
			expected[id] = want[id]
		}
		want = expected
	}
	p.same(what, want, got)
}

// verify compares destinations and notifications.
func (p *alertPlayer) verify(state *soakState) {
	destinations := map[string]string{}
	for _, d := range state.destinations {
		if belongs(p.name, d.Name) {
			destinations[d.ID] = d.Name
		}
	}
	p.same("destinations in the end", p.destinations, destinations)
	var want, got []string
	for _, model := range p.notifications {
		want = append(want, model.view())
	}
	for _, n := range state.notifications {
		if belongs(p.name, n.Name) {
			got = append(got, notificationView(n))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	p.sameList("notifications in the end", want, got)
}

func (p *alertPlayer) owns() soakCounts {
	return soakCounts{"destinations": len(p.destinations), "notifications": len(p.notifications)}
}
