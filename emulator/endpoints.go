package emulator

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// endpoint is one endpoint of the account.
type endpoint struct {
	id string
	// number is the id as a number. Endpoints created later have larger ones.
	number int64
	// name is the subdomain.
	name string
	// label is nil until one is given.
	label      *string
	chain      *chain
	network    *network
	status     adminapi.EndpointStatus
	token      string
	createdAt  time.Time
	dedicated  bool
	flatRate   bool
	multichain bool
	archived   bool
	// tags are shared with the account's list, so that a tag renamed there is renamed here.
	tags []*tag

	security securityState
	limits   limitState
}

// addEndpoint creates an active endpoint.
func (s *state) addEndpoint(chain *chain, network *network) *endpoint {
	added := s.newEndpoint(chain, network)
	s.attach(added)
	return added
}

// attach makes an endpoint one of the account's.
func (s *state) attach(added *endpoint) {
	s.endpoints[added.id] = added
	s.order = append(s.order, added)
}

// newEndpoint makes an active endpoint that the account does not have yet.
func (s *state) newEndpoint(chain *chain, network *network) *endpoint {
	// Ids are numbers in text: the contract has them as text here and as numbers in the endpoints of a team.
	number := s.ids.number()
	added := &endpoint{
		id:        strconv.FormatInt(number, 10),
		number:    number,
		name:      s.ids.subdomain(number),
		chain:     chain,
		network:   network,
		status:    adminapi.EndpointStatusActive,
		token:     s.ids.token(),
		createdAt: s.now(),
	}
	added.security = newSecurity(s, added)
	added.limits = newLimits(s)
	return added
}

// host is where the addresses of endpoints point: a name that is reserved for examples, where nothing responds.
const host = "emulator.example"

// urlsOn returns the addresses of the endpoint on a network. The WebSocket address is nil where there is none.
func (e *endpoint) urlsOn(network *network) (http string, wss *string) {
	address := fmt.Sprintf("%s.%s.%s/%s/", e.name, network.slug, host, e.token)
	if !network.plainHTTP {
		wss = new("wss://" + address)
	}
	return "https://" + address, wss
}

// listed is the endpoint as a listing shows it.
func (e *endpoint) listed() adminapi.Endpoint {
	http, wss := e.urlsOn(e.network)
	return adminapi.Endpoint{
		ID:           e.id,
		Name:         e.name,
		Label:        e.label,
		Status:       e.status,
		Chain:        e.chain.slug,
		Network:      e.network.slug,
		IsDedicated:  e.dedicated,
		IsFlatRate:   e.flatRate,
		IsMultichain: e.multichain,
		HTTPURL:      http,
		WSSURL:       wss,
		Tags:         e.tagRecords(),
	}
}

// single is the endpoint as it is shown by itself.
func (e *endpoint) single() adminapi.SingleEndpoint {
	http, wss := e.urlsOn(e.network)
	return adminapi.SingleEndpoint{
		ID:           e.id,
		Label:        e.label,
		Status:       &e.status,
		Chain:        e.chain.slug,
		Network:      e.network.slug,
		IsMultichain: e.multichain,
		HTTPURL:      http,
		WSSURL:       wss,
		Security:     e.security.record(),
		RateLimits:   e.limits.record(),
		Tags:         e.tagRecords(),
	}
}

func (e *endpoint) tagRecords() []adminapi.EndpointTag {
	records := make([]adminapi.EndpointTag, 0, len(e.tags))
	for _, tag := range e.tags {
		records = append(records, adminapi.EndpointTag{TagID: new(tag.id), Label: new(tag.label)})
	}
	return records
}

// CreateEndpoint is POST /v0/endpoints.
func (h adminHandlers) CreateEndpoint(_ context.Context, r adminapi.CreateEndpointRequestObject) (adminapi.CreateEndpointResponseObject, error) {
	chain, network, err := findNetwork(r.Body.Chain, r.Body.Network)
	if err != nil {
		return nil, err
	}
	return adminapi.CreateEndpoint200JSONResponse{Data: h.state.addEndpoint(chain, network).single()}, nil
}

// findNetwork finds what an endpoint is to be created on.
func findNetwork(chainSlug, networkSlug string) (*chain, *network, error) {
	if chainSlug == "" {
		return nil, nil, badRequest("chain is required")
	}
	if networkSlug == "" {
		return nil, nil, badRequest("network is required")
	}
	chain, known := chainBySlug(chainSlug)
	if !known {
		return nil, nil, badRequest("chain is not on offer")
	}
	network, known := chain.network(networkSlug)
	if !known {
		return nil, nil, badRequest("network is not one of the chain")
	}
	return chain, network, nil
}

