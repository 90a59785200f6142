package acceptance

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// spot is the client of a call, its options, and the id of the object around the thing: an endpoint, or the network of
// endpoints.
type spot struct {
	ctx context.Context
	*rpcfleet.Client
	in   string
	opts []rpcfleet.CallOption
}

// thing is a kind of object that players create, change and remove. Its values identify objects in the model.
type thing struct {
	name   string
	create func(q spot, value string) (id string, err error)
	find   func(q spot, value string) (ids []string, err error)
	set    func(q spot, id, value string) error // nil if values cannot change.
	remove func(q spot, id string) error
	list   func(q spot) (records any, err error)
	// id and label are the fields of a record of the list with its id and its value.
	id, label string
	// shared is a list of all players' objects. Its lock is write-locked for deletions and read-locked for lookups:
	// a deletion can move an item across the border of two pages of a listing without a total.
	shared          *sync.RWMutex
	unique, unnamed bool // No two objects have the same value, or new ones have none.
}

// found returns the ids of a lookup.
func found[T any](lookup rpcfleet.Lookup[T], err error) ([]string, error) { return lookup.IDs(), err }

// idOf returns the id of a record, if the call succeeded and the record has one.
func idOf[T any](record *T, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return fieldOf(reflect.ValueOf(record).Elem(), "ID"), nil
}

// fieldOf returns a field of a record as text, empty for nil.
func fieldOf(record reflect.Value, name string) string {
	value := reflect.Indirect(record.FieldByName(name))
	if !value.IsValid() {
		return ""
	}
	return fmt.Sprint(value.Interface())
}

// values returns the values of all things by id. A duplicate is marked.
func (th thing) values(q spot) (map[string]string, error) {
	records, err := th.list(q)
	if err != nil {
		return nil, err
	}
	values, list := map[string]string{}, reflect.ValueOf(records)
	for i := range list.Len() {
		record := reflect.ValueOf(list.Index(i).Interface()) // The listings of all have items of any type.
		id, value := fieldOf(record, th.id), fieldOf(record, th.label)
		if _, duplicate := values[id]; duplicate {
			value += " duplicate"
		}
		values[id] = value
	}
	return values, nil
}

func number(id string) int64 {
	n, _ := strconv.ParseInt(id, 10, 64)
	return n
}

// The things.
var (
	soakEndpoint = thing{
		name: "endpoint", id: "ID", label: "Label", unique: true, unnamed: true,
		create: func(q spot, _ string) (string, error) { return idOf(q.Endpoints.Create(q.ctx, endpointOn(q.in))) },
		find: func(q spot, _ string) ([]string, error) {
			return found(q.Endpoints.FindCreated(q.ctx, endpointOn(q.in), rpcfleet.WithPageSize(250)))
		},
		set: func(q spot, id, value string) error {
			return q.Endpoints.Update(q.ctx, id, admin.UpdateEndpointRequest{Label: &value})
		},
		remove: func(q spot, id string) error { return q.Endpoints.Archive(q.ctx, id) },
		list: func(q spot) (any, error) {
			return all(q.Endpoints.All(q.ctx, admin.ListEndpointsParams{Networks: strings.Fields(q.in)}))
		},
	}
	soakTag = thing{
		name: "tag", id: "TagID", label: "Label", unique: true,
		create: func(q spot, value string) (string, error) { return "", q.Endpoints.AddTag(q.ctx, q.in, value) },
		find: func(q spot, value string) ([]string, error) {
			return found(q.Endpoints.FindAddedTag(q.ctx, q.in, value))
		},
		set:    func(q spot, id, value string) error { return second(q.Tags.Rename(q.ctx, number(id), value)) },
		remove: func(q spot, id string) error { return q.Endpoints.RemoveTag(q.ctx, q.in, number(id)) },
		list: func(q spot) (any, error) {
			record, err := q.Endpoints.Get(q.ctx, q.in)
			if err != nil {
				return nil, err
			}
			return record.Tags, nil
		},
	}
	soakTeam = thing{
		name: "team", id: "ID", label: "Name", shared: new(sync.RWMutex),
		create: func(q spot, value string) (string, error) { return idOf(q.Teams.Create(q.ctx, value)) },
		find:   func(q spot, value string) ([]string, error) { return found(q.Teams.FindCreated(q.ctx, value)) },
		remove: func(q spot, id string) error { return q.Teams.Delete(q.ctx, number(id)) },
		list:   func(q spot) (any, error) { return got(q.Teams.List(q.ctx)) },
	}
	soakNotification = thing{
		name: "notification", id: "ID", label: "Name", shared: new(sync.RWMutex),
		create: func(q spot, value string) (string, error) {
			return idOf(q.Notifications.Create(q.ctx, notificationOn(value)))
		},
		find: func(q spot, value string) ([]string, error) {
			return found(q.Notifications.FindCreated(q.ctx, notificationOn(value)))
		},
		set: func(q spot, id, value string) error {
			return second(q.Notifications.Update(q.ctx, id, alerts.UpdateNotificationRequest{Name: &value}))
		},
		remove: func(q spot, id string) error { return q.Notifications.Delete(q.ctx, id) },
		list: func(q spot) (any, error) {
			return all(q.Notifications.All(q.ctx, alerts.ListNotificationsParams{}))
		},
	}
)

