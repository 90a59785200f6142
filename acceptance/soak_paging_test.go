package acceptance

import (
	"slices"
	"time"

	"github.com/rpcfleet/rpcfleet-go"
	"github.com/rpcfleet/rpcfleet-go/admin"
)

// growPlayer creates endpoints on a network of which nobody archives any.
type growPlayer struct {
	*soaker
	network *soakNetwork
}

// maxGrown is how many endpoints there get to be.
const maxGrown = 60

func (p *growPlayer) play() {
	if len(p.network.known) < maxGrown {
		p.network.create(p.soaker)
	}
	time.Sleep(20 * time.Millisecond)
}

func (p *growPlayer) owns() soakCounts { return soakCounts{"endpoints": len(p.network.known)} }

func (p *growPlayer) verify(state *soakState) {
	p.same("endpoints that were only created", len(p.network.known), len(state.snapshot.created[p.network.network]))
}

// pagePlayer pages through the endpoints of the network that grows meanwhile.
type pagePlayer struct {
	*soaker
	network *soakNetwork
}

func (p *pagePlayer) play() {
	p.network.creating.Lock()
	known := slices.Clone(p.network.known)
	p.network.creating.Unlock()
	newestFirst := p.IntN(3) == 0
	params := admin.ListEndpointsParams{Networks: []string{p.network.network}, Limit: new(3 + p.IntN(30))}
	if newestFirst {
		params.SortDirection = new(admin.SortDirectionDesc)
	}
	var ids []string
	whole := true
	for endpoint, err := range p.client.Endpoints.All(p.t.Context(), params, rpcfleet.WithPrefetch(p.IntN(4))) {
		if !p.came("listEndpoints", err) {
			whole = false
			break
		}
		ids = append(ids, endpoint.ID)
	}
	p.judge(known, ids, newestFirst, whole)
	time.Sleep(5 * time.Millisecond)
}

// judge holds what came against what was there when the listing began. What is created while the oldest come first
// stands behind them, so that each comes once and in its place. While the newest come first it stands before them, and
// moves what has come already to the pages that follow: each comes at least once.
func (p *pagePlayer) judge(known, ids []string, newestFirst, whole bool) {
	if newestFirst {
		missing := slices.DeleteFunc(slices.Clone(known), func(id string) bool { return slices.Contains(ids, id) })
		if whole {
			p.same("endpoints that a listing has left out", 0, len(missing))
		}
		return
	}
	n := min(len(known), len(ids))
	p.sameList("endpoints of a listing that grows", known[:n], ids[:n])
	p.same("different endpoints of a listing that grows", len(ids), len(slices.Compact(slices.Sorted(slices.Values(ids)))))
	if whole {
		p.same("length of a listing that grows", true, len(ids) >= len(known))
	}
}

func (p *pagePlayer) verify(*soakState) {}
