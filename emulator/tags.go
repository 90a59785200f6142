package emulator

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/rpcfleet/rpcfleet-go/emulator/internal/adminapi"
	"github.com/rpcfleet/rpcfleet-go/emulator/internal/serve"
)

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
	t.UsageCount = 0
	for _, endpoint := range s.live() {
		if endpoint.hasTag(t) {
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
