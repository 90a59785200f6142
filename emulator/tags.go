package emulator

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// tag finds a tag of the account.
func (s *state) tag(id int64) (*adminapi.Tag, error) {
	return byID(s.tags, "tag", id, func(t *adminapi.Tag) int64 { return t.ID })
}

// tagLabelled finds the tag with a label, and creates a missing one. Case matters.
func (s *state) tagLabelled(label string) *adminapi.Tag {
	found, err := byID(s.tags, "tag", label, func(t *adminapi.Tag) string { return t.Label })
	if err != nil {
		found = &adminapi.Tag{ID: s.ids.number(), Label: label}
		s.tags = append(s.tags, found)
	}
	return found
}

// counted sets the number of endpoints with a tag that are not archived.
func (s *state) counted(t *adminapi.Tag) adminapi.Tag {
	t.UsageCount = 0
	for _, endpoint := range s.endpoints {
		if !endpoint.archived && endpoint.hasTag(t) {
			t.UsageCount++
		}
	}
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

func (h adminHandlers) AddEndpointTag(ctx context.Context, body *adminapi.AddEndpointTagRequest) (
	*adminapi.ConfirmationEnvelope, error) {
	infoOf(ctx).endpoint.addTag(h.state.tagLabelled(body.Label))
	return confirmed, nil
}

func (h adminHandlers) RemoveEndpointTag(ctx context.Context, tagID int64) (*adminapi.ConfirmationEnvelope, error) {
	tag, err := h.state.tag(tagID)
	if err != nil {
		return nil, err
	}
	if !infoOf(ctx).endpoint.removeTag(tag) {
		return nil, notFound("the endpoint does not have this tag")
	}
	return confirmed, nil
}

func (h adminHandlers) ListTags(context.Context) (*adminapi.TagList, error) {
	if h.settings.tagsGated {
		return nil, forbidden("the plan of the account does not include the list of tags")
	}
	return &adminapi.TagList{Tags: each(h.state.tags, h.state.counted)}, nil
}

// RenameTag is PATCH /v0/endpoints/tags/{id}. Two tags cannot have the same label (assumed).
func (h adminHandlers) RenameTag(ctx context.Context, body *adminapi.RenameTagRequest) (*adminapi.Tag, error) {
	renamed := infoOf(ctx).tag
	if slices.ContainsFunc(h.state.tags, func(t *adminapi.Tag) bool { return t != renamed && t.Label == body.Label }) {
		return nil, badRequest("label is used by another tag")
	}
	renamed.Label = body.Label
	return new(h.state.counted(renamed)), nil
}

// DeleteTag is DELETE /v0/endpoints/tags/{id}. A tag that only archived endpoints have is deleted from them too.
func (h adminHandlers) DeleteTag(ctx context.Context) (*adminapi.Success, error) {
	deleted := infoOf(ctx).tag
	if h.state.counted(deleted).UsageCount > 0 {
		return nil, badRequest("the tag is still assigned to endpoints")
	}
	for _, endpoint := range h.state.endpoints {
		endpoint.removeTag(deleted)
	}
	h.state.tags = without(h.state.tags, deleted)
	return &adminapi.Success{Success: true}, nil
}
