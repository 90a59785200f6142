package emulator

import (
	"context"
	"slices"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// tagData is a tag of the account.
type tagData struct {
	ID    int64
	Label string
}

// tag finds a tag of the account.
func (s *state) tag(id int64) (*tagData, error) {
	return byID(s.Tags, "tag", id, func(t *tagData) int64 { return t.ID })
}

// tagLabelled finds the tag with a label, and creates a missing one. Case matters.
func (s *state) tagLabelled(label string) *tagData {
	if at := slices.IndexFunc(s.Tags, func(t *tagData) bool { return t.Label == label }); at >= 0 {
		return s.Tags[at]
	}
	created := &tagData{ID: s.IDs.number(), Label: label}
	s.Tags = append(s.Tags, created)
	return created
}

// usageOf counts the endpoints with a tag that are not archived.
func (s *state) usageOf(t *tagData) int64 {
	count := int64(0)
	for _, endpoint := range s.Endpoints {
		if !endpoint.Archived && slices.Contains(endpoint.Tags, t) {
			count++
		}
	}
	return count
}

func (s *state) tagRecord(t *tagData) adminapi.Tag {
	return adminapi.Tag{ID: t.ID, Label: t.Label, UsageCount: s.usageOf(t)}
}

// addTag adds a tag to the endpoint, unless the endpoint has it.
func (e *endpointData) addTag(t *tagData) {
	if !slices.Contains(e.Tags, t) {
		e.Tags = append(e.Tags, t)
	}
}

// removeTag removes a tag from the endpoint and reports whether the endpoint had it.
func (e *endpointData) removeTag(t *tagData) bool {
	before := len(e.Tags)
	e.Tags = slices.DeleteFunc(e.Tags, func(other *tagData) bool { return other == t })
	return len(e.Tags) < before
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
	return &adminapi.TagList{Tags: each(h.state.Tags, h.state.tagRecord)}, nil
}

// RenameTag is PATCH /v0/endpoints/tags/{id}. Two tags cannot have the same label (assumed).
func (h adminHandlers) RenameTag(ctx context.Context, body *adminapi.RenameTagRequest) (*adminapi.Tag, error) {
	renamed := infoOf(ctx).tag
	if slices.ContainsFunc(h.state.Tags, func(t *tagData) bool { return t != renamed && t.Label == body.Label }) {
		return nil, badRequest("label is used by another tag")
	}
	renamed.Label = body.Label
	return new(h.state.tagRecord(renamed)), nil
}

// DeleteTag is DELETE /v0/endpoints/tags/{id}. A tag that only archived endpoints have is deleted from them too.
func (h adminHandlers) DeleteTag(ctx context.Context) (*adminapi.Success, error) {
	deleted := infoOf(ctx).tag
	if h.state.usageOf(deleted) > 0 {
		return nil, badRequest("the tag is still assigned to endpoints")
	}
	for _, endpoint := range h.state.Endpoints {
		endpoint.removeTag(deleted)
	}
	h.state.Tags = slices.DeleteFunc(h.state.Tags, func(t *tagData) bool { return t == deleted })
	return &adminapi.Success{Success: true}, nil
}
