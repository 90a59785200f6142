package emulator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcfleet/rpcfleet-go/emulator/fleet"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// endpointData is one endpoint of the account: its record in a listing, and the rest. The tags point to the account's,
// so that a tag renamed there is renamed here.
type endpointData struct {
	adminapi.Endpoint

	// number is the id as a number, as the endpoints of a team have it.
	number    int64
	token     string
	createdAt time.Time
	archived  bool

	security securityData
	limits   map[adminapi.RateLimitBucket]adminapi.RateLimitRow // Those that replace limits of the plan.
	methods  []adminapi.MethodRateLimiter                       // In the order of their creation.
	log      callLog
}

// newEndpoint makes an active endpoint and adds it to the account. An empty token is made up.
func (s *state) newEndpoint(chain, network, token string) *endpointData {
	number := s.ids.number()
	created := &endpointData{
		Endpoint: adminapi.Endpoint{
			ID: strconv.FormatInt(number, 10), Name: s.ids.subdomain(number), Chain: chain, Network: network,
			Status: adminapi.EndpointStatusActive,
		},
		number: number, token: token, createdAt: s.now(), security: newSecurity(),
		limits: map[adminapi.RateLimitBucket]adminapi.RateLimitRow{}, log: callLog{byID: map[string]*callData{}},
	}
	if token == "" {
		created.token = s.ids.token()
	}
	created.HTTPURL, created.WSSURL = created.urlsOn(network)
	created.security.addToken(&s.ids, created.token)
	s.endpoints = append(s.endpoints, created)
	return created
}

// AddEndpoint creates an endpoint and returns its id. It can create endpoints that no operation can, and it is quicker
// than a request. If the spec breaks a rule, the error is a [*fleet.Error].
func (e *Emulator) AddEndpoint(spec EndpointSpec) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	made, err := e.populate(func(p *population) error { return p.addEndpoint(spec) })
	if err != nil {
		return "", err
	}
	return made.Endpoints[0], nil
}

// EndpointSpec describes an endpoint for AddEndpoint. Only the chain and the network are required.
type EndpointSpec = fleet.Endpoint

// CreateEndpoints creates n active endpoints without labels and tags, spread evenly over the networks of the
// catalogue, and returns their ids in the order of creation.
func (e *Emulator) CreateEndpoints(n int) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	ids := make([]string, 0, max(n, 0))
	for len(ids) < n {
		for _, chain := range catalogue.Chains {
			for _, network := range chain.Networks {
				if len(ids) < n {
					ids = append(ids, e.state.newEndpoint(*chain.Slug, *network.Slug, "").ID)
				}
			}
		}
	}
	return ids
}

// host is the domain of all endpoints' addresses. It is reserved for examples, and nothing responds there.
const host = "emulator.example"

// urlsOn returns the addresses of the endpoint on a network. The WebSocket address is nil on Bitcoin, which has none.
func (e *endpointData) urlsOn(slug string) (http string, wss *string) {
	address := fmt.Sprintf("%s.%s.%s/%s/", e.Name, slug, host, e.token)
	if chainOf(slug) != "bitcoin" {
		wss = new("wss://" + address)
	}
	return "https://" + address, wss
}

// single is the endpoint's record in all responses but listings.
func (e *endpointData) single() *adminapi.SingleEndpoint {
	return &adminapi.SingleEndpoint{
		ID: e.ID, Label: e.Label, Status: e.Status, Chain: e.Chain, Network: e.Network, IsMultichain: e.IsMultichain,
		HTTPURL: e.HTTPURL, WSSURL: e.WSSURL, Security: e.security.record(), Tags: e.Tags,
		RateLimits: &adminapi.EndpointRateLimits{
			RateLimitByIP: new(false), Account: new(noLimit), RPS: e.limit(adminapi.RateLimitBucketRPS),
			RPM: e.limit(adminapi.RateLimitBucketRPM), RPD: e.limit(adminapi.RateLimitBucketRPD),
		},
	}
}

func (h adminHandlers) CreateEndpoint(_ context.Context, body *adminapi.CreateEndpointRequest) (
	*adminapi.SingleEndpoint, error) {
	if err := checkNetwork(body.Chain, body.Network); err != nil {
		return nil, err
	}
	return h.state.newEndpoint(body.Chain, body.Network, "").single(), nil
}

func (h adminHandlers) GetEndpoint(ctx context.Context) (*adminapi.SingleEndpoint, error) {
	return infoOf(ctx).endpoint.single(), nil
}

