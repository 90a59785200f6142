package acceptance

import (
	"fmt"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// holds reads an endpoint and reports whether it is as it should be.
func (p *endpointPlayer) holds(id string, as func(*admin.SingleEndpoint) bool) func() (bool, error) {
	return func() (bool, error) {
		record, err := p.client.Endpoints.Get(p.t.Context(), id)
		return err == nil && as(record), err
	}
}

func (p *endpointPlayer) label(model *endpointModel) {
	p.serial++
	label := fmt.Sprintf("%s-%d", p.name, p.serial)
	p.set("updateEndpoint", func() error {
		return p.client.Endpoints.Update(p.t.Context(), model.id, admin.UpdateEndpointRequest{Label: &label})
	}, p.holds(model.id, func(record *admin.SingleEndpoint) bool { return valueOf(record.Label) == label }))
	model.label = label
}

func (p *endpointPlayer) anyStatus() admin.EndpointStatus {
	return []admin.EndpointStatus{admin.EndpointStatusActive, admin.EndpointStatusPaused}[p.IntN(2)]
}

func (p *endpointPlayer) status(model *endpointModel) {
	status := p.anyStatus()
	p.set("setEndpointStatus", func() error {
		return p.client.Endpoints.SetStatus(p.t.Context(), model.id, status)
	}, p.holds(model.id, func(record *admin.SingleEndpoint) bool { return valueOf(record.Status) == status }))
	model.status = status
}

func (p *endpointPlayer) multichain(model *endpointModel) {
	on := p.IntN(2) == 0
	p.set("enableMultichain", func() error {
		if on {
			return p.client.Endpoints.EnableMultichain(p.t.Context(), model.id)
		}
		return p.client.Endpoints.DisableMultichain(p.t.Context(), model.id)
	}, p.holds(model.id, func(record *admin.SingleEndpoint) bool { return record.IsMultichain == on }))
	model.multichain = on
}

// ids are those of all endpoints of the player.
func (p *endpointPlayer) ids() (ids []string) {
	for _, model := range p.models {
		ids = append(ids, model.id)
	}
	return ids
}

func (p *endpointPlayer) bulkStatus(*endpointModel) {
	status, ids := p.anyStatus(), p.ids()
	p.set("bulkSetEndpointStatus", func() error {
		outcome, err := p.client.Endpoints.BulkSetStatus(p.t.Context(), ids, status)
		return p.judgeBulk(ids, outcome, err)
	}, nil)
	for _, model := range p.models {
		model.status = status
	}
}

// judgeBulk holds the outcome of a bulk operation on endpoints that exist against what it must be.
func (p *endpointPlayer) judgeBulk(ids []string, outcome *rpcfleet.BulkOutcome, err error) error {
	if err != nil {
		p.same("unconfirmed ids", ids, outcome.Unconfirmed)
		return err
	}
	p.same("failed ids", 0, len(outcome.Failed()))
	p.same("ids in a report", len(ids), len(outcome.Results)+len(outcome.Unreported))
	return nil
}
