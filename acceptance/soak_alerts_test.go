package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/alerts"
	"github.com/rpcfleet/rpcfleet-go/scalar"
)

// soakDeleting is held by who deletes from the lists of the alerts area, and shared by who looks something up there:
// the service tells no total, so that a deletion meanwhile can hide what is looked for behind the border of two pages.
type soakDeleting struct{ sync.RWMutex }

// lookedUpWhole is lookedUp of a listing from which nobody deletes meanwhile.
func lookedUpWhole[T any](deleting *soakDeleting, look func() (rpcfleet.Lookup[T], error), known []string) (found, error) {
	deleting.RLock()
	defer deleting.RUnlock()
	lookup, err := look()
	return lookedUp(lookup, err, known)
}

// destinationOf creates a destination, and returns its id.
func (w *soaker) destinationOf(deleting *soakDeleting, name, url string, known []string) string {
	request := alerts.CreateDestinationRequest{
		Name: name, ToURL: scalar.NewSecretURL(url), WebhookType: alerts.WebhookTypePOST,
		Service: alerts.DestinationServiceWebhook, PayloadType: alerts.PayloadTypeLayout5,
	}
	return w.create("createDestination", func() (string, error) {
		created, err := w.client.Destinations.Create(w.t.Context(), request)
		return idOf(created, err, func(d *alerts.Destination) *string { return &d.ID })
	}, func() (found, error) {
		return lookedUpWhole(deleting, func() (rpcfleet.Lookup[alerts.Destination], error) {
			return w.client.Destinations.FindCreated(w.t.Context(), request)
		}, known)
	})
}

// notificationOf creates a notification, and returns its id.
func (w *soaker) notificationOf(deleting *soakDeleting, model *notificationModel, known []string) string {
	request := alerts.CreateNotificationRequest{
		Name: model.name, Expression: model.expression, Network: alerts.AlertNetworkEthereumMainnet, DestinationIDs: model.destinations,
	}
	return w.create("createNotification", func() (string, error) {
		created, err := w.client.Notifications.Create(w.t.Context(), request)
		return idOf(created, err, func(n *alerts.Notification) *string { return &n.ID })
	}, func() (found, error) {
		return lookedUpWhole(deleting, func() (rpcfleet.Lookup[alerts.Notification], error) {
			return w.client.Notifications.FindCreated(w.t.Context(), request)
		}, known)
	})
}

// alertPlayer creates, changes and deletes destinations and notifications of its own.
type alertPlayer struct {
	*soaker
	deleting *soakDeleting
	// destinations are the names of the destinations by id.
	destinations  map[string]string
	notifications []*notificationModel
}

// maxAlerts is how many destinations and notifications a player has at a time.
const maxAlerts = 4

func (p *alertPlayer) play() {
	moves := []func(){
		p.addDestination, p.readDestination, p.deleteDestination, p.addNotification, p.readNotification, p.readNotification,
		p.updateNotification, p.switchNotification, p.deleteNotification, p.list, p.tryExpression,
	}
	moves[p.IntN(len(moves))]()
}

// addDestination creates a destination, now and then one of a name that is taken.
func (p *alertPlayer) addDestination() {
	if len(p.destinations) >= maxAlerts {
		return
	}
	name := fmt.Sprintf("%s-%d", p.name, p.IntN(3))
	if id := p.destinationOf(p.deleting, name, hookOf(name), slices.Collect(maps.Keys(p.destinations))); id != "" {
		p.destinations[id] = name
	}
}

func (p *alertPlayer) readDestination() {
	id, some := pick(p.Rand, p.destinations)
	if !some {
		return
	}
	record, err := p.client.Destinations.Get(p.t.Context(), id)
	if p.came("getDestination", err) {
		want := []string{id, p.destinations[id], hookOf(p.destinations[id])}
		p.same("destination", want, []string{record.ID, record.Name, record.To.Reveal()})
	}
}

// hookOf is the address of a destination. Nothing is delivered there.
func hookOf(name string) string { return "https://hooks.example/" + name }

// deleteDestination deletes a destination. The notifications that deliver to it no longer do.
func (p *alertPlayer) deleteDestination() {
	id, some := pick(p.Rand, p.destinations)
	if !some {
		return
	}
	p.deleting.Lock()
	defer p.deleting.Unlock()
	p.remove("deleteDestination", func() error { return p.client.Destinations.Delete(p.t.Context(), id) })
	delete(p.destinations, id)
	for _, model := range p.notifications {
		model.destinations = slices.DeleteFunc(model.destinations, func(other string) bool { return other == id })
	}
}