// UpdateEndpoint is PATCH /v0/endpoints/{id}. A label that is left out stays, and an empty one or null removes it
// (assumed).
func (h adminHandlers) UpdateEndpoint(ctx context.Context, body *adminapi.UpdateEndpointRequest) (
	*adminapi.ConfirmationEnvelope, error) {
	if body == nil {
		return confirmed, nil
	}
	members, err := decodeBody[map[string]any](ctx)
	if _, given := members["label"]; given {
		infoOf(ctx).endpoint.Label = nonZero(valueOr(body.Label, ""))
	}
	return confirmed, err
}

// ArchiveEndpoint is DELETE /v0/endpoints/{id}. An archived endpoint is a 404 from then on.
func (h adminHandlers) ArchiveEndpoint(ctx context.Context) (*adminapi.ConfirmationEnvelope, error) {
	infoOf(ctx).endpoint.archived = true
	return &adminapi.ConfirmationEnvelope{Result: new(true)}, nil
}

func (h adminHandlers) SetEndpointStatus(ctx context.Context, body *adminapi.SetEndpointStatusRequest) (string, error) {
	infoOf(ctx).endpoint.Status = body.Status
	return string(body.Status), nil
}

// confirmed is the response to a change without a record.
var confirmed = &adminapi.ConfirmationEnvelope{Data: struct{}{}}

func (h adminHandlers) BulkSetEndpointStatus(ctx context.Context, body *adminapi.BulkSetEndpointStatusRequest) (
	*adminapi.BulkResult, error) {
	return h.state.forEach(body.IDs, func(e *endpointData) { e.Status = body.Status })
}

// BulkAddEndpointTag is POST /v0/endpoints/bulk/tags. The tag exists afterwards even if every id is unknown, because
// the response names it.
func (h adminHandlers) BulkAddEndpointTag(_ context.Context, body *adminapi.BulkAddEndpointTagRequest) (
	*adminapi.BulkTagResult, error) {
	result, err := h.state.forEach(body.IDs, func(e *endpointData) { e.addTag(h.state.tagLabelled(body.Label)) })
	if err != nil {
		return nil, err
	}
	added := h.state.tagLabelled(body.Label)
	return &adminapi.BulkTagResult{
		Total: result.Total, UpdatedCount: result.UpdatedCount, FailedCount: result.FailedCount, Results: result.Results,
		Tag: &adminapi.BulkTag{TagID: added.ID, Label: added.Label},
	}, nil
}

// BulkRemoveEndpointTag is DELETE /v0/endpoints/bulk/tags. An endpoint without the tag counts as a success.
func (h adminHandlers) BulkRemoveEndpointTag(ctx context.Context, body *adminapi.BulkRemoveEndpointTagRequest) (
	*adminapi.BulkResult, error) {
	tag, err := h.state.tag(body.TagID)
	if err != nil {
		return nil, err
	}
	return h.state.forEach(body.IDs, func(e *endpointData) { e.removeTag(tag) })
}

// forEach changes each of the endpoints that exist, and reports for each id whether it does.
func (s *state) forEach(ids []string, change func(*endpointData)) (*adminapi.BulkResult, error) {
	if len(ids) == 0 {
		return nil, badRequest("ids must name at least one endpoint")
	}
	result := &adminapi.BulkResult{Total: int64(len(ids))}
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
	return result, nil
}

func (h adminHandlers) GetEndpointURLs(ctx context.Context) (*adminapi.EndpointURLs, error) {
	endpoint := infoOf(ctx).endpoint
	urls := adminapi.EndpointURLs{HTTPURL: &endpoint.HTTPURL, WSSURL: endpoint.WSSURL}
	if !endpoint.IsMultichain {
		return &urls, nil
	}
	urls.MultichainURLs = map[string]adminapi.URLPair{}
	for _, chain := range catalogue.Chains {
		for _, network := range chain.Networks {
			http, wss := endpoint.urlsOn(*network.Slug)
			urls.MultichainURLs[*network.Slug] = adminapi.URLPair{HTTPURL: &http, WSSURL: wss}
		}
	}
	return &urls, nil
}

func (h adminHandlers) EnableMultichain(ctx context.Context) (*adminapi.ConfirmationEnvelope, error) {
	infoOf(ctx).endpoint.IsMultichain = true
	return confirmed, nil
}

