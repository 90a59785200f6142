package emulator

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// AddEndpointTag is POST /v0/endpoints/{id}/tags.
func (h adminHandlers) AddEndpointTag(_ context.Context, r adminapi.AddEndpointTagRequestObject) (adminapi.AddEndpointTagResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	if err := checkTagLabel(r.Body.Label); err != nil {
		return nil, err
	}
	endpoint.addTag(h.state.tagLabelled(r.Body.Label))
	return adminapi.AddEndpointTag200JSONResponse(confirmed), nil
}

// RemoveEndpointTag is DELETE /v0/endpoints/{id}/tags/{tag_id}.
func (h adminHandlers) RemoveEndpointTag(_ context.Context, r adminapi.RemoveEndpointTagRequestObject) (adminapi.RemoveEndpointTagResponseObject, error) {
	endpoint, err := h.state.endpoint(r.ID)
	if err != nil {
		return nil, err
	}
	tag, err := h.state.tags.byID(r.TagID)
	if err != nil {
		return nil, err
	}
	if !endpoint.removeTag(tag) {
		return nil, notFound("the endpoint does not have this tag")
	}
	return adminapi.RemoveEndpointTag200JSONResponse(confirmed), nil
}

// ListTags is GET /v0/endpoints/tags.
func (h adminHandlers) ListTags(context.Context, adminapi.ListTagsRequestObject) (adminapi.ListTagsResponseObject, error) {
	if h.settings.tagsGated {
		return nil, forbidden("the plan of the account does not include the list of tags")
	}
	tags := make([]adminapi.Tag, 0, len(h.state.tags.all))
	for _, tag := range h.state.tags.all {
		tags = append(tags, h.state.tagRecord(tag))
	}
	return adminapi.ListTags200JSONResponse{Data: adminapi.TagList{Tags: tags}}, nil
}

// RenameTag is PATCH /v0/endpoints/tags/{id}. Two tags cannot have one label; the contract does not say.
func (h adminHandlers) RenameTag(ctx context.Context, r adminapi.RenameTagRequestObject) (adminapi.RenameTagResponseObject, error) {
	if err := requireAdministrator(ctx); err != nil {
		return nil, err
	}
	tag, err := h.state.tags.byID(r.ID)
	if err != nil {
		return nil, err
	}
	if err := checkTagLabel(r.Body.Label); err != nil {
		return nil, err
	}
	if other, taken := h.state.tags.byLabel(r.Body.Label); taken && other != tag {
		return nil, badRequest("label is that of another tag")
	}
	tag.label = r.Body.Label
	return adminapi.RenameTag200JSONResponse{Data: h.state.tagRecord(tag)}, nil
}

// DeleteTag is DELETE /v0/endpoints/tags/{id}.
func (h adminHandlers) DeleteTag(ctx context.Context, r adminapi.DeleteTagRequestObject) (adminapi.DeleteTagResponseObject, error) {
	if err := requireAdministrator(ctx); err != nil {
		return nil, err
	}
	tag, err := h.state.tags.byID(r.ID)
	if err != nil {
		return nil, err
	}
	if h.state.usageOf(tag) > 0 {
		return nil, badRequest("the tag is still assigned to endpoints")
	}
	h.state.tags.remove(tag)
	return adminapi.DeleteTag200JSONResponse{Data: adminapi.Success{Success: true}}, nil
}
