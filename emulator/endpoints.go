package emulator

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

// endpointData is an endpoint of the account: its record in a listing, and the rest. The tags point to the account's,
// so that a tag renamed there is renamed here.
type endpointData struct {
	adminapi.Endpoint

	number   int64 // The id as a number, as the endpoints of a team have it. It counts the endpoints.
	token    string
	archived bool

	security  adminapi.EndpointSecurity // Without its options. Entries may have the same value (assumed).
	options   []adminapi.SecurityOption
	overrides []adminapi.RateLimitRow    // Those that replace limits of the plan.
	methods   []adminapi.MethodRateLimit // In the order of their creation.
	log       callLog
}

// tokenLength is the length of the secret part of an endpoint's address.
const tokenLength = 40

// newEndpoint makes an active endpoint and adds it to the account.
func (s *state) newEndpoint(chain, network string) *endpointData {
	number := s.ids.number()
	created := &endpointData{
		Endpoint: adminapi.Endpoint{
			ID: strconv.FormatInt(number, 10), Name: s.ids.subdomain(number), Chain: chain, Network: network,
			Status: adminapi.EndpointStatusActive, IsDedicated: new(false), IsFlatRate: new(false),
		},
		number: number, token: s.ids.text(tokenLength), options: newOptions(), log: callLog{byID: map[string]*callData{}},
	}
	created.HTTPURL, created.WSSURL = created.urlsOn(network)
	created.security.Tokens = []adminapi.EndpointToken{{ID: new(s.ids.numberText()), Token: &created.token}}
	s.endpoints = append(s.endpoints, created)
	return created
}

// host is the domain of all endpoints' addresses. It is reserved for examples, and nothing responds there.
const host = "emulator.example"

// urlsOn returns the addresses of the endpoint on a network. The WebSocket address is nil on Bitcoin, which has none.
func (e *endpointData) urlsOn(slug string) (http string, wss *string) {
	address := fmt.Sprintf("%s.%s.%s/%s/", e.Name, slug, host, e.token)
	if chainOf(slug) != "btc" {
		wss = new("wss://" + address)
	}
	return "https://" + address, wss
}

// single is the endpoint's record in all responses but listings.
func (e *endpointData) single() *adminapi.SingleEndpoint {
	rates := e.rates()
	return &adminapi.SingleEndpoint{
		ID: e.ID, Label: e.Label, Status: e.Status, Chain: e.Chain, Network: e.Network, IsMultichain: e.IsMultichain,
		HTTPURL: e.HTTPURL, WSSURL: e.WSSURL, Security: e.securityRecord(), Tags: e.Tags,
		RateLimits: &adminapi.EndpointRateLimits{
			RateLimitByIP: new(false), Account: new(noLimit), RPS: rates.RPS, RPM: rates.RPM, RPD: rates.RPD,
		},
	}
}

func (r *request) CreateEndpoint(body *adminapi.CreateEndpointRequest) (*adminapi.SingleEndpoint, error) {
	if err := checkNetwork(body.Chain, body.Network); err != nil {
		return nil, err
	}
	return r.state.newEndpoint(body.Chain, body.Network).single(), nil
}

func (r *request) GetEndpoint() (*adminapi.SingleEndpoint, error) { return r.endpoint.single(), nil }

// UpdateEndpoint is PATCH /v0/endpoints/{id}. A label can be changed, but not cleared (observed): an empty one or null
// changes nothing (assumed).
func (r *request) UpdateEndpoint(body *adminapi.UpdateEndpointRequest) (*adminapi.ConfirmationEnvelope, error) {
	if body != nil && valueOr(body.Label, "") != "" {
		r.endpoint.Label = body.Label
	}
	return confirmed, nil
}

// ArchiveEndpoint is DELETE /v0/endpoints/{id}. An archived endpoint is a 404 from then on.
func (r *request) ArchiveEndpoint() (*adminapi.ConfirmationEnvelope, error) {
	r.endpoint.archived = true
	return &adminapi.ConfirmationEnvelope{Result: new(true)}, nil
}

func (r *request) SetEndpointStatus(body *adminapi.SetEndpointStatusRequest) (string, error) {
	r.endpoint.Status = body.Status
	return string(body.Status), nil
}

// confirmed is the response to a change without a record.
var confirmed = &adminapi.ConfirmationEnvelope{Data: struct{}{}}

func (r *request) BulkSetEndpointStatus(body *adminapi.BulkSetEndpointStatusRequest) (*adminapi.BulkResult, error) {
	return r.state.forEach(body.IDs, func(e *endpointData) { e.Status = body.Status })
}

