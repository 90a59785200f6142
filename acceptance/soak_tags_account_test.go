package acceptance

import (
	"fmt"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/admin"
)

// renameTag gives one of the player's tags another label.
func (p *endpointPlayer) renameTag(*endpointModel) {
	label, some := pick(p.Rand, p.tags)
	if !some {
		return
	}
	p.serial++
	id, renamed := p.tags[label], fmt.Sprintf("%s-%d", p.name, p.serial)
	p.set("renameTag", func() error {
		tag, err := p.client.Tags.Rename(p.t.Context(), id, renamed)
		if err == nil {
			p.same("renamed tag", fmt.Sprint(id, renamed), fmt.Sprint(tag.ID, tag.Label))
		}
		return err
	}, nil)
	delete(p.tags, label)
	p.tags[renamed] = id
	for _, model := range p.models {
		if model.tags[label] {
			delete(model.tags, label)
			model.tags[renamed] = true
		}
	}
}

// deleteTag deletes one of the player's tags, if no endpoint has it.
func (p *endpointPlayer) deleteTag(*endpointModel) {
	label, some := pick(p.Rand, p.tags)
	if some && p.uses(label) == 0 {
		p.remove("deleteTag", func() error { return p.client.Tags.Delete(p.t.Context(), p.tags[label]) })
		delete(p.tags, label)
	}
}

func (p *endpointPlayer) uses(label string) (uses int64) {
	for _, model := range p.models {
		if model.tags[label] {
			uses++
		}
	}
	return uses
}

// listTags finds the player's tags among those of the account.
func (p *endpointPlayer) listTags(*endpointModel) {
	tags, err := p.client.Tags.List(p.t.Context())
	if p.came("listTags", err) {
		p.same("tags", p.tagsView(), p.tagsOf(tags))
	}
}

// tagsView are the player's tags, with how many of its endpoints have them.
func (p *endpointPlayer) tagsView() map[string]int64 {
	view := map[string]int64{}
	for label, id := range p.tags {
		view[fmt.Sprint(id, " ", label)] = p.uses(label)
	}
	return view
}

// tagsOf picks the player's tags out of those of the account.
func (p *endpointPlayer) tagsOf(tags []admin.Tag) map[string]int64 {
	view := map[string]int64{}
	for _, tag := range tags {
		if strings.HasPrefix(tag.Label, p.name+"-") {
			view[fmt.Sprint(tag.ID, " ", tag.Label)] = tag.UsageCount
		}
	}
	return view
}
