package acceptance

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/alerts"
)

// thing is a kind of object that players create, change and remove. Its values identify objects in the model; `in` is
// the id of the object around it: an endpoint, a team, or the network of endpoints.
type thing struct {
	name   string
	value  func(player string, n int) string
	create func(ctx context.Context, c *rpcfleet.Client, in, value string) (id string, err error)
	find   func(ctx context.Context, c *rpcfleet.Client, in, value string) (ids []string, err error)
	set    func(ctx context.Context, c *rpcfleet.Client, in, id, value string) error // nil if values cannot change.
	remove func(ctx context.Context, c *rpcfleet.Client, in, id string) error
	list   func(ctx context.Context, c *rpcfleet.Client, in string) (values map[string]string, err error)
	// shared is a list of all players' objects. Its lock is write-locked for deletions and read-locked for lookups:
	// a deletion can move an item across the border of two pages of a listing without a total.
	shared *sync.RWMutex
	unique bool // No two objects have the same value.
}

// found returns the ids of a lookup.
func found[T any](lookup rpcfleet.Lookup[T], err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	return lookup.IDs(), nil
}

// idOf returns the id of a record, if the call succeeded and the record has one.
func idOf[T any](record *T, err error, id func(*T) *string) (string, error) {
	if err != nil {
		return "", err
	}
	return valueOf(id(record)), nil
}

// valuesOf returns the values of a list by id. A duplicate is marked.
func valuesOf[T any](list []T, err error, read func(T) (id *string, value string)) (map[string]string, error) {
	values := map[string]string{}
	for _, item := range list {
		id, value := read(item)
		if _, duplicate := values[valueOf(id)]; duplicate {
			value += " duplicate"
		}
		values[valueOf(id)] = value
	}
	return values, err
}

// collect reads a listing to its end.
func collect[T any](listing iter.Seq2[T, error]) (items []T, err error) {
	for item, err := range listing {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

func valueOf[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}

// text returns an id as a text.
func text(id *int64) *string {
	if id == nil {
		return nil
	}
	return new(strconv.FormatInt(*id, 10))
}

func number(id string) (n int64) {
	n, _ = strconv.ParseInt(id, 10, 64)
	return n
}

func named(player string, n int) string { return fmt.Sprintf("%s-%d", player, n) }

// The things.
var (
	soakEndpoint = thing{
		name: "endpoint", unique: true, value: func(string, int) string { return "" },
		create: func(ctx context.Context, c *rpcfleet.Client, in, _ string) (string, error) {
			record, err := c.Endpoints.Create(ctx, endpointOn(in))
			return idOf(record, err, func(e *admin.SingleEndpoint) *string { return &e.ID })
		},
		find: func(ctx context.Context, c *rpcfleet.Client, in, _ string) ([]string, error) {
			return found(c.Endpoints.FindCreated(ctx, endpointOn(in), rpcfleet.WithPageSize(250)))
		},
		set: func(ctx context.Context, c *rpcfleet.Client, _, id, value string) error {
			return c.Endpoints.Update(ctx, id, admin.UpdateEndpointRequest{Label: &value})
		},
		remove: func(ctx context.Context, c *rpcfleet.Client, _, id string) error { return c.Endpoints.Archive(ctx, id) },
		list: func(ctx context.Context, c *rpcfleet.Client, in string) (map[string]string, error) {
			list, err := collect(c.Endpoints.All(ctx, admin.ListEndpointsParams{Networks: networksIn(in)}))
			return valuesOf(list, err, func(e admin.Endpoint) (*string, string) { return &e.ID, valueOf(e.Label) })
		},
	}
	soakTag = thing{
		name: "tag", unique: true, value: named,
		create: func(ctx context.Context, c *rpcfleet.Client, in, value string) (string, error) {
			return "", c.Endpoints.AddTag(ctx, in, value)
		},
		find: func(ctx context.Context, c *rpcfleet.Client, in, value string) ([]string, error) {
			return found(c.Endpoints.FindAddedTag(ctx, in, value))
		},
		set: func(ctx context.Context, c *rpcfleet.Client, _, id, value string) error {
			_, err := c.Tags.Rename(ctx, number(id), value)
			return err
		},
		remove: func(ctx context.Context, c *rpcfleet.Client, in, id string) error {
			return c.Endpoints.RemoveTag(ctx, in, number(id))
		},
		list: func(ctx context.Context, c *rpcfleet.Client, in string) (map[string]string, error) {
			record, err := c.Endpoints.Get(ctx, in)
			if err != nil {
				return nil, err
			}
			return valuesOf(record.Tags, nil, func(tag admin.EndpointTag) (*string, string) {
				return text(tag.TagID), valueOf(tag.Label)
			})
		},
	}
	soakTeam = thing{
		name: "team", value: named, shared: new(sync.RWMutex),
		create: func(ctx context.Context, c *rpcfleet.Client, _, value string) (string, error) {
			record, err := c.Teams.Create(ctx, value)
			return idOf(record, err, func(t *admin.CreatedTeam) *string { return text(&t.ID) })
		},
		find: func(ctx context.Context, c *rpcfleet.Client, _, value string) ([]string, error) {
			return found(c.Teams.FindCreated(ctx, value))
		},
		remove: func(ctx context.Context, c *rpcfleet.Client, _, id string) error {
			return c.Teams.Delete(ctx, number(id))
		},
		list: func(ctx context.Context, c *rpcfleet.Client, _ string) (map[string]string, error) {
			list, err := c.Teams.List(ctx)
			return valuesOf(list, err, func(t admin.Team) (*string, string) { return text(&t.ID), t.Name })
		},
	}
	soakIP = thing{
		name: "ip", value: func(_ string, n int) string { return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255) },
		create: func(ctx context.Context, c *rpcfleet.Client, in, value string) (string, error) {
			record, err := c.Security.AddIP(ctx, in, value)
			return idOf(record, err, func(ip *admin.EndpointIP) *string { return ip.ID })
		},
		find: func(ctx context.Context, c *rpcfleet.Client, in, value string) ([]string, error) {
			return found(c.Security.FindAddedIP(ctx, in, value))
		},
		remove: func(ctx context.Context, c *rpcfleet.Client, in, id string) error {
			return c.Security.RemoveIP(ctx, in, id)
		},
		list: func(ctx context.Context, c *rpcfleet.Client, in string) (map[string]string, error) {
			record, err := c.Security.Get(ctx, in)
			if err != nil {
				return nil, err
			}
			return valuesOf(record.IPs, nil, func(ip admin.EndpointIP) (*string, string) { return ip.ID, valueOf(ip.IP) })
		},
	}
	soakNotification = thing{
		name: "notification", value: named, shared: new(sync.RWMutex),
		create: func(ctx context.Context, c *rpcfleet.Client, _, value string) (string, error) {
			record, err := c.Notifications.Create(ctx, notificationOn(value))
			return idOf(record, err, func(n *alerts.Notification) *string { return &n.ID })
		},
		find: func(ctx context.Context, c *rpcfleet.Client, _, value string) ([]string, error) {
			return found(c.Notifications.FindCreated(ctx, notificationOn(value)))
		},
		set: func(ctx context.Context, c *rpcfleet.Client, _, id, value string) error {
			_, err := c.Notifications.Update(ctx, id, alerts.UpdateNotificationRequest{Name: &value})
			return err
		},
		remove: func(ctx context.Context, c *rpcfleet.Client, _, id string) error {
			return c.Notifications.Delete(ctx, id)
		},
		list: func(ctx context.Context, c *rpcfleet.Client, _ string) (map[string]string, error) {
			list, err := collect(c.Notifications.All(ctx, alerts.ListNotificationsParams{}))
			return valuesOf(list, err, func(n alerts.Notification) (*string, string) { return &n.ID, n.Name })
		},
	}
)

// networksIn returns a filter for a network, or none.
func networksIn(network string) []string {
	if network == "" {
		return nil
	}
	return []string{network}
}

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
	networks := []string{"ethereum-mainnet", "ethereum-hoodi", "polygon-mainnet", "polygon-amoy", "base-mainnet",
		"base-sepolia"}
	for _, network := range networks {
		run.joinThing(soakEndpoint, network)
	}
	for _, thing := range []thing{soakIP, soakIP, soakTag, soakTag} {
		endpoint, err := run.clean.Endpoints.Create(run.t.Context(), endpointOn("gnosis-mainnet"))
		require.NoError(run.t, err)
		run.fixed = append(run.fixed, endpoint.ID)
		run.joinThing(thing, endpoint.ID)
	}
	for range 4 {
		run.joinThing(soakTeam, "")
		run.joinThing(soakNotification, "")
	}
}

