package acceptance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// sharedTags are labels that all players use, and that nobody renames or deletes.
var sharedTags = []string{"shared-a", "shared-b"}

// anyTag is the label of a tag: one of the player's own, old or new, or one that is shared.
func (p *endpointPlayer) anyTag() string {
	switch p.IntN(3) {
	case 0:
		return sharedTags[p.IntN(len(sharedTags))]
	case 1:
		if label, some := pick(p.Rand, p.tags); some {
			return label
		}
	}
	p.serial++
	return fmt.Sprintf("%s-%d", p.name, p.serial)
}

// addTag adds a tag, and looks for the id that it has.
func (p *endpointPlayer) addTag(model *endpointModel) {
	label := p.anyTag()
	p.create("addEndpointTag", func() (string, error) {
		return label, p.client.Endpoints.AddTag(p.t.Context(), model.id, label)
	}, func() (found, error) { return p.findTag(model.id, label) })
	var there found
	p.insist("getEndpoint", func() (err error) { there, err = p.findTag(model.id, label); return err })
	if there.outcome != rpcfleet.LookupNotFound {
		p.tagged(model, label, there)
	}
}

func (p *endpointPlayer) findTag(id, label string) (found, error) {
	lookup, err := p.client.Endpoints.FindAddedTag(p.t.Context(), id, label)
	return lookedUp(lookup, err, nil)
}

// tagged notes that an endpoint has a tag.
func (p *endpointPlayer) tagged(model *endpointModel, label string, tag found) {
	p.same("tags of one label", 1, len(tag.ids))
	model.tags[label] = true
	if !strings.HasPrefix(label, "shared") {
		var id int64
		_, _ = fmt.Sscan(tag.ids[0], &id)
		p.tags[label] = id
	}
}

// removeTag takes a tag off, whichever the endpoint has.
func (p *endpointPlayer) removeTag(model *endpointModel) {
	label, some := pick(p.Rand, model.tags)
	if !some {
		return
	}
	var there found
	p.insist("getEndpoint", func() (err error) { there, err = p.findTag(model.id, label); return err })
	p.same("tags of one label", 1, len(there.ids))
	var id int64
	_, _ = fmt.Sscan(strings.Join(there.ids, ""), &id)
	p.remove("removeEndpointTag", func() error { return p.client.Endpoints.RemoveTag(p.t.Context(), model.id, id) })
	delete(model.tags, label)
}

// bulkTag puts a tag on all endpoints. Where the outcome is open, a listing of those with the tag tells.
func (p *endpointPlayer) bulkTag(*endpointModel) {
	p.serial++
	label, ids := fmt.Sprintf("%s-%d", p.name, p.serial), p.ids()
	outcome, err := p.client.Endpoints.BulkAddTag(p.t.Context(), ids, label)
	_ = p.judgeBulk(ids, outcome, err)
	switch {
	case p.came("bulkAddEndpointTag", err):
	case errors.Is(err, rpcfleet.ErrMaybeCarriedOut):
		var tagged []string
		p.insist("listEndpoints", func() (err error) { tagged, err = p.withTag(label); return err })
		p.tally.resolve(fmt.Sprintf("bulkAddEndpointTag, listed: found %t", len(tagged) > 0))
		if len(tagged) == 0 {
			return
		}
		p.same("endpoints with the tag", slices.Sorted(slices.Values(ids)), tagged)
	default:
		return
	}
	for _, model := range p.models {
		model.tags[label] = true
	}
	var there found
	p.insist("getEndpoint", func() (err error) { there, err = p.findTag(ids[0], label); return err })
	p.tagged(p.models[0], label, there)
}

// withTag lists the ids of the endpoints that have a tag.
func (p *endpointPlayer) withTag(label string) (ids []string, err error) {
	for endpoint, err := range p.client.Endpoints.All(p.t.Context(), admin.ListEndpointsParams{TagLabels: []string{label}}) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, endpoint.ID)
	}
	slices.Sort(ids)
	return ids, nil
}

// bulkUntag takes one of the player's tags off all endpoints.
func (p *endpointPlayer) bulkUntag(*endpointModel) {
	label, some := pick(p.Rand, p.tags)
	if !some {
		return
	}
	ids := p.ids()
	p.set("bulkRemoveEndpointTag", func() error {
		outcome, err := p.client.Endpoints.BulkRemoveTag(p.t.Context(), ids, p.tags[label])
		return p.judgeBulk(ids, outcome, err)
	}, nil)
	for _, model := range p.models {
		delete(model.tags, label)
	}
}
