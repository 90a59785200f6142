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

// endpointData is one endpoint of the account.
type endpointData struct {
	// Number is the id as a number. The contract has ids as text here and as numbers in the endpoints of a team.
	Number         int64
	Name           string  // The subdomain.
	Label          *string // nil for none.
	Chain, Network string  // Their slugs.
	Status         adminapi.EndpointStatus
	Token          string
	CreatedAt      time.Time

	Dedicated, FlatRate, Multichain, Archived bool

	// Tags points to the account's tags, so that a tag renamed there is renamed here.
	Tags     []*tagData
	Security securityData
	Limits   map[adminapi.RateLimitBucket]limitOverride
	Methods  []adminapi.MethodRateLimiter // In the order of their creation.
	Log      callLog
}

func (e *endpointData) id() string { return strconv.FormatInt(e.Number, 10) }

// newEndpoint makes an active endpoint that is not yet part of the account.
func (s *state) newEndpoint(chain, network string) *endpointData {
	number := s.IDs.number()
	created := &endpointData{
		Number: number, Name: s.IDs.subdomain(number), Chain: chain, Network: network,
		Status: adminapi.EndpointStatusActive, Token: s.IDs.token(), CreatedAt: s.now(), Security: newSecurity(),
		Limits: map[adminapi.RateLimitBucket]limitOverride{}, Log: callLog{byID: map[string]*callData{}},
	}
	created.Security.addToken(&s.IDs, created.Token)
	return created
}

// attach makes an endpoint part of the account.
func (s *state) attach(added *endpointData) {
	s.endpoints[added.id()] = added
	s.Endpoints = append(s.Endpoints, added)
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
		for chain, network := range everyNetwork {
			if len(ids) < n {
				created := e.state.newEndpoint(chain.slug, network.slug)
				e.state.attach(created)
				ids = append(ids, created.id())
			}
		}
	}
	return ids
}

// host is the domain of all endpoints' addresses. It is reserved for examples, and nothing responds there.
const host = "emulator.example"

// urlsOn returns the addresses of the endpoint on a network. The WebSocket address is nil if the network has none.
func (e *endpointData) urlsOn(slug string) (http string, wss *string) {
	address := fmt.Sprintf("%s.%s.%s/%s/", e.Name, slug, host, e.Token)
	if _, network := networkBySlug(slug); network == nil || !network.plainHTTP {
		wss = new("wss://" + address)
	}
	return "https://" + address, wss
}

// listed is the endpoint's record in a listing.
func (e *endpointData) listed() adminapi.Endpoint {
	http, wss := e.urlsOn(e.Network)
	return adminapi.Endpoint{
		ID: e.id(), Name: e.Name, Label: e.Label, Status: e.Status, Chain: e.Chain, Network: e.Network,
		IsDedicated: e.Dedicated, IsFlatRate: e.FlatRate, IsMultichain: e.Multichain, HTTPURL: http, WSSURL: wss,
		Tags: e.tagRecords(),
	}
}

// single is the endpoint's record in all other responses.
func (e *endpointData) single() *adminapi.SingleEndpoint {
	http, wss := e.urlsOn(e.Network)
	return &adminapi.SingleEndpoint{
		ID: e.id(), Label: e.Label, Status: e.Status, Chain: e.Chain, Network: e.Network, IsMultichain: e.Multichain,
		HTTPURL: http, WSSURL: wss, Security: e.Security.record(), Tags: e.tagRecords(),
		RateLimits: &adminapi.EndpointRateLimits{
			RateLimitByIP: new(false), Account: new(noLimit), RPS: e.limit(adminapi.RateLimitBucketRPS),
			RPM: e.limit(adminapi.RateLimitBucketRPM), RPD: e.limit(adminapi.RateLimitBucketRPD),
		},
	}
}

func (e *endpointData) tagRecords() []adminapi.EndpointTag {
	return each(e.Tags, func(t *tagData) adminapi.EndpointTag {
		return adminapi.EndpointTag{TagID: new(t.ID), Label: new(t.Label)}
	})
}

func (h adminHandlers) CreateEndpoint(_ context.Context, body *adminapi.CreateEndpointRequest) (
	*adminapi.SingleEndpoint, error) {
	if err := checkNetwork(body.Chain, body.Network); err != nil {
		return nil, err
	}
	created := h.state.newEndpoint(body.Chain, body.Network)
	h.state.attach(created)
	return created.single(), nil
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
	infoOf(ctx).endpoint.Archived = true
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
	http, wss := endpoint.urlsOn(endpoint.Network)
	urls := adminapi.EndpointURLs{HTTPURL: &http, WSSURL: wss}
	if endpoint.Multichain {
		urls.MultichainURLs = map[string]adminapi.URLPair{}
		for _, network := range everyNetwork {
			http, wss := endpoint.urlsOn(network.slug)
			urls.MultichainURLs[network.slug] = adminapi.URLPair{HTTPURL: &http, WSSURL: wss}
		}
	}
	return &urls, nil
}

func (h adminHandlers) EnableMultichain(ctx context.Context) (*adminapi.ConfirmationEnvelope, error) {
	infoOf(ctx).endpoint.Multichain = true
	return confirmed, nil
}

func (h adminHandlers) DisableMultichain(ctx context.Context) (*adminapi.ConfirmationEnvelope, error) {
	infoOf(ctx).endpoint.Multichain = false
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
	listed := each(pageOf(found, page.Limit, page.Offset), (*endpointData).listed)
	if len(listed) == 0 {
		listed = nil // The list of an empty page is null (observed).
	}
	return &adminapi.EndpointPageEnvelope{Data: listed, Pagination: page}, nil
}

// pageOf returns a page of a list. Beyond the end of the list, the page is empty.
func pageOf[T any](list []T, limit, offset int) []T {
	rest := list[min(offset, len(list)):]
	return rest[:min(limit, len(rest))]
}

// valueOr returns the value of a pointer, or otherwise if the pointer is nil.
func valueOr[T any](pointer *T, otherwise T) T {
	if pointer == nil {
		return otherwise
	}
	return *pointer
}

// nonZero returns a pointer to a value, or nil if the value is zero.
func nonZero[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// matches reports whether the endpoint passes every filter. One of a filter's values is enough. A filter without
// values lets all pass. The text is searched for in the subdomain and the label, whatever the case.
func (e *endpointData) matches(p adminapi.ListEndpointsParams) bool {
	text, label := strings.ToLower(valueOr(p.Search, "")), valueOr(e.Label, "")
	tagged := func(t *tagData) bool { return slices.Contains(p.TagIDs, t.ID) || slices.Contains(p.TagLabels, t.Label) }
	return (strings.Contains(e.Name, text) || strings.Contains(strings.ToLower(label), text)) &&
		(len(p.Networks) == 0 || slices.Contains(p.Networks, e.Network)) &&
		(len(p.Statuses) == 0 || slices.Contains(p.Statuses, e.Status)) &&
		(len(p.Labels) == 0 || e.Label != nil && slices.Contains(p.Labels, label)) &&
		(p.Dedicated == nil || *p.Dedicated == e.Dedicated) &&
		(p.IsFlatRate == nil || *p.IsFlatRate == e.FlatRate) &&
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
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Number, b.Number))
	},
	adminapi.SortByUsage: func(a, b *endpointData) int { return cmp.Compare(a.Log.total.Credits, b.Log.total.Credits) },
}

// tagLabels returns the labels of the endpoint's tags in alphabetical order.
func (e *endpointData) tagLabels() []string {
	return slices.Sorted(slices.Values(each(e.Tags, func(t *tagData) string { return t.Label })))
}