func (run *soak) joinThing(thing thing, in string) {
	run.join(strings.ReplaceAll(thing.name, " ", "-"), func(w *soaker) soakPlayer {
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

// maxThings is the largest number of things of a player.
const maxThings = 4

func (p *thingPlayer) play() {
	ctx := p.t.Context()
	id, ok := pick(p.Rand, p.model)
	switch move := p.IntN(6); {
	case !ok || move < 2 && len(p.model) < maxThings:
		p.add(p.model[id])
	case move == 2 && p.thing.set != nil:
		p.serial++
		value := p.value(p.soaker.name, p.serial)
		if p.thing.name == soakEndpoint.name {
			value = named(p.soaker.name, p.serial)
		}
		p.insist("changing "+p.thing.name, func() error { return p.thing.set(ctx, p.client, p.in, id, value) })
		p.model[id] = value
	case move == 3:
		if p.shared != nil {
			p.shared.Lock()
			defer p.shared.Unlock()
		}
		p.soaker.remove("removing "+p.thing.name, func() error { return p.thing.remove(ctx, p.client, p.in, id) })
		delete(p.model, id)
	default:
		p.compare(p.client)
	}
}

// add creates a thing, sometimes with the value of another one.
func (p *thingPlayer) add(other string) {
	ctx := p.t.Context()
	p.serial++
	value := p.value(p.soaker.name, p.serial)
	if !p.unique && other != "" && p.IntN(5) == 0 {
		value = other
	}
	id := p.soaker.create(p.thing.name, func() (string, error) {
		return p.thing.create(ctx, p.client, p.in, value)
	}, func() ([]string, error) {
		if p.shared != nil {
			p.shared.RLock()
			defer p.shared.RUnlock()
		}
		ids, err := p.find(ctx, p.client, p.in, value)
		return slices.DeleteFunc(ids, func(id string) bool { _, known := p.model[id]; return known }), err
	})
	if id != "" {
		p.model[id] = value
	}
}

// compare compares the player's part of the list with the model.
func (p *thingPlayer) compare(client *rpcfleet.Client) {
	if p.shared != nil {
		p.shared.RLock()
		defer p.shared.RUnlock()
	}
	list, err := p.list(p.t.Context(), client, p.in)
	if !p.ok("listing "+p.thing.name, err) {
		return
	}
	if p.shared != nil {
		maps.DeleteFunc(list, func(_, value string) bool { return !strings.HasPrefix(value, p.soaker.name+"-") })
	}
	p.same(p.thing.name, p.model, list)
}

func (p *thingPlayer) verify() { p.compare(p.clean) }

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
		list, err := kind.list(run.t.Context(), run.clean, "")
		require.NoError(run.t, err)
		w.same("number of "+kind.name+"s", owned[kind.name], len(list))
	}
}