// GetEndpoint is GET /v0/endpoints/{id}.
func (h adminHandlers) GetEndpoint(_ context.Context, r adminapi.GetEndpointRequestObject) (adminapi.GetEndpointResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	return adminapi.GetEndpoint200JSONResponse{Data: endpoint.single()}, nil
}

// UpdateEndpoint is PATCH /v0/endpoints/{id}. A label that is left out stays as it is, and an empty one or null takes the
// label away; the contract states neither.
func (h adminHandlers) UpdateEndpoint(ctx context.Context, r adminapi.UpdateEndpointRequestObject) (adminapi.UpdateEndpointResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if r.Body == nil {
		return adminapi.UpdateEndpoint200JSONResponse(confirmed), nil
	}
	body, err := sent[map[string]any](ctx)
	if err != nil {
		return nil, err
	}
	if _, given := body["label"]; given {
		endpoint.label = r.Body.Label
	}
	if endpoint.label != nil && *endpoint.label == "" {
		endpoint.label = nil
	}
	return adminapi.UpdateEndpoint200JSONResponse(confirmed), nil
}

// ArchiveEndpoint is DELETE /v0/endpoints/{id}. What is archived is found no more, and archiving it again is a 404.
func (h adminHandlers) ArchiveEndpoint(_ context.Context, r adminapi.ArchiveEndpointRequestObject) (adminapi.ArchiveEndpointResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	endpoint.archived = true
	return adminapi.ArchiveEndpoint200JSONResponse{Result: new(true)}, nil
}

// SetEndpointStatus is PATCH /v0/endpoints/{id}/status.
func (h adminHandlers) SetEndpointStatus(_ context.Context, r adminapi.SetEndpointStatusRequestObject) (adminapi.SetEndpointStatusResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if !r.Body.Status.Valid() {
		return nil, badStatus
	}
	endpoint.status = r.Body.Status
	return adminapi.SetEndpointStatus200JSONResponse{Data: new(string(endpoint.status))}, nil
}

var badStatus = badRequest("status must be active or paused")

// confirmed is the response to a change that has no record to give.
var confirmed = adminapi.ConfirmationEnvelope{Data: struct{}{}}

// EndpointSpec is what AddEndpoint creates. Only the chain and the network are needed.
type EndpointSpec = fleet.Endpoint

// AddEndpoint creates an endpoint and returns its id. It can create some that no operation can, and it is quicker than
// a request. The error says what in the spec is not acceptable: it is a [*fleet.Error].
func (e *Emulator) AddEndpoint(spec EndpointSpec) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := newPopulation(e.state)
	if err := p.buildEndpoint(spec); err != nil {
		p.abandon()
		return "", fmt.Errorf("emulator: %w", err)
	}
	p.attach()
	return p.endpoints[0].id, nil
}

// CreateEndpoints creates n active endpoints without labels and tags, spread evenly over the networks of the
// catalogue, and returns their ids in the order of creation.
func (e *Emulator) CreateEndpoints(n int) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := make([]string, 0, max(n, 0))
	for len(ids) < n {
		for chain, network := range everyNetwork {
			if len(ids) == n {
				break
			}
			ids = append(ids, e.state.addEndpoint(chain, network).id)
		}
	}
	return ids
}

// BulkSetEndpointStatus is POST /v0/endpoints/bulk/status.
func (h adminHandlers) BulkSetEndpointStatus(ctx context.Context, r adminapi.BulkSetEndpointStatusRequestObject) (adminapi.BulkSetEndpointStatusResponseObject, error) {
	if err := checkBulk(ctx, r.Body.IDs); err != nil {
		return nil, err
	}
	if !r.Body.Status.Valid() {
		return nil, badStatus
	}
	result := h.state.forEach(r.Body.IDs, func(e *endpoint) { e.status = r.Body.Status })
	return adminapi.BulkSetEndpointStatus200JSONResponse{Data: result}, nil
}