// BulkAddEndpointTag is POST /v0/endpoints/bulk/tags. The tag exists afterwards even if every id is unknown, because
// the response names it.
func (r *request) BulkAddEndpointTag(body *adminapi.BulkAddEndpointTagRequest) (*adminapi.BulkTagResult, error) {
	result, err := r.state.forEach(body.IDs, func(e *endpointData) { e.addTag(r.state.tagLabelled(body.Label)) })
	if err != nil {
		return nil, err
	}
	added := r.state.tagLabelled(body.Label)
	tagged := adminapi.BulkTagResult{Tag: &adminapi.BulkTag{TagID: added.ID, Label: added.Label}}
	return new(merged(tagged, result)), nil
}

// BulkRemoveEndpointTag is DELETE /v0/endpoints/bulk/tags. An endpoint without the tag counts as a success.
func (r *request) BulkRemoveEndpointTag(body *adminapi.BulkRemoveEndpointTagRequest) (*adminapi.BulkResult, error) {
	tag, err := find(r.state.tags, "tag", strconv.FormatInt(body.TagID, 10))
	if err != nil {
		return nil, err
	}
	return r.state.forEach(body.IDs, func(e *endpointData) { e.removeTag(tag) })
}

// forEach changes each of the endpoints that exist, and reports for each id whether it does.
func (s *state) forEach(ids []string, change func(*endpointData)) (*adminapi.BulkResult, error) {
	if len(ids) == 0 {
		return nil, serve.BadRequest("ids must name at least one endpoint")
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

// GetEndpointURLs is GET /v0/endpoints/{id}/urls. The networks of a multichain endpoint have their names of other areas
// (observed).
func (r *request) GetEndpointURLs() (*adminapi.EndpointURLs, error) {
	urls := adminapi.EndpointURLs{HTTPURL: &r.endpoint.HTTPURL, WSSURL: r.endpoint.WSSURL}
	if !r.endpoint.IsMultichain {
		return &urls, nil
	}
	urls.MultichainURLs = map[string]adminapi.URLPair{}
	for _, network := range networks {
		http, wss := r.endpoint.urlsOn(network.slug)
		urls.MultichainURLs[longName(network.slug)] = adminapi.URLPair{HTTPURL: &http, WSSURL: wss}
	}
	return &urls, nil
}

func (r *request) EnableMultichain() (*adminapi.ConfirmationEnvelope, error) {
	r.endpoint.IsMultichain = true
	return confirmed, nil
}

func (r *request) DisableMultichain() (*adminapi.ConfirmationEnvelope, error) {
	r.endpoint.IsMultichain = false
	return confirmed, nil
}

// defaultPage is the size of a page without a limit.
const defaultPage = 20

func (r *request) ListEndpoints(params adminapi.ListEndpointsParams) (*adminapi.EndpointPageEnvelope, error) {
	if len(params.TagIDs) > 0 && len(params.TagLabels) > 0 {
		return nil, serve.BadRequest("tag_ids and tag_labels exclude each other")
	}
	found := slices.DeleteFunc(r.state.live(), func(e *endpointData) bool { return !e.matches(params) })
	sortEndpoints(found, params)
	page, limit, offset, err := offsetPage(&r.settings, found, params.Limit, params.Offset)
	listed := each(page, func(e *endpointData) adminapi.Endpoint { return e.Endpoint })
	if len(listed) == 0 {
		listed = nil // The list of an empty page is null (observed).
	}
	return &adminapi.EndpointPageEnvelope{
		Data: listed, Pagination: adminapi.Pagination{Total: len(found), Limit: limit, Offset: offset}}, err
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
		(p.Dedicated == nil || *p.Dedicated == *e.IsDedicated) &&
		(p.IsFlatRate == nil || *p.IsFlatRate == *e.IsFlatRate) &&
		(len(p.TagIDs) == 0 && len(p.TagLabels) == 0 || slices.ContainsFunc(e.Tags, tagged))
}

// sortEndpoints sorts endpoints that are in the order of creation. Equal ones keep that order in both directions, so
// that paging is stable.
func sortEndpoints(found []*endpointData, p adminapi.ListEndpointsParams) {
	by := valueOr(p.SortBy, adminapi.EndpointSortCreatedAt)
	slices.SortStableFunc(found, func(a, b *endpointData) int {
		if valueOr(p.SortDirection, adminapi.SortDirectionAsc) == adminapi.SortDirectionDesc {
			a, b = b, a
		}
		switch by {
		case adminapi.EndpointSortName:
			return cmp.Compare(a.Name, b.Name)
		case adminapi.EndpointSortStatus:
			return cmp.Compare(a.Status, b.Status)
		case adminapi.EndpointSortNetwork:
			return cmp.Compare(a.Network, b.Network)
		case adminapi.EndpointSortLabel:
			return cmp.Compare(valueOr(a.Label, ""), valueOr(b.Label, ""))
		case adminapi.EndpointSortTags:
			return slices.Compare(a.tagLabels(), b.tagLabels())
		case adminapi.EndpointSortUsage:
			return cmp.Compare(a.log.credits, b.log.credits)
		}
		return cmp.Compare(a.number, b.number)
	})
}

// tagLabels returns the labels of the endpoint's tags in alphabetical order.
func (e *endpointData) tagLabels() []string {
	return slices.Sorted(slices.Values(each(e.Tags, func(t adminapi.EndpointTag) string { return *t.Label })))
}

// tagLabelled finds the tag with a label, and creates a missing one. Case matters.
func (s *state) tagLabelled(label string) *adminapi.Tag {
	for _, tag := range s.tags {
		if tag.Label == label {
			return tag
		}
	}
	return *addTo(&s.tags, &adminapi.Tag{ID: s.ids.number(), Label: label})
}

// counted sets the number of endpoints with a tag that are not archived.
func (s *state) counted(t *adminapi.Tag) adminapi.Tag {
	t.UsageCount = int64(count(s.live(), func(e *endpointData) bool { return e.hasTag(t) }))
	return *t
}

func (e *endpointData) hasTag(t *adminapi.Tag) bool {
	return slices.ContainsFunc(e.Tags, func(other adminapi.EndpointTag) bool { return *other.TagID == t.ID })
}

// addTag adds a tag to the endpoint, unless the endpoint has it.
func (e *endpointData) addTag(t *adminapi.Tag) {
	if !e.hasTag(t) {
		e.Tags = append(e.Tags, adminapi.EndpointTag{TagID: &t.ID, Label: &t.Label})
	}
}

// removeTag removes a tag from the endpoint and reports whether the endpoint had it.
func (e *endpointData) removeTag(t *adminapi.Tag) bool {
	had := e.hasTag(t)
	e.Tags = slices.DeleteFunc(e.Tags, func(other adminapi.EndpointTag) bool { return *other.TagID == t.ID })
	return had
}

func (r *request) AddEndpointTag(body *adminapi.AddEndpointTagRequest) (*adminapi.ConfirmationEnvelope, error) {
	r.endpoint.addTag(r.state.tagLabelled(body.Label))
	return confirmed, nil
}

func (r *request) RemoveEndpointTag(id int64) (*adminapi.ConfirmationEnvelope, error) {
	tag, err := find(r.state.tags, "tag", strconv.FormatInt(id, 10))
	if err == nil && !r.endpoint.removeTag(tag) {
		err = notFound("the endpoint does not have this tag")
	}
	return confirmed, err
}

func (r *request) ListTags() (*adminapi.TagList, error) {
	if r.settings.tagsGated {
		return nil, &serve.Error{Status: http.StatusForbidden, Reason: "the plan does not include the list of tags"}
	}
	return &adminapi.TagList{Tags: each(r.state.tags, r.state.counted)}, nil
}

// RenameTag is PATCH /v0/endpoints/tags/{id}. Two tags cannot have the same label (assumed).
func (r *request) RenameTag(body *adminapi.RenameTagRequest) (*adminapi.Tag, error) {
	if slices.ContainsFunc(r.state.tags, func(t *adminapi.Tag) bool { return t != r.tag && t.Label == body.Label }) {
		return nil, serve.BadRequest("label is used by another tag")
	}
	r.tag.Label = body.Label
	return new(r.state.counted(r.tag)), nil
}

// DeleteTag is DELETE /v0/endpoints/tags/{id}. A tag that only archived endpoints have is deleted from them too.
func (r *request) DeleteTag() (*adminapi.Success, error) {
	if r.state.counted(r.tag).UsageCount > 0 {
		return nil, serve.BadRequest("the tag is still assigned to endpoints")
	}
	for _, endpoint := range r.state.endpoints {
		endpoint.removeTag(r.tag)
	}
	return &adminapi.Success{Success: remove(&r.state.tags, r.params["id"])}, nil
}