// endpointOn returns the request for an endpoint on a network, by a slug that begins with its chain's.
func endpointOn(network string) admin.CreateEndpointRequest {
	chain, _, _ := strings.Cut(network, "-")
	return admin.CreateEndpointRequest{Chain: chain, Network: network}
}

func notificationOn(name string) alerts.CreateNotificationRequest {
	return alerts.CreateNotificationRequest{
		Name: name, Expression: everyBlock, Network: alerts.AlertNetworkEthereumMainnet, DestinationIDs: []string{},
	}
}

// joinThings adds the players of things. Each has an endpoint to itself, if its things are part of an endpoint.
func (run *soak) joinThings() {
	for _, network := range []string{"ethereum-mainnet", "ethereum-hoodi", "polygon-mainnet", "polygon-amoy",
		"base-mainnet", "base-sepolia"} {
		run.joinThing(soakEndpoint, network)
	}
	for range 3 {
		endpoint, err := run.clean.Endpoints.Create(run.t.Context(), endpointOn("gnosis-mainnet"))
		require.NoError(run.t, err)
		run.fixed = append(run.fixed, endpoint.ID)
		run.joinThing(soakTag, endpoint.ID)
	}
	for range 4 {
		run.joinThing(soakTeam, "")
		run.joinThing(soakNotification, "")
	}
}

func (run *soak) joinThing(thing thing, in string) {
	run.join(thing.name, func(w *soaker) soakPlayer {
		return &thingPlayer{soaker: w, thing: thing, in: in, model: map[string]string{}}
	})
}

// thingPlayer creates, changes and removes things of one kind.
type thingPlayer struct {
	*soaker
	thing
	in    string
	model map[string]string // Values by id.
}

func (p *thingPlayer) at(client *rpcfleet.Client) spot { return spot{p.t.Context(), client, p.in, nil} }

func (p *thingPlayer) play() {
	var id string
	if ids := slices.Sorted(maps.Keys(p.model)); len(ids) > 0 {
		id = ids[p.IntN(len(ids))]
	}
	switch move := p.IntN(6); {
	case id == "" || move < 2 && len(p.model) < 4:
		p.add(p.model[id])
	case move == 2 && p.thing.set != nil:
		value := p.nextName()
		p.insist("changing "+p.thing.name, false, func() error { return p.thing.set(p.at(p.client), id, value) })
		p.model[id] = value
	case move == 3:
		if p.shared != nil {
			p.shared.Lock()
			defer p.shared.Unlock()
		}
		p.insist("removing "+p.thing.name, true, func() error { return p.thing.remove(p.at(p.client), id) })
		delete(p.model, id)
	default:
		p.compare(p.client)
	}
}

// add creates a thing, sometimes with the value of another one.
func (p *thingPlayer) add(other string) {
	value := p.nextName()
	switch {
	case p.unnamed:
		value = ""
	case !p.unique && other != "" && p.IntN(5) == 0:
		value = other
	}
	id := p.soaker.create(p.thing.name, func() (string, error) {
		return p.thing.create(p.at(p.client), value)
	}, func() ([]string, error) {
		if p.shared != nil {
			p.shared.RLock()
			defer p.shared.RUnlock()
		}
		ids, err := p.find(p.at(p.client), value)
		return slices.DeleteFunc(ids, func(id string) bool { _, known := p.model[id]; return known }), err
	})
	if id != "" {
		p.model[id] = value
	}
}

func (p *thingPlayer) verify() { p.compare(p.clean) }

// compare compares the player's part of the list with the model.
func (p *thingPlayer) compare(client *rpcfleet.Client) {
	if p.shared != nil {
		p.shared.RLock()
		defer p.shared.RUnlock()
	}
	list, err := p.thing.values(p.at(client))
	if p.shared != nil {
		maps.DeleteFunc(list, func(_, value string) bool { return !strings.HasPrefix(value, p.soaker.name+"-") })
	}
	if p.ok("listing "+p.thing.name, err) {
		p.same(p.thing.name, p.model, list)
	}
}

// verifyTotals looks for objects that no player owns.
func (run *soak) verifyTotals() {
	w := &soaker{soak: run, name: "totals"}
	owned := map[string]int{soakEndpoint.name: len(run.fixed)}
	for _, player := range run.players {
		if p, ok := player.(*thingPlayer); ok {
			owned[p.thing.name] += len(p.model)
		}
	}
	for _, kind := range []thing{soakEndpoint, soakTeam, soakNotification} {
		list, err := kind.values(spot{ctx: run.t.Context(), Client: run.clean})
		require.NoError(run.t, err)
		w.same("number of "+kind.name+"s", owned[kind.name], len(list))
	}
}
