package acceptance

import (
	"fmt"
	"slices"
	"sync"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// soakNetwork is a network on which only the players that share it create endpoints, one at a time: a new endpoint on
// it that nobody knows is that of the one whose turn it is.
type soakNetwork struct {
	chain, network string
	creating       sync.Mutex
	known          []string
}

// create creates an endpoint on the network, and returns its id, or an empty text where it came to nothing.
func (n *soakNetwork) create(w *soaker) string {
	n.creating.Lock()
	defer n.creating.Unlock()
	ctx, request := w.t.Context(), admin.CreateEndpointRequest{Chain: n.chain, Network: n.network}
	id := w.create("createEndpoint", func() (string, error) {
		created, err := w.client.Endpoints.Create(ctx, request)
		if err != nil {
			return "", err
		}
		return created.ID, nil
	}, func() (found, error) {
		lookup, err := w.client.Endpoints.FindCreated(ctx, request, rpcfleet.WithPageSize(250))
		return lookedUp(lookup, err, n.known)
	})
	if id != "" {
		n.known = append(n.known, id)
	}
	return id
}

// maxEndpoints is how many endpoints a player has at a time.
const maxEndpoints = 4

// endpointPlayer creates, changes and archives endpoints of its own.
type endpointPlayer struct {
	*soaker
	network *soakNetwork
	models  []*endpointModel
	// archived are the ids of the endpoints that are no more.
	archived []string
	// tags are the ids of the account's tags that are this player's, by label.
	tags map[string]int64
}

func newEndpointPlayer(w *soaker, network *soakNetwork) *endpointPlayer {
	return &endpointPlayer{soaker: w, network: network, tags: map[string]int64{}}
}

// play does one thing to one of the endpoints.
func (p *endpointPlayer) play() {
	if len(p.models) == 0 || len(p.models) < maxEndpoints && p.IntN(10) == 0 {
		if id := p.network.create(p.soaker); id != "" {
			p.adopt(id)
		}
		return
	}
	model := p.models[p.IntN(len(p.models))]
	moves := []func(*endpointModel){
		p.read, p.read, p.read, p.readPlainly, p.list, p.label, p.status, p.multichain, p.addTag, p.addTag, p.removeTag, p.bulkStatus, p.bulkTag,
		p.bulkUntag, p.renameTag, p.deleteTag, p.listTags, p.guard, p.guard, p.guard, p.unguard, p.unguard, p.changeFilter,
		p.readSecurity, p.options, p.ipHeader, p.limits, p.removeLimit, p.readLimits, p.methodLimit, p.changeMethodLimit,
		p.removeMethodLimit, p.readMethodLimits,
	}
	if p.IntN(60) == 0 {
		p.archive(model)
		return
	}
	moves[p.IntN(len(moves))](model)
}

// adopt begins the model of a new endpoint. Its token is all that it has yet.
func (p *endpointPlayer) adopt(id string) {
	model := newEndpointModel(id, p.network)
	p.insist("getEndpoint", func() error {
		record, err := p.client.Endpoints.Get(p.t.Context(), id)
		if err == nil {
			for _, token := range record.Security.Tokens {
				model.guards["token"][*token.ID] = "a token"
			}
			p.same("tokens of a new endpoint", 1, len(record.Security.Tokens))
		}
		return err
	})
	p.models = append(p.models, model)
}

func (p *endpointPlayer) archive(model *endpointModel) {
	p.remove("archiveEndpoint", func() error { return p.client.Endpoints.Archive(p.t.Context(), model.id) })
	p.archived = append(p.archived, model.id)
	p.models = slices.DeleteFunc(p.models, func(other *endpointModel) bool { return other == model })
}

func (p *endpointPlayer) read(model *endpointModel) {
	ctx, cancel := p.hurried()
	defer cancel()
	record, err := p.client.Endpoints.Get(ctx, model.id)
	if p.came("getEndpoint", err) {
		p.same("endpoint", model.view(), viewOf(record))
	}
}

// readPlainly reads the endpoint, and its addresses, by a call that is put together by hand.
func (p *endpointPlayer) readPlainly(model *endpointModel) {
	request := rpcfleet.Request{Method: "GET", Path: "/v0/endpoints/{id}", PathParams: map[string]string{"id": model.id}}
	record, err := rpcfleet.Do[admin.SingleEndpoint](p.t.Context(), p.client, request)
	if !p.came("getEndpoint", err) {
		return
	}
	p.same("endpoint", model.view(), viewOf(&record))
	addresses, err := p.client.Endpoints.URLs(p.t.Context(), model.id)
	if p.came("getEndpointURLs", err) {
		p.same("address", record.HTTPURL.Reveal(), addresses.HTTPURL.Reveal())
	}
}

// list finds the endpoint in a listing.
func (p *endpointPlayer) list(model *endpointModel) {
	params := admin.ListEndpointsParams{Networks: []string{model.network}, Statuses: []admin.EndpointStatus{model.status}}
	var seen []string
	for endpoint, err := range p.client.Endpoints.All(p.t.Context(), params) {
		if !p.came("listEndpoints", err) {
			return
		}
		if endpoint.ID == model.id {
			seen = append(seen, fmt.Sprint(valueOf(endpoint.Label), endpoint.Status, endpoint.IsMultichain))
		}
	}
	// Others archive endpoints of this network meanwhile, which can hide one behind the border of two pages.
	if len(seen) > 0 {
		p.same("endpoint in a listing", fmt.Sprint(model.label, model.status, model.multichain), seen[0])
	}
}

// valueOf is what a pointer points to, or zero.
func valueOf[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}
