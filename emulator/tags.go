package emulator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
)

// tag is a tag of the account.
type tag struct {
	id    int64
	label string
}

// tagState holds the tags of the account, in the order of their creation.
type tagState struct{ all []*tag }

// maxTagLabel is the largest number of characters of a label.
const maxTagLabel = 25

func checkTagLabel(label string) error {
	switch {
	case strings.TrimSpace(label) == "":
		return badRequest("label is required")
	case utf8.RuneCountInString(label) > maxTagLabel:
		return badRequest(fmt.Sprintf("label must have at most %d characters", maxTagLabel))
	}
	return nil
}

// byID finds a tag of the account.
func (t *tagState) byID(id int64) (*tag, error) {
	for _, tag := range t.all {
		if tag.id == id {
			return tag, nil
		}
	}
	return nil, notFound("tag not found")
}

// byLabel finds a tag of the account by its label, which is compared to the letter.
func (t *tagState) byLabel(label string) (*tag, bool) {
	for _, tag := range t.all {
		if tag.label == label {
			return tag, true
		}
	}
	return nil, false
}

func (t *tagState) remove(gone *tag) {
	t.all = slices.DeleteFunc(t.all, func(other *tag) bool { return other == gone })
}

// tagLabelled finds the tag with this label, and creates it where there is none.
func (s *state) tagLabelled(label string) *tag {
	if existing, known := s.tags.byLabel(label); known {
		return existing
	}
	created := &tag{id: s.ids.number(), label: label}
	s.tags.all = append(s.tags.all, created)
	return created
}

// usageOf counts the endpoints with a tag. Archived endpoints do not count: they keep no tag from being deleted.
func (s *state) usageOf(t *tag) int64 {
	count := int64(0)
	for _, endpoint := range s.order {
		if !endpoint.archived && slices.Contains(endpoint.tags, t) {
			count++
		}
	}
	return count
}

func (s *state) tagRecord(t *tag) adminapi.Tag {
	return adminapi.Tag{ID: t.id, Label: t.label, UsageCount: s.usageOf(t)}
}

// addTag puts a tag on the endpoint, which has it once however often it is added.
func (e *endpoint) addTag(t *tag) {
	if !slices.Contains(e.tags, t) {
		e.tags = append(e.tags, t)
	}
}

// removeTag takes a tag off the endpoint and reports whether it was on it.
func (e *endpoint) removeTag(t *tag) bool {
	before := len(e.tags)
	e.tags = slices.DeleteFunc(e.tags, func(other *tag) bool { return other == t })
	return len(e.tags) < before
}

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
