package rpcfleet

import (
	"context"

	"github.com/rpcfleet/rpcfleet-go/admin"
	"github.com/rpcfleet/rpcfleet-go/internal/api"
)

// TagsService manages the account's tags. [EndpointsService] puts them on endpoints and takes them off.
type TagsService struct{ engine *engine }

// List returns the account's tags, those without endpoints included. A plan without the list of tags is [ErrForbidden].
//
// GET /v0/endpoints/tags
func (s *TagsService) List(ctx context.Context, opts ...CallOption) ([]admin.Tag, error) {
	list, err := fetch[admin.TagList](ctx, s.engine.call(api.ListTags(), opts))
	return list.Tags, err
}

// Rename gives a tag another label: every endpoint with the tag shows it. It needs an administrator's key. A tag that
// does not exist is [ErrNotFound], a label that the service does not accept [ErrInvalidRequest]. Where the service sent
// no tag, the result has the id and the label that were sent.
//
// PATCH /v0/endpoints/tags/{id}
func (s *TagsService) Rename(ctx context.Context, tagID int64, label string, opts ...CallOption) (*admin.Tag, error) {
	return change(ctx, s.engine.call(api.RenameTag(tagID, admin.RenameTagRequest{Label: label}), opts), admin.Tag{ID: tagID, Label: label})
}

// Delete deletes a tag. It needs an administrator's key. A tag that endpoints still have is [ErrInvalidRequest], one
// that does not exist [ErrNotFound].
//
// DELETE /v0/endpoints/tags/{id}
func (s *TagsService) Delete(ctx context.Context, tagID int64, opts ...CallOption) error {
	return confirm(ctx, s.engine.call(api.DeleteTag(tagID), opts))
}