func (h adminHandlers) DisableMultichain(ctx context.Context) (*adminapi.ConfirmationEnvelope, error) {
	infoOf(ctx).endpoint.IsMultichain = false
	return confirmed, nil
}

// defaultPage is the size of a page without a limit.
const defaultPage = 20

func (h adminHandlers) ListEndpoints(_ context.Context, params adminapi.ListEndpointsParams) (
	*adminapi.EndpointPageEnvelope, error) {
	if len(params.TagIDs) > 0 && len(params.TagLabels) > 0 {
		return nil, badRequest("tag_ids and tag_labels exclude each other")
	}
	found := slices.DeleteFunc(h.state.live(), func(e *endpointData) bool { return !e.matches(params) })
	sortEndpoints(found, params)
	page := adminapi.Pagination{
		Total: len(found), Limit: min(valueOr(params.Limit, defaultPage), h.settings.pageCap),
		Offset: valueOr(params.Offset, 0),
	}
	listed := each(pageOf(found, page.Limit, page.Offset), func(e *endpointData) adminapi.Endpoint { return e.Endpoint })
	if len(listed) == 0 {
		listed = nil // The list of an empty page is null (observed).
	}
	return &adminapi.EndpointPageEnvelope{Data: listed, Pagination: page}, nil
}

// matches reports whether the endpoint passes every filter. One of a filter's values is enough. A filter without
// values lets all pass. The text is searched for in the subdomain and the label, whatever the case.
func (e *endpointData) matches(p adminapi.ListEndpointsParams) bool {
	text, label := strings.ToLower(valueOr(p.Search, "")), valueOr(e.Label, "")
	tagged := func(t adminapi.EndpointTag) bool {
		return slices.Contains(p.TagIDs, *t.TagID) || slices.Contains(p.TagLabels, *t.Label)
	}
	return (strings.Contains(e.Name, text) || strings.Contains(strings.ToLower(label), text)) &&
		(len(p.Networks) == 0 || slices.Contains(p.Networks, e.Network)) &&
		(len(p.Statuses) == 0 || slices.Contains(p.Statuses, e.Status)) &&
		(len(p.Labels) == 0 || e.Label != nil && slices.Contains(p.Labels, label)) &&
		(p.Dedicated == nil || *p.Dedicated == e.IsDedicated) &&
		(p.IsFlatRate == nil || *p.IsFlatRate == e.IsFlatRate) &&
		(len(p.TagIDs) == 0 && len(p.TagLabels) == 0 || slices.ContainsFunc(e.Tags, tagged))
}

// sortEndpoints sorts endpoints that are in the order of creation. Equal ones keep that order in both directions, so
// that paging is stable.
func sortEndpoints(found []*endpointData, p adminapi.ListEndpointsParams) {
	sign := 1
	if valueOr(p.SortDirection, adminapi.SortDirectionAsc) == adminapi.SortDirectionDesc {
		sign = -1
	}
	compare := comparisons[valueOr(p.SortBy, adminapi.SortByCreatedAt)]
	slices.SortStableFunc(found, func(a, b *endpointData) int { return sign * compare(a, b) })
}

// comparisons are the ways to sort. With a clock that stands still, the numbers decide which endpoint is newer.
var comparisons = map[adminapi.SortBy]func(a, b *endpointData) int{
	adminapi.SortByName:    func(a, b *endpointData) int { return cmp.Compare(a.Name, b.Name) },
	adminapi.SortByStatus:  func(a, b *endpointData) int { return cmp.Compare(a.Status, b.Status) },
	adminapi.SortByNetwork: func(a, b *endpointData) int { return cmp.Compare(a.Network, b.Network) },
	adminapi.SortByLabel: func(a, b *endpointData) int {
		return cmp.Compare(valueOr(a.Label, ""), valueOr(b.Label, ""))
	},
	adminapi.SortByTags: func(a, b *endpointData) int { return slices.Compare(a.tagLabels(), b.tagLabels()) },
	adminapi.SortByCreatedAt: func(a, b *endpointData) int {
		return cmp.Or(a.createdAt.Compare(b.createdAt), cmp.Compare(a.number, b.number))
	},
	adminapi.SortByUsage: func(a, b *endpointData) int { return cmp.Compare(a.log.total.Credits, b.log.total.Credits) },
}

// tagLabels returns the labels of the endpoint's tags in alphabetical order.
func (e *endpointData) tagLabels() []string {
	return slices.Sorted(slices.Values(each(e.Tags, func(t adminapi.EndpointTag) string { return *t.Label })))
}