// BulkAddEndpointTag is POST /v0/endpoints/bulk/tags. The tag exists afterwards even where every id is unknown, for
// the response has to name it.
func (h adminHandlers) BulkAddEndpointTag(ctx context.Context, r adminapi.BulkAddEndpointTagRequestObject) (adminapi.BulkAddEndpointTagResponseObject, error) {
	if err := checkBulk(ctx, r.Body.IDs); err != nil {
		return nil, err
	}
	if err := checkTagLabel(r.Body.Label); err != nil {
		return nil, err
	}
	tag := h.state.tagLabelled(r.Body.Label)
	result := h.state.forEach(r.Body.IDs, func(e *endpoint) { e.addTag(tag) })
	return adminapi.BulkAddEndpointTag200JSONResponse{Data: adminapi.BulkTagResult{
		Total:        result.Total,
		UpdatedCount: result.UpdatedCount,
		FailedCount:  result.FailedCount,
		Results:      result.Results,
		Tag:          &adminapi.BulkTag{TagID: tag.id, Label: tag.label},
	}}, nil
}

// BulkRemoveEndpointTag is DELETE /v0/endpoints/bulk/tags. An endpoint that does not have the tag is a success, for it
// is as it was asked to be.
func (h adminHandlers) BulkRemoveEndpointTag(ctx context.Context, r adminapi.BulkRemoveEndpointTagRequestObject) (adminapi.BulkRemoveEndpointTagResponseObject, error) {
	if err := checkBulk(ctx, r.Body.IDs); err != nil {
		return nil, err
	}
	if r.Body.TagID == 0 {
		return nil, badRequest("tag_id is required")
	}
	tag, err := h.state.tags.byID(r.Body.TagID)
	if err != nil {
		return nil, err
	}
	result := h.state.forEach(r.Body.IDs, func(e *endpoint) { e.removeTag(tag) })
	return adminapi.BulkRemoveEndpointTag200JSONResponse{Data: result}, nil
}

func checkBulk(ctx context.Context, ids []string) error {
	if err := requireAdministrator(ctx); err != nil {
		return err
	}
	if len(ids) == 0 {
		return badRequest("ids must name at least one endpoint")
	}
	return nil
}

// forEach makes a change to each of the endpoints and reports for each whether it was there to be changed.
func (s *state) forEach(ids []string, change func(*endpoint)) adminapi.BulkResult {
	result := adminapi.BulkResult{Total: int64(len(ids))}
	for _, id := range ids {
		endpoint, err := s.endpoint(id)
		if err == nil {
			change(endpoint)
			result.UpdatedCount++
		} else {
			result.FailedCount++
		}
		result.Results = append(result.Results, adminapi.BulkItemResult{ID: id, Success: err == nil})
	}
	return result
}

// GetEndpointURLs is GET /v0/endpoints/{id}/urls.
func (h adminHandlers) GetEndpointURLs(_ context.Context, r adminapi.GetEndpointURLsRequestObject) (adminapi.GetEndpointURLsResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	http, wss := endpoint.urlsOn(endpoint.network)
	return adminapi.GetEndpointURLs200JSONResponse{Data: adminapi.EndpointURLs{
		HTTPURL:        &http,
		WSSURL:         wss,
		MultichainURLs: endpoint.multichainURLs(),
	}}, nil
}

// multichainURLs returns the addresses on every network on offer, or nothing while multichain is off.
func (e *endpoint) multichainURLs() map[string]adminapi.URLPair {
	if !e.multichain {
		return nil
	}
	urls := make(map[string]adminapi.URLPair)
	for _, network := range everyNetwork {
		http, wss := e.urlsOn(network)
		urls[network.slug] = adminapi.URLPair{HTTPURL: &http, WSSURL: wss}
	}
	return urls
}

// EnableMultichain is POST /v0/endpoints/{id}/enable_multichain.
func (h adminHandlers) EnableMultichain(_ context.Context, r adminapi.EnableMultichainRequestObject) (adminapi.EnableMultichainResponseObject, error) {
	if err := h.state.setMultichain(r.ID, true); err != nil {
		return nil, err
	}
	return adminapi.EnableMultichain200JSONResponse(confirmed), nil
}

// DisableMultichain is POST /v0/endpoints/{id}/disable_multichain.
func (h adminHandlers) DisableMultichain(_ context.Context, r adminapi.DisableMultichainRequestObject) (adminapi.DisableMultichainResponseObject, error) {
	if err := h.state.setMultichain(r.ID, false); err != nil {
		return nil, err
	}
	return adminapi.DisableMultichain200JSONResponse(confirmed), nil
}

func (s *state) setMultichain(id string, on bool) error {
	endpoint, err := s.endpoint(id)
	if err != nil {
		return err
	}
	endpoint.multichain = on
	return nil
}
